//! `crumple.toml`: options that need not be written on the command line.
//!
//! The file is looked for beside the first file named on the command line, then in the folders above it. A key is the long
//! name of an option; at the top of the file it holds for every command that has such an option, in a table such as
//! `[check]` for that command. The command line replaces what the file says, and paths are relative to the folder of the file.
//!
//! Its options become words of the command line, put before those of the user, so that they are checked and refused as those
//! are.

use std::any::TypeId;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Arg, ArgAction, Command};
use toml::{Table, Value};

use crate::output::hinted;

/// What the file is called.
const NAME: &str = "crumple.toml";

/// The commands that read files, and so can have such a file beside them.
const COMMANDS: [&str; 5] = ["check", "volume", "inside", "distance", "info"];

/// Options that only make sense on the command line.
const NOT_IN_FILES: [&str; 4] = ["config", "no-config", "help", "version"];

/// Options from a file, as words of the command line.
#[derive(Debug)]
pub(super) struct Config {
    pub(super) file: PathBuf,
    pub(super) words: Vec<OsString>,
}

/// What the words of a command line say about such a file, read without knowing whether they are right.
#[derive(Debug, Default)]
pub(super) struct Given {
    command: String,
    /// The options that are there, by their long names.
    options: BTreeSet<String>,
    /// The first file.
    first: Option<OsString>,
    /// The file that `--config` names.
    config: Option<PathBuf>,
}

impl Given {
    /// Looks through the words of a command that reads files.
    pub(super) fn of(cli: &Command, words: &[OsString]) -> Option<Self> {
        let name = words.get(1)?.to_str().filter(|name| COMMANDS.contains(name))?;
        let command = cli.find_subcommand(name)?;
        let mut given = Self { command: name.to_owned(), ..Self::default() };
        let mut words = words[2..].iter().peekable();
        while let Some(word) = words.next() {
            let text = word.to_string_lossy();
            let Some(option) = text.strip_prefix("--").filter(|option| !option.is_empty()) else {
                if text == "--" {
                    given.first = given.first.or_else(|| words.next().cloned());
                    break;
                }
                if !text.starts_with('-') {
                    given.first.get_or_insert_with(|| word.clone());
                }
                continue;
            };
            let (name, mut value) = match option.split_once('=') {
                Some((name, value)) => (name, Some(OsString::from(value))),
                None => (option, None),
            };
            let known = command.get_arguments().find(|option| option.get_long() == Some(name));
            if value.is_none() {
                for _ in 0..known.map_or(0, value_count) {
                    let next = words.next_if(|next| !next.to_string_lossy().starts_with("--"));
                    value = next.cloned().or(value);
                }
            }
            if name == "config" {
                given.config = value.map(Into::into);
            }
            given.options.insert(name.to_owned());
        }
        Some(given)
    }

    /// The file that belongs to these words, if there is one.
    pub(super) fn file(&self) -> Option<PathBuf> {
        if self.options.contains("no-config") {
            return None;
        }
        self.config.clone().or_else(|| beside_or_above(Path::new(self.first.as_ref()?)))
    }
}

/// How many words after an option are its values.
fn value_count(option: &Arg) -> usize {
    match option.get_action() {
        ArgAction::Set | ArgAction::Append => option.get_num_args().map_or(1, |values| values.max_values()),
        _ => 0,
    }
}

impl Config {
    /// Whether an option is there because of the file.
    pub(super) fn has(&self, option: &str) -> bool {
        let is_it = |word: &OsString| word.to_string_lossy().split('=').next() == Some(option);
        self.words.iter().any(is_it)
    }
}

/// The options of a file for the command of these words.
pub(super) fn read(file: PathBuf, cli: &Command, given: &Given) -> Result<Config> {
    let text = std::fs::read_to_string(&file).with_context(|| format!("{}: cannot be read", file.display()))?;
    let words = words(cli, given, &text, &file)?;
    Ok(Config { file, words })
}

/// The nearest file of the name in the folder of `file` or above it.
fn beside_or_above(file: &Path) -> Option<PathBuf> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let beside = here.join(NAME);
    if beside.is_file() {
        return Some(if folder.as_os_str().is_empty() { PathBuf::from(NAME) } else { beside });
    }
    let whole = std::fs::canonicalize(here).ok()?;
    whole.ancestors().skip(1).map(|folder| folder.join(NAME)).find(|file| file.is_file())
}

fn words(cli: &Command, given: &Given, text: &str, file: &Path) -> Result<Vec<OsString>> {
    let name = given.command.as_str();
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map(|span| text[..span.start.min(text.len())].lines().count().max(1));
        let line = line.map(|line| format!("line {line}: ")).unwrap_or_default();
        anyhow::anyhow!("{}: {line}{}", file.display(), error.message().trim_end().replace('\n', ", "))
    })?;
    let command = |name: &str| cli.find_subcommand(name).expect("every command that reads files is there");
    let this = command(name);
    let mut words = Vec::new();
    let of_this = match table.get(name) {
        Some(Value::Table(of_this)) => of_this.clone(),
        _ => Table::new(),
    };
    for (key, value) in &table {
        match value {
            Value::Table(options) if COMMANDS.contains(&key.as_str()) => {
                // Those of other commands are looked at too: a wrong key should not wait for the day it is used.
                if let Some(option) = options.keys().find(|option| option_of(command(key), option).is_none()) {
                    return Err(unknown(&format!("{key}.{option}"), command(key), file));
                }
            }
            _ if COMMANDS.iter().any(|name| option_of(command(name), key).is_some()) => {
                if let Some(option) = option_of(this, key).filter(|_| !of_this.contains_key(key)) {
                    words.extend(option_words(this, option, given, key, value, file)?);
                }
            }
            Value::Table(_) => return Err(unknown_section(key, file)),
            _ => return Err(unknown(key, this, file)),
        }
    }
    for (key, value) in &of_this {
        if let Some(option) = option_of(this, key) {
            words.extend(option_words(this, option, given, &format!("{name}.{key}"), value, file)?);
        }
    }
    Ok(words)
}

fn option_of<'a>(command: &'a Command, key: &str) -> Option<&'a Arg> {
    let option = command.get_arguments().find(|option| option.get_long() == Some(key));
    option.filter(|_| !NOT_IN_FILES.contains(&key))
}

fn unknown(key: &str, command: &Command, file: &Path) -> anyhow::Error {
    let visible = |option: &&Arg| !option.is_hide_set();
    let names = command.get_arguments().filter(visible).filter_map(Arg::get_long);
    let names: Vec<&str> = names.filter(|name| !NOT_IN_FILES.contains(name)).collect();
    let typed = key.rsplit_once('.').map_or(key, |(_, option)| option);
    let hint = match nearest(typed, &names) {
        Some(name) => format!("did you mean {name}?"),
        None => format!("the options of {} are {}", command.get_name(), names.join(", ")),
    };
    hinted(format!("{}: there is no option {key}", file.display()), hint)
}

fn unknown_section(section: &str, file: &Path) -> anyhow::Error {
    let hint = match nearest(section, &COMMANDS) {
        Some(name) => format!("did you mean [{name}]?"),
        None => format!("the sections are {}", COMMANDS.join(", ")),
    };
    hinted(format!("{}: there is no section [{section}]", file.display()), hint)
}

/// The name that was probably meant, if one is close. Options are written with `-` in files too.
fn nearest<'a>(typed: &str, names: &[&'a str]) -> Option<&'a str> {
    let likeness = |name: &str| strsim::damerau_levenshtein(&typed.replace('_', "-"), name);
    let best = names.iter().copied().min_by_key(|name| likeness(name))?;
    (likeness(best) <= 2).then_some(best)
}

/// An option as words, unless the command line has it or what excludes it.
fn option_words(
    command: &Command,
    option: &Arg,
    given: &Given,
    key: &str,
    value: &Value,
    file: &Path,
) -> Result<Vec<OsString>> {
    let is_given = |option: &Arg| option.get_long().is_some_and(|name| given.options.contains(name));
    let excludes = |one: &Arg, other: &Arg| {
        command.get_arg_conflicts_with(one).iter().any(|conflict| conflict.get_id() == other.get_id())
    };
    let is_excluded =
        command.get_arguments().any(|other| is_given(other) && (excludes(option, other) || excludes(other, option)));
    if is_given(option) || is_excluded {
        return Ok(Vec::new());
    }
    let name = option.get_long().unwrap_or_default();
    let wrong = |wanted: &str| {
        let what = format!("{}: the value of {key} is of another kind ({})", file.display(), value.type_str());
        hinted(what, format!("write {wanted}"))
    };
    let is_flag = option.get_num_args().is_some_and(|values| values.max_values() == 0);
    if is_flag || matches!(option.get_action(), ArgAction::SetTrue) {
        return match value {
            Value::Boolean(true) => Ok(vec![format!("--{name}").into()]),
            Value::Boolean(false) => Ok(Vec::new()),
            _ => Err(wrong("true or false")),
        };
    }
    let text = |value: &Value| match value {
        Value::String(text) if option.get_value_parser().type_id() == TypeId::of::<PathBuf>() && text != "-" => {
            Ok(file.parent().unwrap_or(Path::new("")).join(text).into_os_string())
        }
        Value::String(text) => Ok(text.into()),
        Value::Integer(number) => Ok(number.to_string().into()),
        Value::Float(number) => Ok(number.to_string().into()),
        _ => Err(wrong("a text or a number, or a list of them where the option may be repeated")),
    };
    let with = |value: OsString| {
        let mut word = OsString::from(format!("--{name}="));
        word.push(value);
        word
    };
    let values = option.get_num_args().map_or(1, |values| values.max_values());
    match value {
        Value::Array(given) if values > 1 && given.len() == values => {
            let mut words = vec![OsString::from(format!("--{name}"))];
            for value in given {
                words.push(text(value)?);
            }
            Ok(words)
        }
        Value::Array(values) if matches!(option.get_action(), ArgAction::Append) => {
            values.iter().map(|value| Ok(with(text(value)?))).collect()
        }
        one => Ok(vec![with(text(one)?)]),
    }
}
