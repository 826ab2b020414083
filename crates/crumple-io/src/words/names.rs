//! Names and paths from files, made safe to show: a name may hold anything, also what moves the cursor of a terminal,
//! starts a new line or turns the direction of the text around it.

use std::borrow::Cow;

/// A name with more characters than this is shortened in the middle.
const MOST: usize = 64;
/// Of a shortened name, the characters kept from its end: numbers stand there.
const KEPT_AT_END: usize = 20;

/// Text in which every character that is not shown as itself is written by its number, as in `\u{1b}`; newline, return
/// and tab as `\n`, `\r` and `\t`.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if is_hidden(letter) { out.extend(letter.escape_default()) } else { out.push(letter) }
    }
    Cow::Owned(out)
}

/// A name as it is shown in text: [`escaped`], and shortened in the middle if it has more than 64 characters.
pub fn shown(name: &str) -> Cow<'_, str> {
    // Only the ends of a long name are looked at.
    let short = match name.char_indices().nth(MOST) {
        None => Cow::Borrowed(name),
        Some(_) => {
            let ends = |count| name.char_indices().nth_back(count - 1).map_or(0, |(at, _)| at);
            let head = name.char_indices().nth(MOST - KEPT_AT_END - 1).map_or(0, |(at, _)| at);
            Cow::Owned(format!("{}…{}", &name[..head], &name[ends(KEPT_AT_END)..]))
        }
    };
    match short {
        Cow::Borrowed(name) => escaped(name),
        Cow::Owned(name) => Cow::Owned(escaped(&name).into_owned()),
    }
}

/// Text as a cell of a CSV table: [`escaped`], and quoted where it holds a comma or a quotation mark.
pub fn cell(text: &str) -> String {
    let text = escaped(text);
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.into_owned() }
}

/// Control characters, line and paragraph separators, marks and overrides of direction, and characters that show
/// nothing. Joiners stay: scripts and emoji need them.
fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_written_by_number() {
        assert_eq!(escaped("a\u{1b}[31mb\nc\r\u{7}"), r"a\u{1b}[31mb\nc\r\u{7}");
        assert_eq!(escaped("\u{202e}obj.\u{2066}x\u{9b}2J\u{2028}"), r"\u{202e}obj.\u{2066}x\u{9b}2J\u{2028}");
        for plain in ["", "cloth", "naïve × 布 👩\u{200d}🚀", r"C:\a", "it's \"so\""] {
            assert!(matches!(escaped(plain), Cow::Borrowed(same) if same == plain));
        }
    }

    #[test]
    fn names_stay_in_their_cells() {
        assert_eq!(
            ["cloth", "a,b", "5\" nail", "two\nlines\u{1b}[0m"].map(cell),
            ["cloth", "\"a,b\"", "\"5\"\" nail\"", "two\\nlines\\u{1b}[0m"]
        );
    }

    #[test]
    fn a_long_name_keeps_its_ends() {
        let exact = "é".repeat(64);
        assert_eq!(shown(&exact), exact);
        let long = format!("first{}last#2", "é".repeat(65_536));
        let short = shown(&long);
        assert_eq!(short.chars().count(), 64);
        assert!(short.starts_with("firsté") && short.ends_with("élast#2") && short.contains('…'));
        assert!(!shown(&"\u{1b}".repeat(1000)).contains('\u{1b}'));
    }
}
