//! Names and paths from files, made safe to show: a name may hold anything, also what moves the cursor of a terminal,
//! starts a new line or turns the direction of the text around it.

use std::borrow::Cow;

/// A name with more characters than this is shortened in the middle.
const MOST: usize = 64;

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
    match shortened(name, MOST) {
        Cow::Borrowed(name) => escaped(name),
        Cow::Owned(name) => Cow::Owned(escaped(&name).into_owned()),
    }
}

/// A name, shortened in the middle if it has more than `most` characters, of which there are at least two.
fn shortened(name: &str, most: usize) -> Cow<'_, str> {
    // Only the ends of a long name are looked at.
    if name.char_indices().nth(most).is_none() {
        return Cow::Borrowed(name);
    }
    // Numbers stand at the end.
    let kept_at_end = (5 * most / 16).max(1);
    let tail = name.char_indices().nth_back(kept_at_end - 1).map_or(0, |(at, _)| at);
    let head = name.char_indices().nth(most.saturating_sub(kept_at_end + 1)).map_or(0, |(at, _)| at);
    Cow::Owned(format!("{}…{}", &name[..head], &name[tail..]))
}

/// The title of a row in at most `most` characters: the names around every ` × `, or ` inside `, are shortened in the middle, the longest
/// ones first.
pub(super) fn fitted(title: &str, most: usize) -> Cow<'_, str> {
    let count = |text: &str| text.chars().count();
    let mut excess = count(title).saturating_sub(most);
    if excess == 0 {
        return Cow::Borrowed(title);
    }
    let between = if title.contains(" × ") { " × " } else { " inside " };
    let mut names: Vec<(&str, usize)> = title.split(between).map(|name| (name, count(name))).collect();
    while let Some((_, longest)) = names.iter_mut().max_by_key(|(_, length)| *length).filter(|_| excess > 0) {
        // Nothing is left of what has two characters but its end.
        if *longest <= 2 {
            break;
        }
        (*longest, excess) = (*longest - 1, excess - 1);
    }
    let names: Vec<_> = names.into_iter().map(|(name, length)| shortened(name, length)).collect();
    Cow::Owned(names.join(between))
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

    #[test]
    fn a_title_that_fits_no_row_keeps_the_ends_of_both_names() {
        let bones = "b_LeftHand_011 × b_LeftForeArm_010";
        assert_eq!(fitted(bones, 34), bones);
        assert_eq!(fitted(bones, 33), "b_LeftHand_011 × b_LeftFore…m_010");
        assert_eq!(fitted(bones, 26), "b_LeftHa…011 × b_LeftF…010");
        assert_eq!(fitted("b_LeftForeArm_010 × Hips", 20), "b_LeftFo…_010 × Hips");
        assert_eq!(fitted("Hips × b_LeftForeArm_010", 20), "Hips × b_LeftFo…_010");
        assert_eq!(fitted("a_very_long_nut inside case", 24), "a_very_l…nut inside case");
        assert_eq!(fitted("a_very_long_name (region 12)", 24), "a_very_long_name…ion 12)");
        assert_eq!(fitted("fox × itself: b_LeftHand_011 × b_LeftLeg_012", 30), "fox × itself:…011 × b_Left…012");
        for most in 16..34 {
            assert_eq!(fitted(bones, most).chars().count(), most);
        }
    }
}
