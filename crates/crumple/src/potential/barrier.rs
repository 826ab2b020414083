//! How much energy a distance costs, as a function of its square.

/// The shape of a barrier: what it costs that features are closer than the reach.
///
/// With d the distance, D the thickness and d̂ the reach, a barrier is a function of y = d² − D², which runs from 0, where the
/// surfaces meet, to ŷ = (D + d̂)² − D², beyond which it is 0. Squares of distances have derivatives everywhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Barrier {
    /// −(y − ŷ)² ln(y / ŷ), of Li et al. 2020 (Incremental Potential Contact): infinite where surfaces meet, so that a solver
    /// whose steps end before the first impact never lets them.
    #[default]
    ClampedLog,
    /// 2 (ŷ − y)³ / (3 ŷ), of Ando 2024 (A Cubic Barrier): finite where surfaces meet.
    Cubic,
}

/// A barrier at one distance.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Value {
    pub(super) value: f64,
    pub(super) first: f64,
    pub(super) second: f64,
}

impl Barrier {
    /// The barrier and its derivatives for y. Where it is infinite the derivatives are 0: no step leads out of there.
    pub(super) fn at(self, y: f64, y_hat: f64) -> Value {
        if y >= y_hat {
            return Value::default();
        }
        let below = y - y_hat;
        match self {
            Self::ClampedLog if y > 0.0 => {
                let (log, by) = ((y / y_hat).ln(), below / y);
                Value {
                    value: -below * below * log,
                    first: -below * (2.0 * log + by),
                    second: -2.0 * log - (4.0 - by) * by,
                }
            }
            Self::ClampedLog => Value { value: f64::INFINITY, ..Value::default() },
            Self::Cubic => Value {
                value: -2.0 * below * below * below / (3.0 * y_hat),
                first: -2.0 * below * below / y_hat,
                second: -4.0 * below / y_hat,
            },
        }
    }
}
