//! Numbers as error messages show them.
//!
//! The standard library finds the shortest digits that stand for a number and no other. In WebAssembly its code for that takes
//! 22 KB, a fourteenth of the module that finds contacts. A build without the feature `f64`, as that for WebAssembly is, therefore rounds: to 7
//! digits if the number is an f32 number, to 15 otherwise.

use std::fmt;

/// A number in a message.
pub(crate) struct Shown(pub(crate) f64);

/// A position as it was most likely given: an f32 number with the digits of an f32 number.
pub(crate) struct ShownPosition(pub(crate) [f64; 3]);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if cfg!(not(feature = "f64")) { write_rounded(f, self.0) } else { self.0.fmt(f) }
    }
}

impl fmt::Display for ShownPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if cfg!(not(feature = "f64")) {
            let [x, y, z] = self.0.map(Shown);
            return write!(f, "[{x}, {y}, {z}]");
        }
        let mut list = f.debug_list();
        for x in self.0 {
            match x as f32 {
                narrow if f64::from(narrow) == x || x.is_nan() => list.entry(&narrow),
                _ => list.entry(&x),
            };
        }
        list.finish()
    }
}

/// Writes a number with few digits: `1.5`, `-0.001`, `1e-45`, `inf`.
fn write_rounded(f: &mut fmt::Formatter<'_>, x: f64) -> fmt::Result {
    if x.is_nan() {
        return f.write_str("NaN");
    }
    if x < 0.0 {
        f.write_str("-")?;
    }
    let mut scaled = x.abs();
    if scaled == 0.0 || scaled.is_infinite() {
        return f.write_str(if scaled == 0.0 { "0" } else { "inf" });
    }
    // Brought to 7 or 15 digits before the point. The steps round by less than the last digit that is shown, but for numbers of
    // extreme sizes, where it may be off by one.
    let least = if f64::from(x as f32) == x { 1e6 } else { 1e14 };
    let mut power = 0_i32;
    while scaled < least {
        scaled *= 10.0;
        power -= 1;
    }
    while scaled >= 10.0 * least {
        scaled /= 10.0;
        power += 1;
    }
    let mut digits = (scaled + 0.5) as u64;
    while digits.is_multiple_of(10) {
        digits /= 10;
        power += 1;
    }
    match power {
        0..=3 => write!(f, "{}", digits * 10_u64.pow(power as u32)),
        -19..0 => {
            let unit = 10_u64.pow(-power as u32);
            write!(f, "{}.{:0width$}", digits / unit, digits % unit, width = -power as usize)
        }
        _ => write!(f, "{digits}e{power}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Rounded(f64);

    impl fmt::Display for Rounded {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write_rounded(f, self.0)
        }
    }

    #[test]
    fn rounded_numbers_read_as_they_were_written() {
        let texts =
            ["0", "1", "-1.5", "0.001", "1000", "123.4567", "0.1234567", "1e20", "-25e-30", "NaN", "inf", "-inf"];
        for text in texts {
            // As a position, and as a number that only f64 holds.
            assert_eq!(Rounded(f64::from(text.parse::<f32>().unwrap())).to_string(), text);
            assert_eq!(Rounded(text.parse().unwrap()).to_string(), text);
        }
        assert_eq!(Rounded(-0.0).to_string(), "0");
        assert_eq!(Rounded(9.999_999_9).to_string(), "9.9999999");
        assert_eq!(Rounded(f64::from(9.999_999_f32)).to_string(), "9.999999");
    }

    #[test]
    fn rounded_numbers_of_all_sizes_are_right_to_their_digits() {
        for exponent in -1000..1000 {
            let x = 1.7_f64 * 2_f64.powi(exponent);
            let read: f64 = Rounded(x).to_string().parse().unwrap();
            assert!((read - x).abs() <= 1e-13 * x, "{x:e} as {read:e}");
            let narrow = f64::from(x as f32);
            let read: f64 = Rounded(narrow).to_string().parse().unwrap();
            assert!(read == narrow || (read - narrow).abs() <= 1e-6 * narrow, "{narrow:e} as {read:e}");
        }
    }
}
