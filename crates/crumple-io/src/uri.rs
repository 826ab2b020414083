//! URIs by which a glTF file names the bytes of its buffers: files beside it, and data URIs.

use std::path::{Component as Part, Path, PathBuf};

use crate::error::Fault;

/// The file a URI names, relative to the one it stands in.
pub(crate) fn beside(file: &Path, uri: &str) -> Result<PathBuf, Fault> {
    if uri.contains("://") {
        let fault = Fault::file("its bytes are on another machine");
        return Err(fault.with_hint("download them and name them by a relative path"));
    }
    let name = String::from_utf8(without_percents(uri)).map_err(|_| Fault::file("its URI is not text"))?;
    // A file from elsewhere must not read other files of this machine: what it reads there would end up in exports.
    if !Path::new(&name).components().all(|part| matches!(part, Part::Normal(_) | Part::CurDir)) {
        let fault = Fault::file(format!("`{}` is outside the folder of the file", name.escape_debug()));
        return Err(fault.with_hint("put its bytes beside the file, and name them by a relative path without `..`"));
    }
    let path = file.with_file_name(name);
    if std::fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
        return Err(Fault::file(format!("{} is not a file", path.display())));
    }
    Ok(path)
}

/// The bytes that a URI spells, with `%20` and the like decoded.
fn without_percents(uri: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = |digit: u8| char::from(digit).to_digit(16);
        if let (b'%', [a, b, after @ ..]) = (first, tail)
            && let (Some(a), Some(b)) = (hex(*a), hex(*b))
        {
            bytes.push((a * 16 + b) as u8);
            rest = after;
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    bytes
}

/// The bytes of a data URI after its `data:`.
pub(crate) fn data(data: &str) -> Result<Vec<u8>, Fault> {
    let text = match data.split_once(',') {
        Some((kind, text)) if kind.ends_with(";base64") => text.as_bytes(),
        _ => return Err(Fault::file("its data URI is not in base64")),
    };
    let text = text.strip_suffix(b"==").or(text.strip_suffix(b"=")).unwrap_or(text);
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut bits, mut held) = (0_u32, 0);
    for &b in text {
        let six = match b {
            b'A'..=b'Z' => b - b'A',
            b'a'..=b'z' => b - b'a' + 26,
            b'0'..=b'9' => b - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return Err(Fault::file("its data URI is not in base64")),
        };
        bits = bits << 6 | u32::from(six);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_decoded_with_and_without_padding() {
        for (text, want) in [
            ("", &b""[..]),
            ("Zg==", b"f"),
            ("Zm8=", b"fo"),
            ("Zm9v", b"foo"),
            ("Zm9vYg", b"foob"),
            ("-_-_", &[0xfb, 0xff, 0xbf]),
        ] {
            let uri = format!("application/octet-stream;base64,{text}");
            assert_eq!(data(&uri).unwrap(), want, "{text}");
        }
        assert!(data("text/plain,abc").is_err());
        assert!(data("x;base64,a b").is_err());
    }

    #[test]
    fn a_uri_names_a_file_beside_its_own() {
        let beside = |uri| beside(Path::new("dir/a.gltf"), uri).map(|p| p.to_string_lossy().into_owned());
        assert_eq!(beside("a%20b.bin").unwrap(), "dir/a b.bin");
        assert_eq!(beside("100%.bin").unwrap(), "dir/100%.bin");
        assert!(beside("https://example.org/a.bin").is_err());
        assert_eq!(beside("./sub/a.bin").unwrap(), "dir/./sub/a.bin");
        for outside in ["/etc/hostname", "../a.bin", "sub/../../a.bin", "sub/..", "%2e%2e/a.bin", "%2Fetc/hostname"] {
            assert!(beside(outside).is_err(), "{outside}");
        }
    }
}
