//! Cuts polygons into triangles that cover them.
//!
//! Readers cut every polygon as a *fan* around its first corner, which needs no positions: formats may give faces before
//! vertices. Once the positions are there, [`cut_concave`] looks at every fan and replaces those that do not cover their
//! polygon, in place: n corners make n − 2 triangles either way, so the numbers of all other triangles, and the
//! way back to the faces, stay.
//!
//! Seen along the largest axis of the polygon's normal (Newell's sum), triangles of one polygon *cover* it if their edges
//! are the polygon's own, once each, and edges that run both ways; and if no triangle is turned over. The triangles then
//! add up to the winding number of the polygon, which for one that does not cross itself is 1 inside and 0 outside: they
//! overlap nowhere. A fan satisfies the first condition by construction. It stays if all of its triangles turn the same
//! way, which those of a convex polygon do. Other polygons are cut by the `earcut` crate. It computes in rounded numbers
//! and leaves out corners on a straight line, so these are put back, and both conditions are then checked exactly. What
//! fails — a polygon that crosses itself, or has no area — keeps its fan.
//!
//! `earcut` takes quadratic time where rounding has dented a round polygon at every corner, and where very many corners are
//! concave. So a polygon of very many corners is first cut around its first corner, with dents left over; if the triangles fail
//! the check it is cut by a sweep (`sweep`), which takes n log n, and only if those fail it too by `earcut`.
//!
//! Cost: one pass over the polygons; n log n for those of n corners that are cut, and up to n² for those that touch themselves.
//! Held by: the tests below, which add up areas in whole numbers; `tests/files/polygons.rs`.

mod sweep;

use std::cmp::Ordering;

use earcut::Earcut;
use robust::{Coord, orient2d};

use crate::mesh_file::MeshFile;
use crate::text::Real;

/// More corners than this are not cut: the working memory of `earcut` counts in 32 bits.
const MOST_CORNERS: usize = 1 << 24;

/// Polygons of more corners than this are cut around their first corner if that is possible.
const MANY_CORNERS: usize = 256;

/// How many corners that were cut off are put back where not all could be.
const PUT_BACK: usize = 64;

/// Replaces the fans of a mesh that do not cover their polygons; returns whether there were any.
pub(crate) fn cut_concave<C: Real>(mesh: &mut MeshFile<C>) -> bool {
    let Some(face_of_triangle) = &mesh.face_of_triangle else {
        return false;
    };
    let mut cutter = Cutter::default();
    let mut changed = false;
    let mut end = 0;
    for face in face_of_triangle.chunk_by(|a, b| a == b) {
        let start = end;
        end += face.len();
        if face.len() > 1 {
            changed |= cutter.cut(&mesh.positions, &mut mesh.triangles[start..end]);
        }
    }
    changed
}

/// Working memory.
#[derive(Default)]
struct Cutter {
    corners: Vec<u32>,
    /// The corners as they are seen along an axis.
    seen: Vec<[f64; 2]>,
    earcut: Earcut<f64>,
    /// Corners by their number in the polygon, three per triangle.
    numbers: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    edges: Vec<[u32; 2]>,
}

impl Cutter {
    /// Looks at the fan of one polygon and replaces it if it has to be and can be; returns whether it was.
    fn cut<C: Real>(&mut self, positions: &[[C; 3]], fan: &mut [[u32; 3]]) -> bool {
        self.corners.clear();
        self.corners.extend([fan[0][0], fan[0][1]]);
        self.corners.extend(fan.iter().map(|triangle| triangle[2]));
        let corners = self.corners.iter().map(|&corner| positions[corner as usize]);
        let Some([u, v]) = axes_seen(corners.clone()) else {
            return false;
        };
        self.seen.clear();
        self.seen.extend(corners.map(|corner| [corner[u].into(), corner[v].into()]));
        let count = self.seen.len();
        let turns = (1..count - 1).map(|k| self.turn([0, k as u32, k as u32 + 1]));
        if all_alike(turns) || count > MOST_CORNERS {
            return false;
        }
        let is_cut = (count > MANY_CORNERS && (self.cut_around_first() || self.cut_by_sweep())) || self.cut_ears();
        if !is_cut {
            return false;
        }
        for (triangle, numbers) in fan.iter_mut().zip(&self.triangles) {
            *triangle = numbers.map(|number| self.corners[number as usize]);
        }
        true
    }

    /// Which way a triangle of the polygon turns.
    fn turn(&self, triangle: [u32; 3]) -> Ordering {
        let [a, b, c] = triangle.map(|number| {
            let [x, y] = self.seen[number as usize];
            Coord { x, y }
        });
        orient2d(a, b, c).partial_cmp(&0.0).unwrap_or(Ordering::Equal)
    }

    /// Cuts the polygon into `triangles`; returns whether they cover it.
    fn cut_ears(&mut self) -> bool {
        self.earcut.earcut_slice(&self.seen, &[], &mut self.numbers);
        self.triangles.clear();
        // Corners in the order of the polygon: then all triangles turn as the polygon does.
        self.triangles.extend(self.numbers.as_chunks::<3>().0.iter().map(|&triangle| sorted(triangle)));
        self.put_back_corners();
        self.triangles_cover()
    }

    /// Cuts the polygon into `triangles` from top to bottom; returns whether they cover it.
    fn cut_by_sweep(&mut self) -> bool {
        let Some(triangles) = sweep::triangles(&self.seen, self.way()) else { return false };
        self.triangles.clear();
        self.triangles.extend(triangles.into_iter().map(sorted));
        self.triangles_cover()
    }

    /// Cuts off every corner that turns as the polygon does, seen from what is left of the corners before it: where the
    /// first corner sees all others that is the fan. What remains at the end is cut by `earcut`. Returns whether the
    /// triangles cover the polygon.
    fn cut_around_first(&mut self) -> bool {
        let way = self.way();
        self.triangles.clear();
        let mut left: Vec<u32> = Vec::new();
        for corner in 0..self.seen.len() as u32 {
            while let [.., a, b] = left[..]
                && self.turn([a, b, corner]) == way
            {
                self.triangles.push([a, b, corner]);
                left.pop();
            }
            left.push(corner);
        }
        if left.len() > self.seen.len() / 2 {
            return false;
        }
        if left.len() > 2 {
            // What is left may lie on a line, so some of what was cut off last is put back to it.
            for _ in 0..PUT_BACK {
                let Some([before, corner, _]) = self.triangles.pop() else { break };
                let at = left.iter().rposition(|&other| other == before).map_or(left.len(), |at| at + 1);
                left.insert(at, corner);
            }
            let seen = left.iter().map(|&corner| self.seen[corner as usize]).collect();
            let mut rest = Self { seen, ..Self::default() };
            let is_cut = (left.len() > MANY_CORNERS && rest.cut_by_sweep()) || rest.cut_ears();
            if !is_cut {
                return false;
            }
            self.triangles.extend(rest.triangles.iter().map(|triangle| triangle.map(|number| left[number as usize])));
        }
        self.triangles_cover()
    }

    /// Which way the polygon turns, about.
    fn way(&self) -> Ordering {
        let [x, y] = self.seen[0];
        let offsets = self.seen.iter().map(|corner| [corner[0] - x, corner[1] - y]);
        let area: f64 = offsets.clone().zip(offsets.skip(1)).map(|(p, q)| p[0] * q[1] - p[1] * q[0]).sum();
        area.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
    }

    /// Sorts the triangles; returns whether they cover the polygon.
    fn triangles_cover(&mut self) -> bool {
        self.triangles.sort_unstable();
        self.triangles.len() == self.seen.len() - 2
            && self.edges_are_those_of_the_polygon()
            && self.none_is_turned_over()
    }

    /// Puts back corners that no triangle uses: they lie on a straight line with their neighbours or in the same place. A
    /// triangle with an edge that skips such corners is split at the first of them.
    fn put_back_corners(&mut self) {
        let count = self.seen.len();
        if self.triangles.len() == count - 2 {
            return;
        }
        let mut is_used = vec![false; count];
        for &number in self.triangles.as_flattened() {
            is_used[number as usize] = true;
        }
        // For each corner, how many in a row after it are not used.
        let mut unused_after = vec![0; count];
        for k in (0..2 * count - 1).rev() {
            let (k, next) = (k % count, (k + 1) % count);
            unused_after[k] = if is_used[next] { 0 } else { (unused_after[next] + 1_usize).min(count) };
        }
        let mut waiting = std::mem::take(&mut self.triangles);
        while let Some([a, b, c]) = waiting.pop() {
            let skipping = [[a, b, c], [b, c, a], [c, a, b]].into_iter().find(|&[from, to, _]| {
                let unused = unused_after[from as usize];
                unused > 0 && (from as usize + 1 + unused) % count == to as usize
            });
            let Some([from, to, opposite]) = skipping else {
                self.triangles.push(sorted([a, b, c]));
                continue;
            };
            let between = (from + 1) % count as u32;
            unused_after[from as usize] = 0;
            let parts = [[from, between, opposite], [between, to, opposite]];
            let turn = self.turn([from, to, opposite]);
            if parts.iter().all(|&part| self.turn(part) == turn) {
                waiting.extend(parts);
            } else {
                // The corner is at one end of the edge or beyond it: a triangle without area holds it.
                waiting.extend([[from, between, to], [from, to, opposite]]);
            }
        }
    }

    /// Whether every edge either is one of the polygon, once, or runs both ways, once each.
    fn edges_are_those_of_the_polygon(&mut self) -> bool {
        let count = self.seen.len() as u32;
        self.edges.clear();
        self.edges.extend(self.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]));
        self.edges.sort_unstable();
        let has = |edge: [u32; 2]| self.edges.binary_search(&edge).is_ok();
        self.edges.windows(2).all(|pair| pair[0] != pair[1])
            && self.edges.iter().all(|&[from, to]| (from + 1) % count == to || has([to, from]))
            && (0..count).all(|from| has([from, (from + 1) % count]))
    }

    /// Whether all triangles that have an area turn the same way, and some do.
    fn none_is_turned_over(&self) -> bool {
        let turns = self.triangles.iter().map(|&triangle| self.turn(triangle)).filter(|turn| turn.is_ne());
        all_alike(turns)
    }
}

/// Whether all turns are the same one, which is not straight on; also that there are any.
fn all_alike(mut turns: impl Iterator<Item = Ordering>) -> bool {
    turns.next().is_some_and(|first| first.is_ne() && turns.all(|turn| turn == first))
}

fn sorted(mut triangle: [u32; 3]) -> [u32; 3] {
    triangle.sort_unstable();
    triangle
}

/// The two axes that remain when a polygon is seen along the largest one of its normal; `None` if it has no normal.
fn axes_seen<C: Real>(corners: impl Iterator<Item = [C; 3]> + Clone) -> Option<[usize; 2]> {
    let wide = corners.map(|corner| corner.map(Into::<f64>::into));
    let origin = wide.clone().next()?;
    let mut normal = [0.0; 3];
    // Relative to the first corner, or a small polygon far from the origin would be lost in rounding.
    let offsets = wide.map(|corner| [0, 1, 2].map(|axis| corner[axis] - origin[axis]));
    for (p, q) in offsets.clone().zip(offsets.skip(1)) {
        for axis in 0..3 {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            normal[axis] += p[u] * q[v] - p[v] * q[u];
        }
    }
    let size = normal.map(f64::abs);
    let largest = size.iter().copied().fold(0.0, f64::max);
    if !largest.is_finite() || largest == 0.0 {
        return None;
    }
    let axis = size.iter().position(|&size| size == largest)?;
    Some([(axis + 1) % 3, (axis + 2) % 3])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh_file::FaceList;
    use crumple_scenes::Random;

    /// The triangles of one polygon of these corners, in the order of the list, laid into space by `placed`.
    fn cut(corners: &[[i32; 2]], placed: impl Fn([i32; 2]) -> [i32; 3]) -> Vec<[u32; 3]> {
        let mut faces = FaceList::default();
        faces.push(&(0..corners.len() as u32).collect::<Vec<_>>());
        let positions = corners.iter().map(|&corner| placed(corner).map(|x| x as f32)).collect();
        let mut mesh = faces.into_mesh(positions);
        cut_concave(&mut mesh);
        assert_eq!(mesh.face_of_triangle, Some(vec![0; corners.len() - 2]));
        mesh.triangles
    }

    fn flat([x, y]: [i32; 2]) -> [i32; 3] {
        [x, y, 7]
    }

    /// Whether a point that lies on no edge is inside, by counting the edges to its right: twice the coordinates, so that
    /// points between those of the grid are whole.
    fn is_inside(corners: &[[i32; 2]], [x, y]: [i64; 2]) -> bool {
        let mut inside = false;
        for (k, a) in corners.iter().enumerate() {
            let b = corners[(k + 1) % corners.len()];
            let [[ax, ay], [bx, by]] = [*a, b].map(|corner| corner.map(|c| 1000 * i64::from(c)));
            if (ay > y) != (by > y) {
                let side = (bx - ax) * (y - ay) - (x - ax) * (by - ay);
                inside ^= (side > 0) == (by > ay);
            }
        }
        inside
    }

    /// Holds triangles against the polygon at points all over it; the points lie on no line between points of the grid
    /// that is short enough to matter.
    fn assert_covers(corners: &[[i32; 2]], triangles: &[[u32; 3]]) {
        let extent = corners.iter().flatten().map(|c| i64::from(c.abs())).max().unwrap() + 1;
        for x in -extent..extent {
            for y in -extent..extent {
                let point = [1000 * x + 371, 1000 * y + 593];
                let corners_of = |triangle: &[u32; 3]| triangle.map(|corner| corners[corner as usize]);
                let times = triangles.iter().filter(|triangle| is_inside(&corners_of(triangle), point)).count();
                let wanted = usize::from(is_inside(corners, point));
                assert_eq!(times, wanted, "{point:?} of {corners:?}: {triangles:?}");
            }
        }
    }

    fn twice_the_area(corners: &[[i32; 2]]) -> i64 {
        let edges = corners.iter().zip(corners.iter().cycle().skip(1));
        edges.map(|(a, b)| i64::from(a[0]) * i64::from(b[1]) - i64::from(a[1]) * i64::from(b[0])).sum()
    }

    /// A polygon that does not cross itself: a chain to the right and one above it back, on a small grid.
    fn random_polygon(random: &mut Random) -> Vec<[i32; 2]> {
        let width = 2 + random.below(9) as i32;
        let mut corners: Vec<[i32; 2]> = (0..=width).map(|x| [x, -(random.below(4) as i32)]).collect();
        corners.extend((0..=width).rev().map(|x| [x, 1 + random.below(4) as i32]));
        let keep = random.below(3);
        corners.retain(|&[x, _]| x == 0 || x == width || keep > 0 || random.below(3) > 0);
        corners
    }

    /// The triangles that the sweep finds, where they pass the check.
    fn swept(corners: &[[i32; 2]]) -> Option<Vec<[u32; 3]>> {
        let seen = corners.iter().map(|corner| corner.map(f64::from)).collect();
        let mut cutter = Cutter { seen, ..Cutter::default() };
        cutter.cut_by_sweep().then_some(cutter.triangles)
    }

    #[test]
    fn a_sweep_covers_polygons_on_a_grid_whichever_way_they_turn() {
        let mut random = Random::new(11);
        for round in 0..400 {
            let mut corners = random_polygon(&mut random);
            if round % 2 == 0 {
                corners.reverse();
            }
            if round % 3 == 0 {
                corners.iter_mut().for_each(|[x, y]| (*x, *y) = (-*y, *x));
            }
            let triangles = swept(&corners).unwrap_or_else(|| panic!("not covered: {corners:?}"));
            assert_covers(&corners, &triangles);
        }
        assert_eq!(swept(&[[0, 0], [2, 2], [2, 0], [0, 2]]), None);
    }

    #[test]
    fn a_star_and_a_comb_of_thousands_of_corners_are_covered() {
        let star = |k: i32| {
            let angle = f64::from(k) * std::f64::consts::TAU / 6000.0;
            let radius = if k % 2 == 0 { 1e6 } else { 4e5 };
            [(radius * angle.cos()) as i32, (radius * angle.sin()) as i32]
        };
        let comb = |k: i32| if k < 5998 { [-k, (k % 2) * 1000] } else { [-5997 * (5999 - k), -1000] };
        for corners in [(0..6000).map(star).collect::<Vec<_>>(), (0..6000).map(comb).collect()] {
            let area = |triangle: &[u32; 3]| twice_the_area(&triangle.map(|corner| corners[corner as usize])).abs();
            let sum: i64 = swept(&corners).unwrap().iter().map(area).sum();
            assert_eq!(sum, twice_the_area(&corners).abs());
            assert_eq!(cut(&corners, flat).iter().map(area).sum::<i64>(), sum);
        }
    }

    #[test]
    fn an_l_is_covered_wherever_its_corners_begin() {
        let corners = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]];
        for start in 0..6 {
            let mut turned = corners;
            turned.rotate_left(start);
            let triangles = cut(&turned, flat);
            assert_covers(&turned, &triangles);
            turned.reverse();
            assert_covers(&turned, &cut(&turned, flat));
        }
    }

    #[test]
    fn a_convex_polygon_stays_a_fan() {
        let corners = [[0, 0], [3, -1], [5, 0], [6, 3], [3, 5], [0, 4]];
        assert_eq!(cut(&corners, flat), [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]]);
        // Also one that is not, if its first corner sees all of it.
        let arrow = [[1, 1], [0, 4], [-3, -3], [4, 0]];
        assert_eq!(cut(&arrow, flat), [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn random_polygons_are_covered_in_every_plane_and_no_triangle_is_without_area() {
        let mut random = Random::new(19);
        let placings: [fn([i32; 2]) -> [i32; 3]; 4] =
            [flat, |[x, y]| [y, 3, x], |[x, y]| [-2, x, y], |[x, y]| [x, y, 2 * x - 3 * y]];
        for round in 0..4000 {
            let mut corners = random_polygon(&mut random);
            let area = twice_the_area(&corners);
            if corners.len() < 4 || area == 0 {
                continue;
            }
            let start = random.below(corners.len() as u64) as usize;
            corners.rotate_left(start);
            if round % 2 == 0 {
                corners.reverse();
            }
            let triangles = cut(&corners, placings[round % 4]);
            let areas = triangles.iter().map(|t| twice_the_area(&t.map(|corner| corners[corner as usize])));
            let areas: Vec<i64> = areas.collect();
            assert!(areas.iter().all(|&own| own.signum() == areas[0].signum()), "{corners:?}: {triangles:?}");
            assert_eq!(areas.iter().sum::<i64>().abs(), area.abs(), "{corners:?}");
            if round % 8 == 0 {
                assert_covers(&corners, &triangles);
            }
        }
    }

    #[test]
    fn a_round_polygon_dented_by_rounding_is_covered_around_its_first_corner() {
        for count in [2000, 20_000] {
            let corners: Vec<[i32; 2]> = (0..count)
                .map(|k| std::f64::consts::TAU * f64::from(k) / f64::from(count))
                .map(|angle| [(4e6 * angle.cos()) as i32, (4e6 * angle.sin()) as i32])
                .collect();
            let turned_back = corners.windows(3).filter(|three| twice_the_area(three) <= 0).count();
            assert!(turned_back > 0 || count < 20_000, "{count}: {turned_back}");
            for reversed in [false, true] {
                let mut corners = corners.clone();
                if reversed {
                    corners.reverse();
                }
                let triangles = cut(&corners, flat);
                let areas = triangles.iter().map(|t| twice_the_area(&t.map(|corner| corners[corner as usize])));
                let areas: Vec<i64> = areas.collect();
                assert!(areas.iter().all(|&own| own == 0 || own.is_negative() == reversed), "{count}");
                assert_eq!(areas.iter().sum::<i64>(), twice_the_area(&corners), "{count}");
                let at_first = triangles.iter().filter(|triangle| triangle.contains(&0)).count();
                assert!(at_first > corners.len() - 400, "{count}: {at_first}");
            }
        }
    }

    #[test]
    fn a_comb_of_many_corners_is_covered() {
        let teeth = 400;
        let mut corners = vec![[teeth, -3], [0, -3]];
        corners.extend((0..=teeth).map(|k| [k, if k % 2 == 0 { -2 } else { 100 + k % 7 }]));
        let triangles = cut(&corners, flat);
        let areas = triangles.iter().map(|t| twice_the_area(&t.map(|corner| corners[corner as usize])));
        assert!(areas.clone().all(|own| own <= 0));
        assert_eq!(areas.sum::<i64>(), twice_the_area(&corners));
    }

    #[test]
    fn a_polygon_with_a_hole_cut_open_is_covered() {
        // A square with a square hole, joined by one edge that is run along both ways.
        let corners = [[0, 0], [6, 0], [6, 6], [0, 6], [0, 0], [2, 2], [2, 4], [4, 4], [4, 2], [2, 2]];
        let triangles = cut(&corners, flat);
        assert_covers(&corners, &triangles);
        assert_eq!(triangles.len(), 8);
    }

    #[test]
    fn any_list_of_corners_keeps_its_number_of_triangles_and_loses_no_corner() {
        let mut random = Random::new(4);
        for _ in 0..20_000 {
            let count = 4 + random.below(12) as usize;
            let extent = 1 + random.below(5);
            let mut coordinate = || random.below(2 * extent + 1) as i32 - extent as i32;
            let corners: Vec<[i32; 3]> = (0..count).map(|_| [coordinate(), coordinate(), coordinate()]).collect();
            let flat: Vec<[i32; 2]> = (0..count as i32).map(|k| [k, 0]).collect();
            let triangles = cut(&flat, |[k, _]| corners[k as usize]);
            let mut used = triangles.as_flattened().to_vec();
            used.sort_unstable();
            used.dedup();
            assert_eq!((triangles.len(), used.len()), (count - 2, count), "{corners:?}");
        }
    }

    #[test]
    fn numbers_that_are_not_finite_and_the_largest_ones_leave_the_fan() {
        let fan = [[0, 1, 2], [0, 2, 3]];
        for odd in [f32::NAN, f32::INFINITY, f32::MAX, f32::MIN_POSITIVE] {
            for vertex in 0..4 {
                let mut positions = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
                positions[vertex] = [odd; 3];
                let face_of_triangle = Some(vec![0, 0]);
                let mut mesh = MeshFile { positions, triangles: fan.to_vec(), face_of_triangle, ..MeshFile::default() };
                cut_concave(&mut mesh);
                assert_eq!(mesh.triangles.len(), 2);
            }
        }
    }
}
