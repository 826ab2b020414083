//! What a user names: a file, a mesh with its point cache, or many numbered meshes; and the files that means.
//!
//! ```text
//! body.ply              a file, or a folder of meshes in natural order (9 before 10)
//! body.ply@motion.pc2   a mesh and where its vertices are in every frame
//! cloth_####.ply        the files with a number of at least as many digits in that place, by number
//! ```

use std::cmp::Ordering;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::error::{Fault, ReadError};
use crate::read::{CacheFormat, MeshFormat};

/// What a user named. Nothing is opened to find out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A mesh, an animation, or a folder of numbered meshes.
    File(PathBuf),
    /// A mesh and its point cache.
    Cached {
        /// The mesh.
        mesh: PathBuf,
        /// The point cache.
        cache: PathBuf,
    },
    /// A file name with `#` in place of the digits of a number.
    Pattern(PathBuf),
}

impl Source {
    /// Finds out what is meant. An `@` counts only between a mesh and something else, since file names may have one
    /// too.
    ///
    /// ```
    /// use crumple_io::Source;
    ///
    /// let Source::Cached { mesh, cache } = Source::parse("body.ply@motion.pc2") else { panic!() };
    /// assert_eq!((mesh.to_str(), cache.to_str()), (Some("body.ply"), Some("motion.pc2")));
    /// let Source::Cached { mesh, .. } = Source::parse("body@v2.ply@motion.pc2") else { panic!() };
    /// assert_eq!(mesh.to_str(), Some("body@v2.ply"));
    /// assert!(matches!(Source::parse("cloth_####.ply"), Source::Pattern(_)));
    /// assert!(matches!(Source::parse("me@home.obj"), Source::File(_)));
    /// ```
    pub fn parse(text: &str) -> Self {
        let split = |(at, _)| (Path::new(&text[..at]), Path::new(&text[at + 1..]));
        let splits: Vec<_> = text.rmatch_indices('@').map(split).collect();
        Self::of(Path::new(text), &splits)
    }

    /// As [`Source::parse`], for a path that is no valid text.
    #[cfg(unix)]
    fn parse_bytes(path: &Path) -> Self {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let bytes = path.as_os_str().as_bytes();
        let part = |bytes| Path::new(OsStr::from_bytes(bytes));
        let ats = bytes.iter().enumerate().rev().filter(|(_, byte)| **byte == b'@');
        let splits: Vec<_> = ats.map(|(at, _)| (part(&bytes[..at]), part(&bytes[at + 1..]))).collect();
        Self::of(path, &splits)
    }

    /// Elsewhere such a path cannot be taken apart, so it is a file or a pattern.
    #[cfg(not(unix))]
    fn parse_bytes(path: &Path) -> Self {
        Self::of(path, &[])
    }

    /// What a path means; `splits` are the parts before and after each `@`, the last one first. A mesh before it and a cache
    /// after it decide; otherwise one of the two is enough, so that the other can be complained about.
    fn of(path: &Path, splits: &[(&Path, &Path)]) -> Self {
        let is_mesh = |mesh: &Path| MeshFormat::of(mesh).is_some();
        let is_cache = |cache: &Path| CacheFormat::of(cache).is_some();
        let both = splits.iter().find(|(mesh, cache)| is_mesh(mesh) && is_cache(cache));
        let either = || splits.iter().find(|(mesh, cache)| (is_mesh(mesh) && !is_mesh(cache)) || is_cache(cache));
        if let Some(&(mesh, cache)) = both.or_else(either) {
            return Source::Cached { mesh: mesh.into(), cache: cache.into() };
        }
        match path.file_name() {
            Some(name) if name.as_encoded_bytes().contains(&b'#') => Source::Pattern(path.into()),
            _ => Source::File(path.into()),
        }
    }
}

impl From<&Path> for Source {
    /// As [`Source::parse`], also for paths that are no valid text.
    fn from(path: &Path) -> Self {
        path.to_str().map_or_else(|| Self::parse_bytes(path), Source::parse)
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::File(path) | Source::Pattern(path) => path.display().fmt(f),
            Source::Cached { mesh, cache } => write!(f, "{}@{}", mesh.display(), cache.display()),
        }
    }
}

/// A file of a sequence, and the number in its name.
#[derive(Clone, Debug)]
pub(crate) struct Numbered {
    pub(crate) file: PathBuf,
    pub(crate) number: Option<u64>,
}

/// What to say about numbers that are missing between the first and the last, if any are. Files that are all equally far
/// apart, such as every second frame, have none missing.
pub(crate) fn gaps(files: &[Numbered]) -> Option<String> {
    let numbers: Option<Vec<u64>> = files.iter().map(|numbered| numbered.number).collect();
    let numbers = numbers?;
    let steps = || numbers.windows(2).filter_map(|pair| pair[1].checked_sub(pair[0]));
    let step = steps().min().filter(|&step| step > 0)?;
    let missing: u64 = steps().map(|between| between / step - 1).sum();
    let before_gap = files.windows(2).zip(steps()).find(|(_, between)| *between > step)?.0;
    let [before, after] = [&before_gap[0].file, &before_gap[1].file].map(|file| name(file));
    let numbers = if missing == 1 { "1 number is".to_owned() } else { format!("{missing} numbers are") };
    Some(format!("{numbers} missing, first between {before} and {after}; frames count the files that are there"))
}

/// The meshes of a folder in natural order. They must be of one format, or it would not be clear what is meant.
pub(crate) fn meshes_in(folder: &Path) -> Result<Vec<Numbered>, ReadError> {
    let mut files = list(folder)?;
    files.retain(|file| MeshFormat::of(file).is_some());
    files.sort_by(|a, b| natural_order(&name(a), &name(b)));
    let Some(first) = files.first() else {
        return Err(Fault::file("the folder holds no meshes (.obj, .ply, .stl or .off)").in_file(folder));
    };
    let other = files.iter().find(|file| MeshFormat::of(file) != MeshFormat::of(first));
    if let Some(other) = other {
        let what = format!("the folder holds `{}` and `{}`", name(first), name(other));
        let hint = format!("name the files meant, as in `{}`", folder.join("name_####.ply").display());
        return Err(Fault::file(what).with_hint(hint).in_file(folder));
    }
    // Numbers mean something only if the names have nothing else that changes.
    let around = |file: &Path| {
        let name = name(file);
        let end = name.rfind(|c: char| c.is_ascii_digit()).map_or(0, |last| last + 1);
        let start = name[..end].trim_end_matches(|c: char| c.is_ascii_digit()).len();
        (name[..start].to_owned(), name[end..].to_owned(), name[start..end].parse().ok())
    };
    let (before, after, _) = around(first);
    let is_numbered = files.iter().all(|file| matches!(around(file), (b, a, Some(_)) if b == before && a == after));
    let number = |file: &Path| is_numbered.then(|| around(file).2).flatten();
    Ok(files.into_iter().map(|file| Numbered { number: number(&file), file }).collect())
}

/// The files a pattern names, by number.
pub(crate) fn matching(pattern: &Path) -> Result<Vec<Numbered>, ReadError> {
    let folder = match pattern.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    // Bytes, since names need not be valid text.
    let wanted = pattern.file_name().unwrap_or_default().as_encoded_bytes();
    let end = wanted.iter().rposition(|&byte| byte == b'#').map_or(wanted.len(), |last| last + 1);
    let start = wanted[..end].iter().rposition(|&byte| byte != b'#').map_or(0, |last| last + 1);
    let (before, digits, after) = (&wanted[..start], end - start, &wanted[end..]);
    let mut found: Vec<(String, PathBuf)> = Vec::new();
    for file in list(folder)? {
        let name = file.file_name().unwrap_or_default();
        let number = name.as_encoded_bytes().strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
        if let Some(number) = number
            && number.len() >= digits
            && number.iter().all(u8::is_ascii_digit)
        {
            // Named as the pattern is, without a `./` the user did not write.
            found.push((String::from_utf8_lossy(number).into_owned(), pattern.with_file_name(name)));
        }
    }
    found.sort_by(|(a, _), (b, _)| natural_order(a, b));
    if found.is_empty() {
        return Err(Fault::file("no file has a name like this, with a number in place of `#`").in_file(pattern));
    }
    Ok(found.into_iter().map(|(number, file)| Numbered { file, number: number.parse().ok() }).collect())
}

/// What a pattern's bodies are called: the name without the number and what joins it on.
pub(crate) fn name_of_pattern(pattern: &Path) -> String {
    let wanted = name(pattern);
    let (before, _, after) = split_pattern(&wanted);
    let join = |c: char| "_-. ".contains(c);
    let stem = after.rsplit_once('.').map_or(after, |(stem, _)| stem);
    let name = format!("{}{stem}", before.trim_end_matches(join));
    let name = name.trim_matches(join);
    if name.is_empty() { "sequence".into() } else { name.into() }
}

/// The text before the last run of `#`, the length of that run, and the text after it.
fn split_pattern(name: &str) -> (&str, usize, &str) {
    let end = name.rfind('#').map_or(name.len(), |last| last + 1);
    let before = name[..end].trim_end_matches('#');
    (before, end - before.len(), &name[end..])
}

fn list(folder: &Path) -> Result<Vec<PathBuf>, ReadError> {
    let list =
        || std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<std::io::Result<Vec<_>>>();
    list().map_err(|source| ReadError::Io { file: folder.into(), source })
}

fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Digits compare as numbers, everything else as text: `a9` before `a10`.
fn natural_order(a: &str, b: &str) -> Ordering {
    let (mut x, mut y) = (a.as_bytes(), b.as_bytes());
    loop {
        let (Some(&p), Some(&q)) = (x.first(), y.first()) else {
            // Equal but for leading zeros, or one is the beginning of the other.
            return x.len().cmp(&y.len()).then_with(|| a.cmp(b));
        };
        if p.is_ascii_digit() && q.is_ascii_digit() {
            let (m, n) = (take_number(&mut x), take_number(&mut y));
            match m.len().cmp(&n.len()).then_with(|| m.cmp(n)) {
                Ordering::Equal => {}
                unequal => return unequal,
            }
        } else if p != q {
            return p.cmp(&q);
        } else {
            (x, y) = (&x[1..], &y[1..]);
        }
    }
}

/// Takes the digits at the beginning off; gives them without leading zeros, so that longer means larger.
fn take_number<'a>(text: &mut &'a [u8]) -> &'a [u8] {
    let len = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let (number, rest) = text.split_at(len);
    *text = rest;
    let zeros = number.iter().take_while(|&&b| b == b'0').count();
    &number[zeros..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_as_a_person_counts() {
        let sorted = ["a", "a1", "a2", "a09", "a9", "a10", "a10b2", "a10b10", "b1"];
        for (i, a) in sorted.iter().enumerate() {
            for (j, b) in sorted.iter().enumerate() {
                assert_eq!(natural_order(a, b), i.cmp(&j), "{a} and {b}");
            }
        }
    }

    #[test]
    fn numbers_that_are_missing_are_named_and_every_second_frame_is_none() {
        let gaps_of = |numbers: &[u64]| {
            let file = |&number: &u64| Numbered { file: format!("x/a{number}.ply").into(), number: Some(number) };
            gaps(&numbers.iter().map(file).collect::<Vec<_>>())
        };
        for numbers in [&[7][..], &[1, 2, 3], &[10, 20, 30], &[]] {
            assert_eq!(gaps_of(numbers), None, "{numbers:?}");
        }
        let said = "1 number is missing, first between a2.ply and a4.ply; frames count the files that are there";
        assert_eq!(gaps_of(&[1, 2, 4, 5]).as_deref(), Some(said));
        let said = "4 numbers are missing, first between a2.ply and a6.ply; frames count the files that are there";
        assert_eq!(gaps_of(&[0, 2, 6, 14, 16]).as_deref(), Some(said));
    }

    #[test]
    fn an_at_sign_in_a_name_is_not_a_point_cache() {
        for (text, cached) in [
            ("body.ply@motion.pc2", true),
            ("dir@x/body.PLY@dir/motion.MDD", true),
            ("body.ply@motion.abc", true),
            ("me@home.ply", false),
            ("body.ply", false),
            ("a@b", false),
            ("frame@2.ply@x_2.ply", false),
        ] {
            assert_eq!(matches!(Source::parse(text), Source::Cached { .. }), cached, "{text}");
            assert_eq!(Source::parse(text).to_string(), text);
        }
    }

    #[test]
    fn a_pattern_gives_its_bodies_a_name_without_the_number() {
        for (pattern, want) in [
            ("cloth_####.ply", "cloth"),
            ("x/####.ply", "sequence"),
            ("a-##-b.obj", "a-b"),
            ("v2.cloth.#.stl", "v2.cloth"),
        ] {
            assert_eq!(name_of_pattern(Path::new(pattern)), want, "{pattern}");
        }
    }
}
