//! The point of a simplex nearest to the origin.
//!
//! Departs from Gilbert, Johnson & Keerthi 1988, whose sub-algorithm picks the face that holds the nearest point by the
//! signs of determinants, and goes astray when rounding makes these contradict each other. Here every face proposes its
//! own nearest point, as positive weights on its corners, and the nearest proposal wins. A proposal may be inaccurate,
//! but it is always a point of the simplex, so the answer is never too small, and with a corner among the proposals
//! there is always one. Cost: at most 15 proposals.

use glam::DVec3;

/// A point of hull A minus a point of hull B: one corner of the simplex.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Corner {
    pub(super) point: DVec3,
    pub(super) index_a: usize,
    pub(super) index_b: usize,
}

/// Up to four corners and the weights of the point nearest to the origin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Simplex {
    corners: [Corner; 4],
    weights: [f64; 4],
    len: usize,
}

impl Simplex {
    pub(super) fn new(corner: Corner) -> Self {
        Self { corners: [corner; 4], weights: [1.0, 0.0, 0.0, 0.0], len: 1 }
    }

    /// The corners with their weights, which are positive and add up to 1.
    pub(super) fn corners(&self) -> impl Iterator<Item = (&Corner, f64)> {
        self.corners[..self.len].iter().zip(self.weights)
    }

    /// The point nearest to the origin.
    pub(super) fn nearest(&self) -> DVec3 {
        self.corners().map(|(corner, weight)| weight * corner.point).sum()
    }

    /// Whether there is a volume around the nearest point, which then is the origin.
    pub(super) fn is_full(&self) -> bool {
        self.len == 4
    }

    pub(super) fn contains(&self, index_a: usize, index_b: usize) -> bool {
        self.corners().any(|(corner, _)| (corner.index_a, corner.index_b) == (index_a, index_b))
    }

    /// The direction of a triangle's plane, on the side of the triangle as seen from the origin.
    ///
    /// Far more accurate than the nearest point where that is close to the origin and all its digits have cancelled.
    pub(super) fn normal(&self) -> Option<DVec3> {
        let [p, q, r] = [0, 1, 2].map(|i| self.corners[i].point);
        let normal = (q - p).cross(r - p);
        let side = normal.dot(p);
        (self.len == 3 && side != 0.0).then(|| normal * side.signum())
    }

    /// The smallest face of this simplex and one more corner that holds their point nearest to the origin.
    ///
    /// A face with volume is left out where its four weights, rounded, do not give the origin to `full_within`.
    pub(super) fn joined(&self, corner: Corner, full_within: f64) -> Self {
        let mut all = *self;
        all.corners[self.len] = corner;
        all.len += 1;
        let mut best = Self::new(corner);
        let mut best_length = best.nearest().length();
        // Faces by their bits; small ones first, so that of equals the smallest wins.
        let mut faces: [u8; 15] = std::array::from_fn(|i| i as u8 + 1);
        faces.sort_by_key(|face| face.count_ones());
        for face in faces.into_iter().filter(|face| face >> all.len == 0) {
            let mut proposal = Self { len: 0, ..all };
            for i in (0..all.len).filter(|i| face >> i & 1 == 1) {
                proposal.corners[proposal.len] = all.corners[i];
                proposal.len += 1;
            }
            if !proposal.weigh() {
                continue;
            }
            let length = proposal.nearest().length();
            if length < best_length && (!proposal.is_full() || length <= full_within) {
                (best, best_length) = (proposal, length);
            }
        }
        best
    }

    /// Sets the weights of the point nearest to the origin on the line, plane or space through all corners; `false` if
    /// that lies outside the simplex or on its border.
    fn weigh(&mut self) -> bool {
        let [p, q, r, s] = self.corners.map(|corner| corner.point);
        let (to_q, to_r, to_s) = (q - p, r - p, s - p);
        // All measured from p: the origin is seen at −p.
        let others = match self.len {
            1 => [0.0; 3],
            2 => [-p.dot(to_q) / to_q.length_squared(), 0.0, 0.0],
            3 => {
                let normal = to_q.cross(to_r);
                let area = normal.length_squared();
                [(-p).cross(to_r).dot(normal) / area, to_q.cross(-p).dot(normal) / area, 0.0]
            }
            _ => {
                let volume = to_q.dot(to_r.cross(to_s));
                [to_r.cross(to_s), to_s.cross(to_q), to_q.cross(to_r)].map(|normal| normal.dot(-p) / volume)
            }
        };
        self.weights = [1.0 - others.iter().sum::<f64>(), others[0], others[1], others[2]];
        // A flat face divides by zero, and what comes of that is not positive, or not finite.
        self.weights[..self.len].iter().all(|&weight| weight > 0.0 && weight.is_finite())
    }
}
