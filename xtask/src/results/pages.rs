//! Figures in the text of a page, filled in from measurements.
//!
//! A template is a comment, and what follows it up to `<!-- end -->` is the same text with every `{question}` replaced by
//! its answer ([`super::measured`] says which questions there are):
//!
//! ```text
//! <!-- template
//! | hybrid-tree, median | {LE1; hybrid-tree; median} |
//! -->
//! | hybrid-tree, median | 431 us |
//! <!-- end -->
//! ```

use anyhow::{Context, Result};

const START: &str = "<!-- template\n";
const MIDDLE: &str = "-->\n";
const END: &str = "<!-- end -->";

/// The folder of results that a page shows: that of its line `<!-- results: FOLDER -->`.
pub(super) fn folder(page: &str) -> Option<&str> {
    page.lines().find_map(|line| Some(line.strip_prefix("<!-- results: ")?.strip_suffix(" -->")?.trim()))
}

/// The page with what follows each template made anew.
pub(super) fn fill(page: &str, answer: impl Fn(&str) -> Result<String>) -> Result<String> {
    let mut filled = String::with_capacity(page.len());
    let mut rest = page;
    while let Some(start) = rest.find(START) {
        let template_start = start + START.len();
        let line = page[..page.len() - rest.len() + start].lines().count() + 1;
        let parts = || {
            let length = rest[template_start..].find(MIDDLE)?;
            let filled_start = template_start + length + MIDDLE.len();
            let end = filled_start + rest[filled_start..].find(END)?;
            Some((template_start + length, filled_start, end))
        };
        let (template_end, filled_start, end) =
            parts().with_context(|| format!("line {line}: a template without an end"))?;
        filled.push_str(&rest[..filled_start]);
        let template = &rest[template_start..template_end];
        filled.push_str(&answered(template, &answer).with_context(|| format!("the template in line {line}"))?);
        filled.push_str(END);
        rest = &rest[end + END.len()..];
    }
    filled.push_str(rest);
    Ok(filled)
}

fn answered(template: &str, answer: &impl Fn(&str) -> Result<String>) -> Result<String> {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (question, after) = after.split_once('}').context("a question without an end")?;
        text.push_str(before);
        text.push_str(&answer(question).with_context(|| format!("{{{question}}}"))?);
        rest = after;
    }
    text.push_str(rest);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_a_template_is_replaced_and_the_rest_stays() {
        let page = "before\n<!-- template\n| {a} | {b; c} |\n-->\n| old |\n<!-- end -->\nbetween\n\
                    <!-- template\nx\n-->\n<!-- end -->\nafter\n";
        let filled = fill(page, |question| Ok(format!("<{question}>"))).unwrap();
        let expected = "before\n<!-- template\n| {a} | {b; c} |\n-->\n| <a> | <b; c> |\n<!-- end -->\nbetween\n\
                        <!-- template\nx\n-->\nx\n<!-- end -->\nafter\n";
        assert_eq!(filled, expected);
        assert_eq!(fill(&filled, |question| Ok(format!("<{question}>"))).unwrap(), filled);
    }

    #[test]
    fn a_question_without_an_answer_is_named_with_its_line() {
        let page = "first\n<!-- template\n{what}\n-->\n<!-- end -->\n";
        let error = fill(page, |_| anyhow::bail!("nobody knows")).unwrap_err();
        assert_eq!(format!("{error:#}"), "the template in line 2: {what}: nobody knows");
        assert!(fill("<!-- template\n-->\n", |_| Ok(String::new())).is_err());
    }
}
