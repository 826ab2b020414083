//! Features that must keep a distance: when they first come closer than that, conservatively.
//!
//! Conservative advancement (Mirtich 1996; additive CCD in Li et al. 2020 is the same step): if the features are at least
//! D apart at time t, and no two of their points approach each other by more than V per unit of time, they are farther
//! apart than d until t + (D − d) / V. Departs: D is not the computed distance, which is an upper bound, but the width of
//! the gap between the features along the direction of their closest points, with the rounding subtracted: a lower bound
//! that is proven, whatever the search for closest points has done. It is that distance where the search is right.
//!
//! *Rounding.* Let M be the largest coordinate of the eight points and ε = 2^-53. A coordinate at time t,
//! (1 − t) p + t q, is off by at most 4 ε M. Its product with a component of the direction u, at most 1, by 5 ε M; the sum
//! of three by 15 ε M, and 6 ε M more for two additions of numbers up to 3 M; the difference of two such by 42 ε M and
//! another 6 ε M: below 2^-47 M. u has length 1 within 2^-50. [`Motion::gap`] subtracts 2^-46 M and a factor of 2^-48.
//!
//! The answer is conservative: before `lo` they are farther apart than d. At `lo` they are closer than d + `slack`.
//! Cost: some 5 to 30 steps of about 50 ns; [`MOST_STEPS`] at most.

use glam::DVec3;

use crate::exact::{Features, ImpactTime};
use crate::geom::closest::{edge_edge, vertex_face};

/// How much more than d counts as d, as a part of d: without it the last steps would never end.
const SLACK: f64 = 1.0 / 1024.0;

/// After so many steps the features graze each other; the time reached is the answer, with the slack it has.
const MOST_STEPS: usize = 256;

/// Four points that move linearly, the first `split` of them one feature, the others the other one.
pub(super) struct Motion {
    start: [DVec3; 4],
    end: [DVec3; 4],
    split: usize,
}

/// When features come too close, and how much farther apart than asked for they may still be then.
pub(super) struct TooClose {
    pub(super) time: ImpactTime,
    pub(super) slack: f64,
}

impl From<TooClose> for (ImpactTime, f64) {
    fn from(TooClose { time, slack }: TooClose) -> Self {
        (time, slack)
    }
}

impl Motion {
    pub(super) fn new(features: Features, start: &[[f64; 3]; 4], end: &[[f64; 3]; 4]) -> Self {
        let split = match features {
            Features::VertexFace => 1,
            Features::EdgeEdge => 2,
        };
        Self { start: start.map(DVec3::from_array), end: end.map(DVec3::from_array), split }
    }

    /// The first time at which the features come closer than `distance`; `None` if they never do. They are known to be
    /// farther apart before `entry`.
    pub(super) fn too_close(&self, distance: f64, entry: f64) -> Option<TooClose> {
        let speed = self.approach();
        let mut time = entry;
        for _ in 0..MOST_STEPS {
            let (gap, apart) = self.gap(time);
            if apart <= distance * (1.0 + SLACK) || gap <= distance {
                return Some(TooClose { time: on_grid(time), slack: (apart - distance).max(0.0) });
            }
            // Divided by a speed of 0 this is infinite: they stay as they are.
            time += (gap - distance) / speed * (1.0 - 2f64.powi(-40));
            if time > 1.0 {
                return None;
            }
        }
        let (_, apart) = self.gap(time);
        Some(TooClose { time: on_grid(time), slack: (apart - distance).max(0.0) })
    }

    /// Bounds how much closer two points of the two features can come per unit of time.
    fn approach(&self) -> f64 {
        let displacement = |i: usize| self.end[i] - self.start[i];
        let pairs = (0..self.split).flat_map(|i| (self.split..4).map(move |j| (i, j)));
        // Relative motion is linear over each feature, so the fastest of its points are corners.
        let fastest = pairs.map(|(i, j)| (displacement(i) - displacement(j)).length()).fold(0.0, f64::max);
        fastest * (1.0 + 2f64.powi(-48))
    }

    /// A lower and an upper bound of the distance at a time.
    fn gap(&self, time: f64) -> (f64, f64) {
        let at: [DVec3; 4] = std::array::from_fn(|i| self.start[i] * (1.0 - time) + self.end[i] * time);
        let at_f64 = at.map(|p| p.to_array());
        let nearest = if self.split == 1 { vertex_face(at_f64) } else { edge_edge(at_f64) };
        // From the first feature to the second.
        let between = -DVec3::from_array(nearest.vector);
        let largest = self.start.iter().chain(&self.end).map(|p| p.abs().max_element()).fold(0.0, f64::max);
        let rounding = 2f64.powi(-46) * largest;
        let apart = between.length() * (1.0 + 2f64.powi(-48)) + rounding;
        let Some(along) = between.try_normalize() else { return (0.0, apart) };
        let far_end = at[..self.split].iter().map(|p| p.dot(along)).fold(f64::NEG_INFINITY, f64::max);
        let near_end = at[self.split..].iter().map(|p| p.dot(along)).fold(f64::INFINITY, f64::min);
        (((near_end - far_end) * (1.0 - 2f64.powi(-48)) - rounding).max(0.0), apart)
    }
}

/// A time rounded down and up to multiples of 2^-32.
fn on_grid(time: f64) -> ImpactTime {
    let unit = 2f64.powi(32);
    ImpactTime { lo: (time * unit).floor() / unit, hi: (time * unit).ceil().min(unit) / unit }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crumple_scenes::Random;

    /// Numbers between −1 and 1, some of them equal or on a grid.
    fn points(random: &mut Random, grid: bool) -> [[f64; 3]; 4] {
        let mut next = || {
            let x = random.between(-1.0, 1.0);
            if grid { (x * 2.0).round() / 2.0 } else { x }
        };
        [(); 4].map(|()| [next(), next(), next()])
    }

    #[test]
    fn features_stay_farther_apart_than_asked_until_the_time_that_is_found() {
        let mut random = Random::new(5);
        let (mut found, mut never, mut grazing) = (0, 0, 0);
        for round in 0..4000 {
            let (start, end) = (points(&mut random, round % 3 == 0), points(&mut random, round % 3 == 0));
            for motion in [Features::VertexFace, Features::EdgeEdge].map(|features| Motion::new(features, &start, &end))
            {
                let distance = 0.05;
                let answer = motion.too_close(distance, 0.0);
                let until = answer.as_ref().map_or(1.0, |answer| answer.time.lo);
                // From the start they may be too close: then there is nothing before.
                for k in (0..=50).filter(|_| until > 0.0) {
                    let (_, apart) = motion.gap(until * f64::from(k) / 50.0 * 0.999_999);
                    assert!(apart > distance, "{apart} before {until}");
                }
                match answer {
                    Some(answer) => {
                        let (gap, _) = motion.gap(answer.time.lo);
                        assert!(gap <= distance + answer.slack + 1e-9, "{gap} {}", answer.slack);
                        // More only where the steps ran out.
                        grazing += usize::from(answer.slack > 1.01 * SLACK * distance);
                        assert!(answer.slack <= 0.1 * distance, "{}", answer.slack);
                        found += 1;
                    }
                    None => never += 1,
                }
            }
        }
        assert!(found > 500 && never > 500 && grazing < found / 50, "{found} {never} {grazing}");
    }

    #[test]
    fn features_at_rest_are_too_close_from_the_start_or_never() {
        let rest = [[0.25, 0.25, 0.1], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let motion = Motion::new(Features::VertexFace, &rest, &rest);
        assert!(motion.too_close(0.05, 0.0).is_none());
        let answer = motion.too_close(0.2, 0.0).unwrap();
        assert_eq!((answer.time.lo, answer.time.hi, answer.slack), (0.0, 0.0, 0.0));
    }
}
