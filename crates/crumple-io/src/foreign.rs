//! What a file is that is not what its name says, and the marks and line ends that text may come with.

use std::borrow::Cow;

use crate::error::Fault;

/// The mark that some programs put before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The fault of a file that a reader has refused: a better one where the file is plainly something else.
pub(crate) fn explained(fault: Fault, bytes: &[u8]) -> Fault {
    let start = without_mark(bytes).trim_ascii_start();
    let begins = |with: &str| start.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with.as_bytes()));
    if begins("version https://git-lfs") {
        let what = "it is a Git LFS pointer; the file itself has not been downloaded";
        return Fault::file(what).with_hint("run `git lfs pull` in its repository");
    }
    if begins("<!doctype html") || begins("<html") {
        let what = "it is an HTML page, not a mesh";
        return Fault::file(what).with_hint("download the file itself, not the page that shows it");
    }
    let is_utf_16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    // The mark alone proves little: every second byte of plain text is 0.
    if is_utf_16 && bytes.get(2..8).is_some_and(|next| next.iter().filter(|&&byte| byte == 0).count() == 3) {
        return Fault::file("its text is in UTF-16").with_hint("save it as UTF-8");
    }
    fault
}

/// Text without a byte order mark.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes)
}

/// Text as parsers take it: without a byte order mark, and with line feeds where its first line ends in a carriage return
/// alone. Usually the same bytes.
pub(crate) fn plain(bytes: &[u8]) -> Cow<'_, [u8]> {
    let text = without_mark(bytes);
    if !has_carriage_returns_alone(text) {
        return Cow::Borrowed(text);
    }
    let mut text = text.to_vec();
    for at in 0..text.len() {
        if text[at] == b'\r' && text.get(at + 1) != Some(&b'\n') {
            text[at] = b'\n';
        }
    }
    Cow::Owned(text)
}

/// Whether the first line ends in a carriage return that no line feed follows.
pub(crate) fn has_carriage_returns_alone(text: &[u8]) -> bool {
    let end = text.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
    end.is_some_and(|end| text[end] == b'\r' && text.get(end + 1).is_some_and(|&next| next != b'\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_end_in_carriage_returns_alone_become_lines() {
        for (text, want) in [
            (&b"a\rb\r"[..], &b"a\nb\n"[..]),
            (b"a\r\nb\rc\n", b"a\r\nb\rc\n"),
            (b"\xef\xbb\xbfa\nb", b"a\nb"),
            (b"\xef\xbb\xbfa\rb\r\nc", b"a\nb\r\nc"),
            (b"one line\r", b"one line\r"),
            (b"", b""),
        ] {
            assert_eq!(plain(text), want, "{text:?}");
        }
    }
}
