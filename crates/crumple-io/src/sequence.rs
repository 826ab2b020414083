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
    /// assert!(matches!(Source::parse("cloth_####.ply"), Source::Pattern(_)));
    /// assert!(matches!(Source::parse("me@home.obj"), Source::File(_)));
    /// ```
    pub fn parse(text: &str) -> Self {
        for (at, _) in text.match_indices('@') {
            let (mesh, cache) = (Path::new(&text[..at]), Path::new(&text[at + 1..]));
            let is_mesh = MeshFormat::of(mesh).is_some();
            if (is_mesh && MeshFormat::of(cache).is_none()) || CacheFormat::of(cache).is_some() {
                return Source::Cached { mesh: mesh.into(), cache: cache.into() };
            }
        }
        let path = PathBuf::from(text);
        match path.file_name() {
            Some(name) if name.to_string_lossy().contains('#') => Source::Pattern(path),
            _ => Source::File(path),
        }
    }
}

impl From<&Path> for Source {
    /// As [`Source::parse`]; a path that is no valid text is a file.
    fn from(path: &Path) -> Self {
        path.to_str().map_or_else(|| Source::File(path.into()), Source::parse)
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

/// The meshes of a folder in natural order. They must be of one format, or it would not be clear what is meant.
pub(crate) fn meshes_in(folder: &Path) -> Result<Vec<PathBuf>, ReadError> {
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
    Ok(files)
}

/// The files a pattern names, by number.
pub(crate) fn matching(pattern: &Path) -> Result<Vec<PathBuf>, ReadError> {
    let folder = match pattern.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let wanted = name(pattern);
    let (before, digits, after) = split_pattern(&wanted);
    let mut found: Vec<(String, PathBuf)> = Vec::new();
    for file in list(folder)? {
        let name = name(&file);
        let number = name.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
        if let Some(number) = number
            && number.len() >= digits
            && number.bytes().all(|b| b.is_ascii_digit())
        {
            // Named as the pattern is, without a `./` the user did not write.
            found.push((number.into(), pattern.with_file_name(&name)));
        }
    }
    found.sort_by(|(a, _), (b, _)| natural_order(a, b));
    if found.is_empty() {
        return Err(Fault::file("no file has a name like this, with a number in place of `#`").in_file(pattern));
    }
    Ok(found.into_iter().map(|(_, file)| file).collect())
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
