//! What the files of the project must and must not say.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::root;
use crate::step::Call;

/// Endings of files that people read.
const READ: [&str; 6] = [".rs", ".ts", ".py", ".md", ".toml", ".sh"];

/// Where files lie that others made, or that are made from others.
const LEFT_OUT: [&str; 3] = ["fixtures/", "viewer/node_modules/", "web/node_modules/"];

/// What must not stand anywhere, each in two halves so that it does not stand here either.
const NOWHERE: [(&str, &str); 9] = [
    ("to", "do!("),
    ("unimple", "mented!("),
    ("#[ign", "ore"),
    (".sk", "ip("),
    ("TO", "DO"),
    ("FIX", "ME"),
    ("/wo", "rk/"),
    ("/ro", "ot/"),
    ("/fa", "rm/"),
];

/// What must not stand as words of their own.
const NOT_AS_WORDS: [(&str, &str); 7] = [
    ("X", "XX"),
    ("A", "I"),
    ("L", "LM"),
    ("language", " model"),
    ("coding", " agent"),
    ("this", " session"),
    ("previous", " session"),
];

/// Refuses switched-off tests, stubs, paths of a machine and words that do not belong in the project; returns how many
/// files were looked at.
pub(crate) fn check_words() -> Result<usize> {
    let listed = Call::new("git ls-files --cached --others --exclude-standard").output()?;
    let mut complaints = Vec::new();
    let mut files = 0;
    for file in listed.lines().filter(|file| is_read(file)) {
        // A file can be listed and already gone.
        let Ok(text) = std::fs::read_to_string(root().join(file)) else { continue };
        files += 1;
        complaints.extend(complaints_about(file, &text));
    }
    ensure!(complaints.is_empty(), "these do not belong in the project:\n  {}", complaints.join("\n  "));
    Ok(files)
}

fn is_read(file: &str) -> bool {
    READ.iter().any(|ending| file.ends_with(ending)) && !LEFT_OUT.iter().any(|folder| file.starts_with(folder))
}

fn complaints_about(file: &str, text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        // Iterators, too, leave things out that way; it is a test that must not.
        let anywhere = |&&(start, end): &&(&str, &str)| {
            let word = format!("{start}{end}");
            line.contains(&word) && !(word.starts_with('.') && file.ends_with(".rs"))
        };
        let as_word = |&&(start, end): &&(&str, &str)| has_word(line, &format!("{start}{end}"));
        let found = NOWHERE.iter().find(anywhere).or_else(|| NOT_AS_WORDS.iter().find(as_word));
        if let Some((start, end)) = found {
            complaints.push(format!("{file}:{number}: {start}{end}"));
        } else if names_a_home(line) {
            complaints.push(format!("{file}:{number}: a folder of a user"));
        }
    }
    complaints
}

/// Whether `word` stands in `line` with no letter or digit beside it.
fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// Whether a line names a folder below `/home`.
fn names_a_home(line: &str) -> bool {
    line.match_indices("/home/").any(|(at, home)| {
        let name = &line[at + home.len()..];
        let letters = name.chars().take_while(char::is_ascii_lowercase).count();
        letters > 0 && name[letters..].starts_with('/')
    })
}

/// The two commands a newcomer needs.
const COMMANDS: [&str; 2] = ["cargo run --release -- demo", "cargo xtask test"];

/// Makes sure that the README names the two commands, and that what Markdown files point to and show is there.
pub(crate) fn check_readme() -> Result<()> {
    let text = std::fs::read_to_string(root().join("README.md")).context("README.md")?;
    for command in COMMANDS {
        ensure!(text.contains(command), "README.md does not name the command `{command}`");
    }
    let listed = Call::new("git ls-files --cached --others --exclude-standard").output()?;
    for file in listed.lines().filter(|file| file.ends_with(".md")) {
        let path = root().join(file);
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let folder = path.parent().unwrap_or(Path::new(""));
        for target in links(&text) {
            let is_local = !target.contains("://") && !target.starts_with('#');
            if is_local && !folder.join(target.split('#').next().unwrap_or(target)).exists() {
                bail!("{file} points to {target}, which is not there");
            }
        }
    }
    Ok(())
}

/// The targets of Markdown links and pictures.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("](").filter_map(|(at, start)| text[at + start.len()..].split(')').next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forbidden_words_are_found_by_line_and_only_as_words() {
        let spoiled = format!("fine\n// {}{}(#1): later\n{}{}\n", "TO", "DO", "A", "I");
        let complaints = complaints_about("a.rs", &spoiled);
        assert_eq!(complaints.len(), 2);
        assert!(complaints[0].starts_with("a.rs:2: ") && complaints[1].starts_with("a.rs:3: "));
        assert_eq!(
            complaints_about("a.rs", "AIR and FAIR, all.iter().skip(1), /home/, at /homes/a/b"),
            [] as [&str; 0]
        );
    }

    #[test]
    fn a_folder_of_a_user_is_found() {
        assert!(names_a_home(&format!("see /home/{}/x", "someone")));
    }

    #[test]
    fn links_are_found() {
        assert_eq!(links("![plot](docs/a.svg) and [b](c.md#d)").collect::<Vec<_>>(), ["docs/a.svg", "c.md#d"]);
    }
}
