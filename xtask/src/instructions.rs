//! `cargo xtask instructions`: counts the instructions of the wide tree's stages under valgrind and compares them with
//! those written down in `results/instructions.csv`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::root;
use crate::step::Call;

/// A count may grow by this part before it is a regression: compilers differ by as much.
const TOLERANCE: f64 = 0.02;

fn stored() -> PathBuf {
    root().join("results").join("instructions.csv")
}

/// Fails if a stage takes more instructions than are written down.
pub(crate) fn compare() -> Result<()> {
    let text = std::fs::read_to_string(stored()).with_context(|| stored().display().to_string())?;
    let before = parsed_csv(&text);
    let mut worse = 0;
    for (name, now) in counted()? {
        let Some(&then) = before.get(&name) else {
            println!("{name:40} {now:>12} new");
            continue;
        };
        let change = now as f64 / then as f64 - 1.0;
        let verdict = if change > TOLERANCE { "worse" } else { "" };
        worse += usize::from(change > TOLERANCE);
        println!("{name:40} {now:>12} {:+7.2} % {verdict}", 100.0 * change);
    }
    if worse > 0 {
        bail!("{worse} of the counts are worse; if that is meant, `cargo xtask instructions --save`");
    }
    Ok(())
}

/// Writes the counts of now down.
pub(crate) fn save() -> Result<()> {
    let mut text = String::from("bench,instructions\n");
    for (name, count) in counted()? {
        println!("{name:40} {count:>12}");
        writeln!(text, "{name},{count}")?;
    }
    std::fs::write(stored(), text).with_context(|| stored().display().to_string())
}

fn counted() -> Result<BTreeMap<String, u64>> {
    if !Call::new("valgrind --version").works() {
        bail!("valgrind is missing; `apt-get install valgrind` brings it");
    }
    if !Call::new("gungraun-runner --version").works() {
        Call::new("cargo install gungraun-runner --version 0.20.0").run()?;
    }
    let target = root().join("target").join("instructions");
    let call = Call::new("cargo bench --quiet --manifest-path instructions/Cargo.toml --target-dir")
        .with_word(target.to_string_lossy());
    let counts = parsed(&call.output()?);
    if counts.is_empty() {
        bail!("the benches printed no counts; repeat them with\n  {call}");
    }
    Ok(counts)
}

/// The counts of what the runner prints: a line with the name of a bench, then one with its instructions.
fn parsed(text: &str) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    let mut name = None;
    for line in text.lines() {
        if let Some(rest) = line.trim().strip_prefix("Instructions:") {
            let digits: String = rest.trim().chars().take_while(char::is_ascii_digit).collect();
            if let (Some(name), Ok(count)) = (name.take(), digits.parse()) {
                counts.insert(name, count);
            }
        } else if !line.starts_with(' ') && line.contains("::") {
            name = line.split_whitespace().next().map(|path| {
                let stage = path.rsplit("::").next().unwrap_or(path);
                let case = line.split_whitespace().nth(1).and_then(|word| word.split(':').next()).unwrap_or("");
                format!("{stage} {case}").trim().to_owned()
            });
        }
    }
    counts
}

fn parsed_csv(text: &str) -> BTreeMap<String, u64> {
    let row = |line: &str| {
        let (name, count) = line.split_once(',')?;
        Some((name.to_owned(), count.parse().ok()?))
    };
    text.lines().filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_found_under_the_names_of_their_benches() {
        let printed = "\
wide_tree::wide_tree::refit few_reached:taken_in(60)
  Instructions:                      130|N/A                  (*********)
  L1 Hits:                           120|N/A                  (*********)
wide_tree::wide_tree::set_positions le1:before(199)
  Instructions:                       17|16                   (+6.250000%) [+1.06250x]
";
        let expected = [("set_positions le1".to_owned(), 17), ("refit few_reached".to_owned(), 130)];
        assert_eq!(parsed(printed), expected.into());
        assert_eq!(
            parsed_csv("bench,instructions\nrefit few_reached,130\n"),
            [("refit few_reached".to_owned(), 130)].into()
        );
    }
}
