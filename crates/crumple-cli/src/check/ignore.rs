//! `--ignore A,B`: bodies that may touch, from names to numbers.

use std::collections::BTreeSet;

use anyhow::Result;

use crate::out::hinted;

/// Names told when one is not known; the rest are counted.
const NAMES_TOLD: usize = 20;

/// The bodies meant by each `A,B`, the smaller number first.
pub(super) fn pairs(given: &[String], names: &[String]) -> Result<BTreeSet<(u32, u32)>> {
    given.iter().map(|text| pair(text, names)).collect()
}

fn pair(text: &str, names: &[String]) -> Result<(u32, u32)> {
    let find = |name: &str| names.iter().position(|other| other == name.trim()).map(|at| at as u32);
    // Names may hold commas too: every one of them may be the one between.
    for (at, _) in text.match_indices(',') {
        if let (Some(a), Some(b)) = (find(&text[..at]), find(&text[at + 1..])) {
            return Ok((a.min(b), a.max(b)));
        }
    }
    let Some((a, b)) = text.split_once(',') else {
        let hint = format!("write --ignore A,B; there are {}", told(names));
        return Err(hinted(format!("--ignore {text}: two names are wanted"), hint));
    };
    let unknown = if find(a).is_none() { a } else { b };
    let what = format!("--ignore {text}: there is no body {}", unknown.trim());
    Err(hinted(what, format!("there are {}", told(names))))
}

fn told(names: &[String]) -> String {
    let shown: Vec<&str> = names.iter().take(NAMES_TOLD).map(String::as_str).collect();
    match names.len().saturating_sub(NAMES_TOLD) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::out;

    fn names() -> Vec<String> {
        ["cloth", "body", "left, front", "wheel"].map(str::to_owned).to_vec()
    }

    #[test]
    fn bodies_are_named_in_any_order_and_may_have_commas() {
        let given = ["body,cloth", "wheel, left, front", "cloth,cloth"].map(str::to_owned);
        assert_eq!(pairs(&given, &names()).unwrap(), BTreeSet::from([(0, 1), (2, 3), (0, 0)]));
    }

    #[test]
    fn a_name_that_is_not_there_is_told_with_those_that_are() {
        let refused = |text: &str| {
            let error = pair(text, &names()).unwrap_err();
            (error.to_string(), out::hint(&error).unwrap_or_default().to_owned())
        };
        let told_names = "there are cloth, body, left, front, wheel".to_owned();
        let no_body = "--ignore cloth,bdoy: there is no body bdoy".to_owned();
        assert_eq!(refused("cloth,bdoy"), (no_body, told_names.clone()));
        let no_body = "--ignore clth,body: there is no body clth".to_owned();
        assert_eq!(refused("clth,body"), (no_body, told_names.clone()));
        let one_name = "--ignore cloth: two names are wanted".to_owned();
        assert_eq!(refused("cloth"), (one_name, format!("write --ignore A,B; {told_names}")));
        let many: Vec<String> = (0..25).map(|number| format!("b{number}")).collect();
        assert!(told(&many).ends_with("b18, b19 and 5 more"));
    }
}
