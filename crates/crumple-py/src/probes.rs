//! What points and rays find: rows of the tables that `crumple._response` describes to NumPy.

use bytemuck::{Pod, Zeroable};
use crumple::{ClosestPoint, Ray, RayHit};
use pyo3::prelude::*;

use crate::errors::Refusal;

/// A row of `Frame.closest_points`.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Closest {
    distance: f64,
    point: [f64; 3],
    barycentric: [f64; 3],
    triangle: u32,
    /// To a multiple of eight bytes, as NumPy aligns rows.
    unused: u32,
}

impl From<&ClosestPoint> for Closest {
    fn from(found: &ClosestPoint) -> Self {
        let ClosestPoint { distance, point, triangle, barycentric, .. } = *found;
        Self { distance, point, barycentric, triangle: triangle.0, unused: 0 }
    }
}

/// A row of `Frame.cast_rays`.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Hit {
    body: i32,
    triangle: u32,
    t: f64,
    barycentric: [f64; 3],
    normal: [f64; 3],
}

impl Hit {
    /// A hit on a body, or that there is none.
    pub(crate) fn new(found: Option<(u32, RayHit)>) -> Self {
        match found {
            Some((body, RayHit { t, triangle, barycentric, normal })) => {
                Self { body: body as i32, triangle: triangle.0, t, barycentric, normal }
            }
            None => {
                let nowhere = [f64::NAN; 3];
                Self { body: -1, triangle: u32::MAX, t: f64::INFINITY, barycentric: nowhere, normal: nowhere }
            }
        }
    }
}

/// Rays from their origins and directions, of which there must be as many; one of either goes with all of the other.
pub(crate) fn rays(origins: &[[f32; 3]], directions: &[[f32; 3]]) -> PyResult<Vec<Ray>> {
    match (origins, directions) {
        (&[origin], _) => Ok(directions.iter().map(|&direction| Ray::new(origin, direction)).collect()),
        (_, &[direction]) => Ok(origins.iter().map(|&origin| Ray::new(origin, direction)).collect()),
        _ if origins.len() == directions.len() => {
            Ok(origins.iter().zip(directions).map(|(&origin, &direction)| Ray::new(origin, direction)).collect())
        }
        _ => {
            let message = format!(
                "there are {} origins and {} directions, but every ray needs both: give as many, or one for all",
                origins.len(),
                directions.len()
            );
            Err(Refusal::new("PositionsError", message).into())
        }
    }
}
