//! Energy, gradient and Hessian of one stencil.
//!
//! The squared distance D of two features is the least |r|², r = Σ wᵢ(β) xᵢ, over the parameters β that say where on them the
//! points are: none for two vertices, one for a vertex and an edge, two for a face or two edges. r is linear in β, with ∂r/∂βₖ =
//! tₖ = Σ cᵢₖ xᵢ; at the nearest points r is perpendicular to every tₖ. So, with w the weights there and G = TᵀT,
//!
//! ```text
//! ∇D  = 2 w ⊗ r
//! ∇²D = 2 (w wᵀ) ⊗ I − 2 Σ (G⁻¹)ₖₗ Aₖ Aₗᵀ,   Aₖ = w ⊗ tₖ + cₖ ⊗ r,
//! ```
//!
//! one formula for all kinds of stencils, without a case distinction. With the barrier b(D) the Hessian is b'' ∇D ∇Dᵀ + b' ∇²D =
//! B M Bᵀ: B has the columns w ⊗ x, w ⊗ y, w ⊗ z and Aₖ, and M is 5 × 5 at most. Its eigenvalues are those of R M Rᵀ, where B =
//! Q R; so making it positive semi-definite takes a matrix of 5 rows in place of 12.
//!
//! Two edges that are nearly parallel are mollified (Li et al. 2020, equation 24): their part is multiplied by m = (2 − c/ε) c/ε, c
//! being the squared length of the cross product of the edges, where c < ε; ε is a thousandth of the product of their squared
//! lengths at rest. The distance of parallel edges has no derivative; m is 0 there.

use super::barrier::Value;
use super::definite::{Projection, project};
use super::stencil::Stencil;
use crate::geom::lanes::Vec3Ops;

/// Three numbers for each of four vertices.
pub(super) type Local = [f64; 12];
pub(super) type Block = [[f64; 12]; 12];

/// A stencil with where its vertices are.
pub(super) struct At<'a> {
    pub(super) stencil: &'a Stencil,
    pub(super) points: [[f64; 3]; 4],
}

/// The most parameters.
const MOST: usize = 2;

/// How the nearest points move along the features.
struct Slide {
    /// How the weights change.
    by: [f64; 4],
    /// How r changes.
    along: [f64; 3],
}

impl At<'_> {
    /// The vector between the nearest points.
    pub(super) fn vector(&self) -> [f64; 3] {
        // From the first vertex on, since the weights add up to 0: differences of points that are near are exact.
        let [from, rest @ ..] = self.points;
        let [_, weights @ ..] = self.stencil.weights;
        let [x, y, z] = [0, 1, 2].map(|k| rest[k].minus(from).times(weights[k]));
        x.plus(y).plus(z)
    }

    /// How much the part of the stencil is made smaller, with its derivatives for the squared cross product.
    fn mollifier(&self) -> Option<(Value, [[f64; 3]; 2])> {
        if !self.stencil.is_mollified() {
            return None;
        }
        let [p, q, r, s] = self.points;
        let (d, e) = (q.minus(p), s.minus(r));
        let across = d.cross(e);
        let (by, by_one) = (across.dot(across) / self.stencil.threshold, 1.0 / self.stencil.threshold);
        (by < 1.0).then(|| {
            let m = Value { value: (2.0 - by) * by, first: 2.0 * (1.0 - by) * by_one, second: -2.0 * by_one * by_one };
            (m, [d, e])
        })
    }

    pub(super) fn energy(&self, barrier: &Value) -> f64 {
        barrier.value * self.mollifier().map_or(1.0, |(m, _)| m.value)
    }

    pub(super) fn gradient(&self, barrier: &Value) -> Local {
        let of_distance = self.gradient_of_distance();
        match self.mollifier() {
            None => of_distance.map(|x| barrier.first * x),
            Some((m, edges)) => {
                let of_m = gradient_of_cross(edges).map(|x| m.first * x);
                std::array::from_fn(|i| finite(barrier.value) * of_m[i] + m.value * barrier.first * of_distance[i])
            }
        }
    }

    pub(super) fn hessian(&self, barrier: &Value, projection: Projection) -> Block {
        let Some((m, edges)) = self.mollifier() else { return self.of_distance(barrier, projection) };
        let (value, first) = (finite(barrier.value), barrier.first);
        let mut block = self.of_distance(
            &Value { value: 0.0, first: m.value * first, second: m.value * barrier.second },
            Projection::None,
        );
        let (of_c, of_d) = (gradient_of_cross(edges), self.gradient_of_distance());
        let second_of_c = hessian_of_cross(edges);
        for i in 0..12 {
            for j in 0..12 {
                block[i][j] += value * (m.second * of_c[i] * of_c[j] + m.first * second_of_c[i][j])
                    + m.first * first * (of_c[i] * of_d[j] + of_d[i] * of_c[j]);
            }
        }
        project(&mut block, projection);
        block
    }

    fn gradient_of_distance(&self) -> Local {
        let r = self.vector();
        std::array::from_fn(|i| 2.0 * self.stencil.weights[i / 3] * r[i % 3])
    }

    /// How the nearest points slide: on each side, its first vertex with a weight against each other one.
    fn slides(&self) -> ([Slide; MOST], usize) {
        let weights = &self.stencil.weights;
        let mut slides = [const { Slide { by: [0.0; 4], along: [0.0; 3] } }; MOST];
        let mut count = 0;
        for is_of_side in [|weight: f64| weight > 0.0, |weight: f64| weight < 0.0] {
            let mut of_side = (0..4).filter(|&k| is_of_side(weights[k]));
            let Some(first) = of_side.next() else { continue };
            for other in of_side {
                if count < MOST {
                    slides[count].by[first] = -1.0;
                    slides[count].by[other] = 1.0;
                    slides[count].along = self.points[other].minus(self.points[first]);
                    count += 1;
                }
            }
        }
        (slides, count)
    }

    /// b'' ∇D ∇Dᵀ + b' ∇²D.
    fn of_distance(&self, barrier: &Value, projection: Projection) -> Block {
        let (w, r) = (&self.stencil.weights, self.vector());
        let (slides, count) = self.slides();
        let inverse = inverse(&slides, count);
        // M, and the columns of B.
        let mut small = [[0.0; 5]; 5];
        for i in 0..3 {
            for j in 0..3 {
                small[i][j] = 4.0 * barrier.second * r[i] * r[j] + if i == j { 2.0 * barrier.first } else { 0.0 };
            }
        }
        for k in 0..count {
            for l in 0..count {
                small[3 + k][3 + l] = -2.0 * barrier.first * inverse[k][l];
            }
        }
        let mut columns = [[0.0; 12]; 5];
        for axis in 0..3 {
            (0..4).for_each(|point| columns[axis][3 * point + axis] = w[point]);
        }
        for (column, Slide { by, along }) in columns[3..].iter_mut().zip(&slides).take(count) {
            *column = std::array::from_fn(|i| w[i / 3] * along[i % 3] + by[i / 3] * r[i % 3]);
        }
        if projection != Projection::None {
            let upper = orthonormalise(&mut columns);
            small = product(&product(&upper, &small), &transposed(&upper));
            project(&mut small, projection);
        }
        let mut block = [[0.0; 12]; 12];
        for (k, row) in small.iter().enumerate() {
            let combined: Local =
                std::array::from_fn(|j| row.iter().zip(&columns).map(|(&entry, column)| entry * column[j]).sum());
            for (i, &x) in columns[k].iter().enumerate().filter(|&(_, &x)| x != 0.0) {
                (0..12).for_each(|j| block[i][j] += x * combined[j]);
            }
        }
        block
    }
}

/// An infinite energy has no direction.
fn finite(x: f64) -> f64 {
    if x.is_finite() { x } else { 0.0 }
}

/// The inverse of G. If the nearest points slide along each other, as on parallel edges, the second counts as held.
fn inverse(slides: &[Slide; MOST], count: usize) -> [[f64; MOST]; MOST] {
    let entry = |k: usize, l: usize| slides[k].along.dot(slides[l].along);
    let (a, b, c) = (entry(0, 0), entry(0, 1), entry(1, 1));
    let determinant = a * c - b * b;
    if count == 2 && determinant > 1e-20 * a * c {
        return [[c / determinant, -b / determinant], [-b / determinant, a / determinant]];
    }
    let one = if count > 0 && a > 0.0 { 1.0 / a } else { 0.0 };
    [[one, 0.0], [0.0, 0.0]]
}

/// Makes columns perpendicular to each other and of length 1; returns what they are multiplied by to be as they were.
fn orthonormalise(columns: &mut [[f64; 12]; 5]) -> [[f64; 5]; 5] {
    let mut upper = [[0.0; 5]; 5];
    for k in 0..5 {
        let (done, rest) = columns.split_at_mut(k);
        let column = &mut rest[0];
        let before = norm(column);
        // Twice, since the first time leaves rounding of what was taken away.
        for _ in 0..2 {
            for (l, done) in done.iter().enumerate() {
                let part: f64 = column.iter().zip(done).map(|(x, y)| x * y).sum();
                upper[l][k] += part;
                column.iter_mut().zip(done).for_each(|(x, y)| *x -= part * y);
            }
        }
        let length = norm(column);
        if length > 1e-14 * before {
            upper[k][k] = length;
            column.iter_mut().for_each(|x| *x /= length);
        } else {
            *column = [0.0; 12];
        }
    }
    upper
}

fn norm(column: &Local) -> f64 {
    column.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn product(a: &[[f64; 5]; 5], b: &[[f64; 5]; 5]) -> [[f64; 5]; 5] {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..5).map(|k| a[i][k] * b[k][j]).sum()))
}

fn transposed(a: &[[f64; 5]; 5]) -> [[f64; 5]; 5] {
    std::array::from_fn(|i| std::array::from_fn(|j| a[j][i]))
}

/// Which vertices of two edges end them, with the sign that their edge has them by.
const ENDS: [(usize, f64); 4] = [(0, -1.0), (0, 1.0), (1, -1.0), (1, 1.0)];

/// The gradient of |d × e|² for the ends of both edges.
fn gradient_of_cross([d, e]: [[f64; 3]; 2]) -> Local {
    let between = d.dot(e);
    let of = [d.times(e.dot(e)).minus(e.times(between)), e.times(d.dot(d)).minus(d.times(between))];
    std::array::from_fn(|i| {
        let (edge, sign) = ENDS[i / 3];
        2.0 * sign * of[edge][i % 3]
    })
}

/// The second derivatives of |d × e|² = |d|² |e|² − (d · e)².
fn hessian_of_cross([d, e]: [[f64; 3]; 2]) -> Block {
    let (dd, ee, de) = (d.dot(d), e.dot(e), d.dot(e));
    let entry = |edges: (usize, usize), i: usize, j: usize| {
        let same = |x: f64| if i == j { x } else { 0.0 };
        2.0 * match edges {
            (0, 0) => same(ee) - e[i] * e[j],
            (1, 1) => same(dd) - d[i] * d[j],
            (0, 1) => 2.0 * d[i] * e[j] - e[i] * d[j] - same(de),
            _ => 2.0 * e[i] * d[j] - d[i] * e[j] - same(de),
        }
    };
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let ((edge_i, sign_i), (edge_j, sign_j)) = (ENDS[i / 3], ENDS[j / 3]);
            sign_i * sign_j * entry((edge_i, edge_j), i % 3, j % 3)
        })
    })
}
