//! Numbers as people read them, the same in the terminal, on the page and in plots.

/// A count with a comma between thousands: `20,480`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A count and what is counted, in the singular or plural: `1 body`, `2 bodies`.
pub fn counted(number: u64, thing: &str) -> String {
    match (number, thing.strip_suffix('y')) {
        (1, _) => format!("1 {thing}"),
        (_, Some(stem)) => format!("{} {stem}ies", count(number)),
        (_, None) => format!("{} {thing}s", count(number)),
    }
}

/// A time given in microseconds, in us, ms or s, to three digits: `1.04 ms`.
pub fn time(us: f64) -> String {
    let (value, unit) = match us {
        us if us >= 1e6 => (us / 1e6, "s"),
        us if us >= 1e3 => (us / 1e3, "ms"),
        us => (us, "us"),
    };
    format!("{} {unit}", digits(value))
}

/// A ratio, to three digits: `2.50x`.
pub fn ratio(value: f64) -> String {
    format!("{}x", digits(value))
}

/// A number without a unit, to three digits.
pub fn number(value: f64) -> String {
    digits(value)
}

/// A length, area or volume in the unit of the file, to `digits` significant digits.
pub fn size(value: f64, digits: usize) -> String {
    // That of the rounded number: 0.99999999 to three digits is 1.00.
    let rounded = format!("{value:.*e}", digits.saturating_sub(1));
    let exponent = rounded.rsplit_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    match (value, exponent) {
        (0.0, _) => "0".into(),
        (_, -4..=6) => format!("{value:.*}", (digits as i32 - 1 - exponent).max(0) as usize),
        _ => rounded,
    }
}

/// A length in the unit of the file, to `digits` significant digits; of files in metres in millimetres.
pub fn length(value: f64, digits: usize, unit: Option<&str>) -> String {
    if unit == Some("m") { format!("{} mm", size(1e3 * value, digits)) } else { size(value, digits) }
}

/// An area, likewise.
pub fn area(value: f64, digits: usize, unit: Option<&str>) -> String {
    if unit == Some("m") { format!("{} mm²", size(1e6 * value, digits)) } else { size(value, digits) }
}

/// A number of bytes, in units of 1024, to three digits: `1.50 GB`.
pub fn bytes(count: u64) -> String {
    let units = ["kB", "MB", "GB", "TB", "PB", "EB"];
    let mut value = count as f64;
    let mut unit = "bytes";
    for larger in units {
        if value < 1000.0 {
            break;
        }
        (value, unit) = (value / 1024.0, larger);
    }
    if unit == "bytes" { format!("{count} {unit}") } else { format!("{} {unit}", digits(value)) }
}

/// A number to three digits, more if they are before the point.
fn digits(value: f64) -> String {
    match value {
        v if v >= 99.95 => format!("{v:.0}"),
        v if v >= 9.995 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!([0, 999, 1000, 20480, 1234567].map(count), ["0", "999", "1,000", "20,480", "1,234,567"]);
        assert_eq!([0.5, 12.0, 104.0, 999.0].map(time), ["0.50 us", "12.0 us", "104 us", "999 us"]);
        assert_eq!([1_040.0, 99_970.0, 2.5e6].map(time), ["1.04 ms", "100 ms", "2.50 s"]);
        assert_eq!([0.0, 0.012345678, 123.45678, -2.5].map(|x| size(x, 5)), ["0", "0.012346", "123.46", "-2.5000"]);
        assert_eq!([1.5e-5, 2.25e8].map(|x| size(x, 3)), ["1.50e-5", "2.25e8"]);
        // Rounding may add a digit before the point.
        assert_eq!([0.99999, 9.9999, 9.9999e6, 9.9999e-5].map(|x| size(x, 3)), ["1.00", "10.0", "1.00e7", "0.000100"]);
        assert_eq!([17, 2048, 3 << 29].map(bytes), ["17 bytes", "2.00 kB", "1.50 GB"]);
        assert_eq!([counted(1, "body"), counted(2, "body"), counted(0, "pair")], ["1 body", "2 bodies", "0 pairs"]);
    }
}
