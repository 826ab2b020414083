//! The distance of a vertex and a face, and of two edges, as answers have it; the formulas are those of `geom::closest`.

use crate::geom::lanes::vectors::*;

use crate::geom::closest::{Apart, edge_edge, vertex_face};
use crate::geom::lanes::{LANES, LanePoints, loaded};

/// How far apart two features are, and where they are nearest.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FeatureDistance {
    /// The square of the distance.
    pub squared: f64,
    /// Where the nearest points are. Of a vertex and a face: the weights of the corners of the face. Of two edges: how far
    /// along the first and along the second, from 0 to 1, and 0.
    pub barycentric: [f64; 3],
    /// From the nearest point of the second feature to that of the first; the second is the face, or the second edge.
    pub vector: [f64; 3],
}

impl FeatureDistance {
    /// The distance.
    pub fn distance(&self) -> f64 {
        self.squared.sqrt()
    }
}

/// The distance of a vertex and a face, given as the vertex and the corners of the face. It is that of the point and the
/// closed triangle: the nearest point may lie on an edge or be a corner.
pub fn vertex_face_distance(points: &[[f64; 3]; 4]) -> FeatureDistance {
    vertex_face(*points).into()
}

/// The distance of two edges, given as the ends of the first and of the second. It is that of the closed segments.
pub fn edge_edge_distance(points: &[[f64; 3]; 4]) -> FeatureDistance {
    edge_edge(*points).into()
}

impl From<Apart<f64>> for FeatureDistance {
    fn from(Apart { squared, weights, vector }: Apart<f64>) -> Self {
        Self { squared, barycentric: weights, vector }
    }
}

impl<S: Simd> Apart<f64x4<S>> {
    /// The lanes one by one.
    #[inline(always)]
    pub(super) fn split(self) -> [FeatureDistance; LANES] {
        let (squared, weights, vector): ([f64; LANES], [[f64; LANES]; 3], [[f64; LANES]; 3]) = (
            self.squared.into(),
            [self.weights[0].into(), self.weights[1].into(), self.weights[2].into()],
            [self.vector[0].into(), self.vector[1].into(), self.vector[2].into()],
        );
        let mut split = [FeatureDistance { squared: 0.0, barycentric: [0.0; 3], vector: [0.0; 3] }; LANES];
        for lane in 0..LANES {
            split[lane] = FeatureDistance {
                squared: squared[lane],
                barycentric: [weights[0][lane], weights[1][lane], weights[2][lane]],
                vector: [vector[0][lane], vector[1][lane], vector[2][lane]],
            };
        }
        split
    }
}

/// [`vertex_face_distance`] in lanes.
#[inline(always)]
pub(super) fn vertex_face_lanes<S: Simd>(simd: S, points: &LanePoints) -> Apart<f64x4<S>> {
    vertex_face(loaded(simd, points))
}

/// [`edge_edge_distance`] in lanes.
#[inline(always)]
pub(super) fn edge_edge_lanes<S: Simd>(simd: S, points: &LanePoints) -> Apart<f64x4<S>> {
    edge_edge(loaded(simd, points))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::lanes::{all_simd, dispatch};

    #[test]
    fn lanes_come_to_the_same_bits_as_single_numbers() {
        let mut random = crumple_scenes::Random::new(3);
        for round in 0..20_000 {
            let mut points: LanePoints = Default::default();
            let scale = [1.0, 1e-30, 1e30, 1.0][round % 4];
            for number in points.as_flattened_mut().as_flattened_mut() {
                // Half on a grid, where features are degenerate and parallel.
                *number = scale * if round % 2 == 0 { random.between(-1.0, 1.0) } else { random.integer(-2, 2) as f64 };
            }
            for simd in all_simd() {
                let (faces, edges) = dispatch!(simd, simd => {
                    (vertex_face_lanes(simd, &points).split(), edge_edge_lanes(simd, &points).split())
                });
                for lane in 0..LANES {
                    let of_lane = points.map(|point| point.map(|axis| axis[lane]));
                    assert_eq!(faces[lane], vertex_face_distance(&of_lane));
                    assert_eq!(edges[lane], edge_edge_distance(&of_lane));
                }
            }
        }
    }
}
