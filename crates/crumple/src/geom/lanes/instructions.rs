//! Which instructions all searches use: the best that the processor has, or those that `CRUMPLE_SIMD` names.
//!
//! Read once, when first needed. Every search takes its instructions from [`chosen_simd`], so that one variable is enough to run
//! any of them as another machine would; `clippy.toml` refuses other ways to them. Answers are the same at every level.

use std::fmt;
use std::sync::OnceLock;

use super::Instructions;

/// The variable that chooses.
const VARIABLE: &str = "CRUMPLE_SIMD";

/// Whether this build has code for AVX-512: a third of the code of every search, which builds with debug assertions leave out
/// unless the feature `avx512` asks for it. Must be what [`dispatch`](super::dispatch) says.
const HAS_AVX512: bool = cfg!(any(not(debug_assertions), feature = "avx512"));

/// SIMD instructions that the library has code for; see [`simd_level`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SimdLevel {
    /// None: one number after the other. For processors that the library knows no instructions of.
    Fallback,
    /// SSE2, which every x86-64 processor has.
    Sse2,
    /// AVX2 and FMA (x86-64-v3).
    Avx2,
    /// AVX-512 as of Ice Lake.
    Avx512,
    /// Neon of 64-bit ARM.
    Neon,
    /// The 128-bit SIMD of WebAssembly.
    WasmSimd128,
}

impl SimdLevel {
    const ALL: [Self; 6] = [Self::Fallback, Self::Sse2, Self::Avx2, Self::Avx512, Self::Neon, Self::WasmSimd128];

    /// The name by which `CRUMPLE_SIMD` chooses it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fallback => "fallback",
            Self::Sse2 => "sse2",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
            Self::WasmSimd128 => "wasm-simd128",
        }
    }

    /// The levels that this processor can run and this build has code for, from the least to the best.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|level| level.token().is_some())
    }

    /// What stands for its instructions in code; `None` if this processor or this build does not have them.
    #[expect(clippy::disallowed_methods, reason = "here the processor is asked")]
    fn token(self) -> Option<Instructions> {
        let best = Instructions::new();
        #[cfg(target_arch = "x86_64")]
        match self {
            Self::Sse2 => best.as_sse2().map(Instructions::Sse2),
            Self::Avx2 => best.as_avx2().map(Instructions::Avx2),
            Self::Avx512 if HAS_AVX512 => best.as_avx512().map(Instructions::Avx512),
            _ => None,
        }
        // Elsewhere there is one level, fixed when the library is compiled.
        #[cfg(not(target_arch = "x86_64"))]
        (self == Self::of(best)).then_some(best)
    }

    /// The level that code runs at for a token: that of the instructions [`dispatch`](super::dispatch) compiles for.
    #[cfg(not(target_arch = "x86_64"))]
    fn of(level: Instructions) -> Self {
        match () {
            #[cfg(target_arch = "aarch64")]
            _ if level.as_neon().is_some() => Self::Neon,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            _ if level.as_wasm_simd128().is_some() => Self::WasmSimd128,
            _ => {
                let _ = level;
                Self::Fallback
            }
        }
    }
}

impl fmt::Display for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why `CRUMPLE_SIMD` cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "CRUMPLE_SIMD is \"{given}\", but this machine and this build can run {}: name one of them, or unset it",
    listed()
)]
#[non_exhaustive]
pub struct SimdError {
    /// The value of the variable.
    pub given: String,
}

fn listed() -> String {
    SimdLevel::available().map(SimdLevel::name).collect::<Vec<_>>().join(", ")
}

/// The SIMD instructions that all searches of this process use: the best that the processor has, or those that the
/// environment variable `CRUMPLE_SIMD` names (`sse2`, `avx2` or `avx512` on x86-64; see [`SimdLevel::name`]). It is read
/// when the library first needs it, and not again. Answers are the same at every level; only the time they take differs.
///
/// ```
/// // As many tests as there are levels: a program that is started with the variable set runs as a lesser machine would.
/// let level = crumple::simd_level()?;
/// assert!(crumple::SimdLevel::available().any(|available| available == level));
/// # Ok::<(), crumple::SimdError>(())
/// ```
///
/// # Errors
/// If the variable names no level that this machine and this build can run. Searches then use the best one and the first
/// prints a warning to the standard error stream; a program that wants to refuse instead asks here first.
pub fn simd_level() -> Result<SimdLevel, SimdError> {
    choice().0.clone()
}

/// The level at which all searches run.
pub(crate) fn chosen_simd() -> Instructions {
    if cfg!(target_arch = "wasm32") {
        // There is no choice, and code for one would be a part of every module.
        return Instructions::baseline();
    }
    static LEVEL: OnceLock<Instructions> = OnceLock::new();
    *LEVEL.get_or_init(|| {
        let (chosen, level) = choice();
        if let Err(error) = chosen {
            eprintln!("warning: {error}; it is ignored");
        }
        *level
    })
}

type Choice = (Result<SimdLevel, SimdError>, Instructions);

fn choice() -> &'static Choice {
    static CHOICE: OnceLock<Choice> = OnceLock::new();
    CHOICE.get_or_init(|| {
        let given = std::env::var_os(VARIABLE);
        choose(given.map(|given| given.to_string_lossy().into_owned()))
    })
}

fn choose(given: Option<String>) -> Choice {
    #[expect(clippy::disallowed_methods, reason = "here the processor is asked")]
    let best = || {
        SimdLevel::available()
            .last()
            .and_then(|level| Some((level, level.token()?)))
            .unwrap_or_else(|| (SimdLevel::Fallback, Instructions::new()))
    };
    let Some(given) = given.filter(|given| !given.is_empty()) else {
        let (level, token) = best();
        return (Ok(level), token);
    };
    let named = SimdLevel::ALL.into_iter().find(|level| level.name() == given);
    match named.and_then(|level| Some((level, level.token()?))) {
        Some((level, token)) => (Ok(level), token),
        None => (Err(SimdError { given }), best().1),
    }
}

/// Every level that this machine can run, for tests that compare them.
#[cfg(test)]
pub(crate) fn all_simd() -> Vec<Instructions> {
    SimdLevel::available().filter_map(SimdLevel::token).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_of_this_machine_can_be_named_and_no_other() {
        let named = |given: &str| choose(Some(given.to_owned()));
        for level in SimdLevel::available() {
            let (chosen, token) = named(level.name());
            assert_eq!(chosen, Ok(level));
            assert_eq!(format!("{token:?}"), format!("{:?}", level.token().unwrap()));
        }
        let best = SimdLevel::available().last();
        assert_eq!(choose(None).0.ok(), best);
        assert_eq!(named("").0.ok(), best);
        for other in ["sse4", "AVX2", " avx2", "native"] {
            let (refused, token) = named(other);
            let message = refused.unwrap_err().to_string();
            assert!(message.starts_with(&format!("CRUMPLE_SIMD is \"{other}\", but ")), "{message}");
            assert!(message.contains(best.unwrap().name()), "{message}");
            assert_eq!(format!("{token:?}"), format!("{:?}", choose(None).1));
        }
        for missing in SimdLevel::ALL.into_iter().filter(|level| level.token().is_none()) {
            assert_eq!(named(missing.name()).0, Err(SimdError { given: missing.name().to_owned() }));
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn what_runs_is_what_was_named() {
        use crate::geom::lanes::Simd;
        for level in SimdLevel::available() {
            let token = level.token().unwrap();
            let runs = (token.as_avx512().is_some(), token.as_avx2().is_some());
            assert_eq!(runs, (level == SimdLevel::Avx512, level >= SimdLevel::Avx2), "{level}");
            let has_avx512 = dispatch!(token, simd => simd.level().as_avx512().is_some());
            assert_eq!(has_avx512, level == SimdLevel::Avx512, "{level}");
        }
    }
}
