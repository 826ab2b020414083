//! Symmetric matrices made positive semi-definite, so that a Newton step goes downhill.
//!
//! Eigenvalues by Jacobi's rotations: for so few rows as fast as anything else, accurate also for small eigenvalues, and the
//! same on every machine.

/// What becomes of negative eigenvalues of a Hessian.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Projection {
    /// They stay: the exact second derivatives.
    None,
    /// They become 0.
    #[default]
    Clamp,
    /// They become positive.
    Abs,
}

/// More rounds than any matrix takes; six are usual for 12 rows.
const MOST_ROUNDS: usize = 32;

/// The nearest matrix to a symmetric one without negative eigenvalues, or the one with their absolute values.
pub(super) fn project<const N: usize>(matrix: &mut [[f64; N]; N], projection: Projection) {
    if projection == Projection::None {
        return;
    }
    let (mut left, mut vectors) = (*matrix, [[0.0; N]; N]);
    (0..N).for_each(|i| vectors[i][i] = 1.0);
    diagonalise(&mut left, &mut vectors);
    if (0..N).all(|k| left[k][k] >= 0.0) {
        return;
    }
    let values: [f64; N] = std::array::from_fn(|k| {
        let value = left[k][k];
        if projection == Projection::Abs { value.abs() } else { value.max(0.0) }
    });
    for i in 0..N {
        for j in 0..=i {
            let entry = (0..N).map(|k| values[k] * vectors[k][i] * vectors[k][j]).sum();
            (matrix[i][j], matrix[j][i]) = (entry, entry);
        }
    }
}

/// Turns a symmetric matrix until only its diagonal is left; row k of `vectors` is then the eigenvector of entry k.
fn diagonalise<const N: usize>(matrix: &mut [[f64; N]; N], vectors: &mut [[f64; N]; N]) {
    for _ in 0..MOST_ROUNDS {
        let mut largest = 0.0f64;
        for p in 0..N {
            for q in p + 1..N {
                let off = matrix[p][q];
                // Below this it changes no digit of either eigenvalue.
                if off.abs() <= f64::EPSILON * 0.25 * (matrix[p][p] * matrix[q][q]).abs().sqrt() || off == 0.0 {
                    continue;
                }
                largest = largest.max(off.abs());
                let theta = (matrix[q][q] - matrix[p][p]) / (2.0 * off);
                let tangent = theta.signum() / (theta.abs() + theta.hypot(1.0));
                let cosine = 1.0 / tangent.hypot(1.0);
                let sine = tangent * cosine;
                for k in 0..N {
                    let (x, y) = (matrix[k][p], matrix[k][q]);
                    (matrix[k][p], matrix[k][q]) = (cosine * x - sine * y, sine * x + cosine * y);
                }
                for k in 0..N {
                    let (x, y) = (matrix[p][k], matrix[q][k]);
                    (matrix[p][k], matrix[q][k]) = (cosine * x - sine * y, sine * x + cosine * y);
                    let (x, y) = (vectors[p][k], vectors[q][k]);
                    (vectors[p][k], vectors[q][k]) = (cosine * x - sine * y, sine * x + cosine * y);
                }
                (matrix[p][q], matrix[q][p]) = (0.0, 0.0);
            }
        }
        let size = (0..N).map(|k| matrix[k][k].abs()).fold(0.0, f64::max);
        if largest <= f64::EPSILON * 0.25 * size {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A symmetric matrix with the given eigenvalues.
    fn with_eigenvalues(values: &[f64; 5], random: &mut crumple_scenes::Random) -> [[f64; 5]; 5] {
        // Reflections leave eigenvalues as they are.
        let mut matrix = [[0.0; 5]; 5];
        (0..5).for_each(|i| matrix[i][i] = values[i]);
        for _ in 0..4 {
            let v: [f64; 5] = std::array::from_fn(|_| random.between(-1.0, 1.0));
            let by = 2.0 / v.iter().map(|x| x * x).sum::<f64>();
            let reflected = |m: &[[f64; 5]; 5], i: usize, j: usize| {
                m[i][j] - by * v[i] * (0..5).map(|k| v[k] * m[k][j]).sum::<f64>()
            };
            let left: [[f64; 5]; 5] = std::array::from_fn(|i| std::array::from_fn(|j| reflected(&matrix, i, j)));
            let turned: [[f64; 5]; 5] = std::array::from_fn(|i| std::array::from_fn(|j| left[j][i]));
            matrix = std::array::from_fn(|i| std::array::from_fn(|j| reflected(&turned, i, j)));
        }
        matrix
    }

    #[test]
    fn negative_eigenvalues_are_clamped_or_turned_and_the_others_stay() {
        let mut random = crumple_scenes::Random::new(1);
        for round in 0..200 {
            let values: [f64; 5] = std::array::from_fn(|_| random.integer(-3, 3) as f64);
            let seed = random.bits();
            let made = |values: &[f64; 5]| with_eigenvalues(values, &mut crumple_scenes::Random::new(seed));
            for (projection, expected) in [
                (Projection::None, values),
                (Projection::Clamp, values.map(|value| value.max(0.0))),
                (Projection::Abs, values.map(f64::abs)),
            ] {
                let (mut matrix, expected) = (made(&values), made(&expected));
                project(&mut matrix, projection);
                for (x, y) in matrix.as_flattened().iter().zip(expected.as_flattened()) {
                    assert!((x - y).abs() < 1e-13, "round {round}, {projection:?}: {x} and {y}");
                }
            }
        }
    }
}
