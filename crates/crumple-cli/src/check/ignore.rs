//! `--ignore A,B`: bodies that may touch, from names to numbers.

use std::collections::BTreeSet;

use anyhow::Result;
use crumple_io::words::shown;

use crate::output::hinted;

/// Names listed when one is not known; the rest are counted.
const NAMES_LISTED: usize = 20;

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
        let hint = format!("write --ignore A,B; there are {}", listed(names));
        return Err(hinted(format!("--ignore {text}: two names are wanted"), hint));
    };
    let unknown = if find(a).is_none() { a } else { b };
    let what = format!("--ignore {text}: there is no body {}", unknown.trim());
    Err(hinted(what, format!("there are {}", listed(names))))
}

fn listed(names: &[String]) -> String {
    let shown: Vec<_> = names.iter().take(NAMES_LISTED).map(|name| shown(name)).collect();
    match names.len().saturating_sub(NAMES_LISTED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output;

    fn names() -> Vec<String> {
        ["cloth", "body", "left, front", "wheel"].map(str::to_owned).to_vec()
    }

    #[test]
    fn bodies_are_named_in_any_order_and_may_have_commas() {
        let given = ["body,cloth", "wheel, left, front", "cloth,cloth"].map(str::to_owned);
        assert_eq!(pairs(&given, &names()).unwrap(), BTreeSet::from([(0, 1), (2, 3), (0, 0)]));
    }

    #[test]
    fn an_unknown_name_is_refused_with_a_list_of_the_known_ones() {
        let refused = |text: &str| {
            let error = pair(text, &names()).unwrap_err();
            (error.to_string(), output::hint(&error).unwrap_or_default().to_owned())
        };
        let known = "there are cloth, body, left, front, wheel".to_owned();
        let no_body = "--ignore cloth,bdoy: there is no body bdoy".to_owned();
        assert_eq!(refused("cloth,bdoy"), (no_body, known.clone()));
        let no_body = "--ignore clth,body: there is no body clth".to_owned();
        assert_eq!(refused("clth,body"), (no_body, known.clone()));
        let one_name = "--ignore cloth: two names are wanted".to_owned();
        assert_eq!(refused("cloth"), (one_name, format!("write --ignore A,B; {known}")));
        let many: Vec<String> = (0..25).map(|number| format!("b{number}")).collect();
        assert!(listed(&many).ends_with("b18, b19 and 5 more"));
    }
}
