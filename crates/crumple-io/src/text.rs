//! Numbers and words out of text, fast and exact: what the ASCII formats share.
//!
//! A float is read in one pass: up to 19 digits as an integer and a power of ten. Where both are exact in f64 (the
//! integer below 2^53, the power at most 10^22) their product or quotient is the decimal value rounded once, to f64.
//! Rounding that again to f32 gives the same as rounding the decimal value at once, unless the f64 lies exactly halfway
//! between two f32 numbers: halfway points are f64 numbers, so the first rounding cannot step over one. That case,
//! subnormal results and everything unusual go to the standard library, which is exact and slower. Read as f64, the
//! first rounding is the only one.

use crumple::{Coordinate, Precision};

use crate::body::Room;

/// A number as a file is read: `f32` or `f64`.
pub(crate) trait Real:
    Coordinate + Default + Into<f64> + std::ops::Neg<Output = Self> + std::str::FromStr
{
    /// Which of the two it is.
    const PRECISION: Precision;

    /// The nearest such number.
    fn nearest(wide: f64) -> Self;

    /// A decimal value that was rounded to f64 once, rounded to such a number; `None` if rounding twice could differ from
    /// rounding once.
    fn rounded_twice(wide: f64) -> Option<Self>;

    fn from_f32(narrow: f32) -> Self;

    fn is_finite(self) -> bool;

    /// The same memory, as one of the two.
    fn room(positions: &mut [[Self; 3]]) -> Room<'_>;
}

impl Real for f32 {
    const PRECISION: Precision = Precision::F32;

    #[inline]
    fn nearest(wide: f64) -> Self {
        wide as f32
    }

    #[inline]
    fn rounded_twice(wide: f64) -> Option<Self> {
        let halfway = wide.to_bits() & 0x1fff_ffff == 0x1000_0000;
        let subnormal = wide < f64::from(f32::MIN_POSITIVE) && wide != 0.0;
        (!(halfway || subnormal)).then_some(wide as f32)
    }

    #[inline]
    fn from_f32(narrow: f32) -> Self {
        narrow
    }

    fn room(positions: &mut [[Self; 3]]) -> Room<'_> {
        Room::F32(positions)
    }

    #[inline]
    fn is_finite(self) -> bool {
        self.is_finite()
    }
}

impl Real for f64 {
    const PRECISION: Precision = Precision::F64;

    #[inline]
    fn nearest(wide: f64) -> Self {
        wide
    }

    #[inline]
    fn rounded_twice(wide: f64) -> Option<Self> {
        Some(wide)
    }

    #[inline]
    fn from_f32(narrow: f32) -> Self {
        narrow.into()
    }

    fn room(positions: &mut [[Self; 3]]) -> Room<'_> {
        Room::F64(positions)
    }

    #[inline]
    fn is_finite(self) -> bool {
        self.is_finite()
    }
}

/// A position in a text, which moves forward.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a [u8], at: usize) -> Self {
        Cursor { text, at }
    }

    /// The bytes not yet read.
    pub(crate) fn rest(&self) -> &'a [u8] {
        &self.text[self.at..]
    }

    /// Passes over spaces and line ends.
    pub(crate) fn skip_space(&mut self) {
        while self.at < self.text.len() && self.text[self.at].is_ascii_whitespace() {
            self.at += 1;
        }
    }

    /// Passes over spaces but stays on the line.
    pub(crate) fn skip_blanks(&mut self) {
        while matches!(self.text.get(self.at), Some(b' ' | b'\t' | b'\r' | 0x0c)) {
            self.at += 1;
        }
    }

    /// The next word, on this line or a later one; empty at the end of the text.
    pub(crate) fn word(&mut self) -> &'a [u8] {
        self.skip_space();
        let start = self.at;
        while self.at < self.text.len() && !self.text[self.at].is_ascii_whitespace() {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    /// The rest of this line without its end; moves to the next line.
    pub(crate) fn line(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let len = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        self.at = (self.at + len + 1).min(self.text.len());
        rest[..len].strip_suffix(b"\r").unwrap_or(&rest[..len])
    }

    /// As [`Cursor::line`], where lines end in carriage returns alone.
    pub(crate) fn line_before_return(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let len = rest.iter().position(|&b| b == b'\r').unwrap_or(rest.len());
        self.at = (self.at + len + 1).min(self.text.len());
        &rest[..len]
    }

    /// The next word as a whole number. On failure the cursor stays before the word.
    pub(crate) fn integer(&mut self) -> Option<i64> {
        self.skip_space();
        let mut at = self.at;
        let negative = self.text.get(at) == Some(&b'-');
        if negative || self.text.get(at) == Some(&b'+') {
            at += 1;
        }
        let digits = at;
        let mut value = 0_i64;
        while let Some(digit) = self.text.get(at).and_then(|&b| digit(b)) {
            value = value.checked_mul(10)?.checked_add(digit as i64)?;
            at += 1;
        }
        if at == digits || !ends_word(self.text.get(at)) {
            return None;
        }
        self.at = at;
        Some(if negative { -value } else { value })
    }

    /// The next word as a number, rounded once; NaN and infinity are read as such. On failure the cursor stays before
    /// the word.
    pub(crate) fn float<C: Real>(&mut self) -> Option<C> {
        self.skip_space();
        self.float_here()
    }

    /// As [`Cursor::float`], where no space comes before the word.
    pub(crate) fn float_here<C: Real>(&mut self) -> Option<C> {
        let start = self.at;
        if let Some((negative, wide, end)) = simple_float(self.text, start)
            && let Some(value) = C::rounded_twice(wide)
        {
            self.at = end;
            return Some(if negative { -value } else { value });
        }
        let word = self.word();
        let value = std::str::from_utf8(word).ok().and_then(|w| w.parse().ok());
        if value.is_none() {
            self.at = start;
        }
        value
    }

    /// The next word for a message: shortened, and readable whatever its bytes are.
    pub(crate) fn show_word(&self) -> String {
        show(self.clone().word())
    }
}

/// A word for a message: shortened, and readable whatever its bytes are.
pub(crate) fn show(word: &[u8]) -> String {
    if word.is_empty() {
        return "the end of the file".into();
    }
    let short: String = String::from_utf8_lossy(&word[..word.len().min(80)]).chars().take(20).collect();
    let dots = if short.len() < word.len() { "..." } else { "" };
    format!("`{}{dots}`", short.escape_debug())
}

fn ends_word(byte: Option<&u8>) -> bool {
    byte.is_none_or(u8::is_ascii_whitespace)
}

fn digit(byte: u8) -> Option<u64> {
    let value = byte.wrapping_sub(b'0');
    (value < 10).then_some(u64::from(value))
}

/// Powers of ten that f64 holds exactly.
const EXACT_TENS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// Whether the float at `at` is negative, its size rounded to f64 and where it ends, if it is of the common kind the
/// module comment describes.
fn simple_float(text: &[u8], mut at: usize) -> Option<(bool, f64, usize)> {
    let negative = text.get(at) == Some(&b'-');
    if negative || text.get(at) == Some(&b'+') {
        at += 1;
    }
    let mut mantissa = 0_u64;
    let mut digits = 0;
    let mut exponent = 0_i32;
    while let Some(digit) = text.get(at).and_then(|&b| digit(b)) {
        mantissa = mantissa.wrapping_mul(10).wrapping_add(digit);
        digits += 1;
        at += 1;
    }
    if text.get(at) == Some(&b'.') {
        at += 1;
        let point = at;
        while let Some(digit) = text.get(at).and_then(|&b| digit(b)) {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(digit);
            at += 1;
        }
        digits += at - point;
        // Longer than i32 is refused below by the number of digits.
        exponent = -((at - point) as i32);
    }
    // Nineteen digits always fit in u64, so below that nothing has wrapped.
    if digits == 0 || digits > 19 || mantissa >= 1 << 53 {
        return None;
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        at += 1;
        let down = text.get(at) == Some(&b'-');
        if down || text.get(at) == Some(&b'+') {
            at += 1;
        }
        let first = at;
        let mut power = 0_i32;
        while let Some(digit) = text.get(at).and_then(|&b| digit(b)) {
            power = power * 10 + digit as i32;
            at += 1;
            if power > 99 {
                return None;
            }
        }
        if at == first {
            return None;
        }
        exponent += if down { -power } else { power };
    }
    if !ends_word(text.get(at)) || exponent.unsigned_abs() > 22 {
        return None;
    }
    let tens = EXACT_TENS[exponent.unsigned_abs() as usize];
    let wide = if exponent < 0 { mantissa as f64 / tens } else { mantissa as f64 * tens };
    Some((negative, wide, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float(text: &str) -> Option<f32> {
        Cursor::new(text.as_bytes(), 0).float()
    }

    #[test]
    fn floats_are_read_with_the_bits_the_standard_library_gives() {
        let mut random = crumple_scenes::Random::new(1);
        for round in 0..200_000 {
            let value = f32::from_bits(random.bits() as u32);
            if !value.is_finite() {
                continue;
            }
            let text = match round % 4 {
                0 => format!("{value}"),
                1 => format!("{value:e}"),
                2 => format!("{:.9}", f64::from(value) % 1000.0),
                // Exactly halfway between two neighbours, and just beside it.
                _ => {
                    let middle = (f64::from(value) + f64::from(f32::from_bits(value.to_bits() ^ 1))) / 2.0;
                    format!("{:e}", f64::from_bits(middle.to_bits() + random.below(2)))
                }
            };
            let want: f32 = text.parse().unwrap();
            assert_eq!(float(&text).map(f32::to_bits), Some(want.to_bits()), "{text}");
        }
    }

    #[test]
    fn doubles_are_read_with_the_bits_the_standard_library_gives() {
        let mut random = crumple_scenes::Random::new(2);
        for round in 0..200_000 {
            let value = f64::from_bits(random.bits());
            if !value.is_finite() {
                continue;
            }
            let text = match round % 4 {
                0 => format!("{:.9}", value % 1e7),
                1 => format!("{value:e}"),
                2 => format!("{:.12}", value % 1000.0),
                _ => format!("{:.17}", value % 10.0),
            };
            let want: f64 = text.parse().unwrap();
            let read: Option<f64> = Cursor::new(text.as_bytes(), 0).float();
            assert_eq!(read.map(f64::to_bits), Some(want.to_bits()), "{text}");
        }
    }

    #[test]
    fn the_forms_programs_write_are_read() {
        for (text, want) in [
            ("1", 1.0),
            ("+1.5", 1.5),
            ("-.5", -0.5),
            ("5.", 5.0),
            ("1E3", 1000.0),
            ("1.0e-03", 0.001),
            ("16777217.0000000000000000000000000001", 16777218.0),
            ("  \n\t 7 8", 7.0),
            ("1e400", f32::INFINITY),
            ("-inf", f32::NEG_INFINITY),
        ] {
            assert_eq!(float(text), Some(want), "{text}");
        }
        assert!(float("nan").unwrap().is_nan());
        assert!(float("-0").unwrap().is_sign_negative());
        for text in ["", "-", ".", "1e", "1e+", "abc", "1,5", "0x10", "1f", "\u{fffd}"] {
            assert_eq!(float(text), None, "{text}");
        }
    }

    #[test]
    fn whole_numbers_that_do_not_fit_are_refused() {
        let integer = |text: &str| Cursor::new(text.as_bytes(), 0).integer();
        assert_eq!(integer(" -12 "), Some(-12));
        assert_eq!(integer("9223372036854775807"), Some(i64::MAX));
        assert_eq!(integer("9223372036854775808"), None);
        assert_eq!(integer("1.5"), None);
        assert_eq!(integer("-"), None);
    }
}
