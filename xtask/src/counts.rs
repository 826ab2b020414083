//! How many tests passed, failed and were skipped, read from what the programs that run them print.

use std::fmt;
use std::ops::AddAssign;

/// Tests by how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) skipped: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

impl Counts {
    /// What a line of output sums up; nothing if it is any other line.
    ///
    /// ```text
    /// test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.20s    cargo test
    ///      Summary [   2.300s] 10 tests run: 9 passed (1 slow), 1 failed, 0 skipped                     cargo nextest
    /// 1 failed, 125 passed, 1 skipped in 71.16s (0:01:11)                                               pytest
    /// # pass 12                                                                                         node --test
    /// ```
    pub(crate) fn of_line(line: &str) -> Self {
        let line = without_colours(line);
        // Nextest repeats, indented, what a test that failed has printed, and counts it in its own sum.
        if let Some(rest) = line.strip_prefix("test result:") {
            return Self::of_words(rest);
        }
        let line = line.trim();
        if let Some((_, rest)) = line.strip_prefix("Summary [").and_then(|rest| rest.split_once("run:")) {
            return Self::of_words(rest);
        }
        // Between "=" signs unless pytest is quiet.
        let words = line.trim_matches(['=', ' ']);
        if let Some((counts, _)) = words.split_once(" in ").filter(|(_, time)| time.contains('s')) {
            let are_counts = counts.split(", ").all(|part| {
                part.split_once(' ').is_some_and(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()))
            });
            if are_counts && ["passed", "failed", "skipped", "error"].iter().any(|word| counts.contains(word)) {
                return Self::of_words(counts);
            }
        }
        if let Some(rest) = line.strip_prefix("# ").or_else(|| line.strip_prefix("ℹ "))
            && let Some((word, number)) = rest.split_once(' ')
            && let Ok(number) = number.parse()
        {
            return match word {
                "pass" => Self { passed: number, ..Self::default() },
                "fail" => Self { failed: number, ..Self::default() },
                "skipped" => Self { skipped: number, ..Self::default() },
                _ => Self::default(),
            };
        }
        Self::default()
    }

    /// Numbers before the words that say what they count.
    fn of_words(text: &str) -> Self {
        let mut counts = Self::default();
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        for pair in words.windows(2) {
            let Ok(number) = pair[0].parse::<u64>() else { continue };
            match pair[1] {
                "passed" => counts.passed += number,
                "failed" | "error" | "errors" => counts.failed += number,
                "skipped" | "ignored" => counts.skipped += number,
                _ => {}
            }
        }
        counts
    }
}

/// A line without the sequences that colour it.
fn without_colours(line: &str) -> String {
    let mut parts = line.split('\x1b');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    parts.for_each(|part| plain.push_str(part.split_once('m').map_or(part, |(_, rest)| rest)));
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_every_test_program_are_read() {
        for (line, expected) in [
            (
                "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.20s",
                [12, 0, 1],
            ),
            (
                "test result: \x1b[31mFAILED\x1b(B\x1b[m. 5 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out",
                [5, 2, 0],
            ),
            ("     Summary [   2.300s] 10 tests run: 9 passed (1 slow), 1 failed, 4 skipped", [9, 1, 4]),
            (
                "\x1b[32;1m     Summary\x1b[0m [   2.300s] \x1b[1m10\x1b[0m tests run: \x1b[1m10\x1b[0m \x1b[32;1mpassed\x1b[0m, \x1b[1m0\x1b[0m skipped",
                [10, 0, 0],
            ),
            ("    test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 42 filtered out", [0, 0, 0]),
            ("125 passed, 1 skipped in 71.16s (0:01:11)", [125, 0, 1]),
            ("====== 1 failed, 3 passed, 2 errors in 1.20s ======", [3, 3, 0]),
            ("# pass 12", [12, 0, 0]),
            ("ℹ fail 1", [0, 1, 0]),
            ("# duration_ms 61", [0, 0, 0]),
            ("running 12 tests", [0, 0, 0]),
            ("3 files passed in review", [0, 0, 0]),
        ] {
            let found = Counts::of_line(line);
            assert_eq!([found.passed, found.failed, found.skipped], expected, "{line}");
        }
    }
}
