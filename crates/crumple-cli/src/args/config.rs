//! `crumple.toml`: options that need not be written on the command line.
//!
//! The file is looked for beside the first file named on the command line, then in the folders above it. A key is the long
//! name of an option; at the top of the file it holds for every command that has such an option, in a table such as
//! `[check]` for that command. The command line replaces what the file says, and paths are relative to the folder of the file.
//!
//! Its options become words of the command line, put before those of the user, so that they are checked and refused as those
//! are.

use std::any::TypeId;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use toml::{Table, Value};

use crate::output::hinted;

/// What the file is called.
const NAME: &str = "crumple.toml";

/// The commands that read files, and so can have such a file beside them, with the argument that names the first.
const COMMANDS: [(&str, &str); 5] =
    [("check", "files"), ("volume", "a"), ("inside", "body"), ("distance", "a"), ("info", "files")];

/// Options that only make sense on the command line.
const NOT_IN_FILES: [&str; 4] = ["config", "no-config", "help", "version"];

/// Options from a file, as words of the command line.
#[derive(Debug)]
pub(super) struct Config {
    pub(super) file: PathBuf,
    pub(super) words: Vec<OsString>,
}

/// The file that belongs to these arguments, if there is one.
pub(super) fn file(matches: &ArgMatches) -> Option<PathBuf> {
    let (name, of_command) = matches.subcommand()?;
    let (_, first) = COMMANDS.iter().find(|(command, _)| *command == name)?;
    // Not all arguments need be there: the words are not known to be right.
    if of_command.try_get_one::<bool>("no_config").is_ok_and(|given| given == Some(&true)) {
        return None;
    }
    if let Some(file) = of_command.try_get_one::<PathBuf>("config").ok().flatten() {
        return Some(file.clone());
    }
    let named = of_command.try_get_raw(first).ok().flatten().and_then(|mut values| values.next());
    named.and_then(|named| beside_or_above(Path::new(named)))
}

/// The options of a file for the command of these arguments.
pub(super) fn read(file: PathBuf, cli: &Command, matches: &ArgMatches) -> Result<Config> {
    let Some((name, of_command)) = matches.subcommand() else { return Ok(Config { file, words: Vec::new() }) };
    let text = std::fs::read_to_string(&file).with_context(|| format!("{}: cannot be read", file.display()))?;
    let words = words(cli, name, of_command, &text, &file)?;
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

fn words(cli: &Command, name: &str, given: &ArgMatches, text: &str, file: &Path) -> Result<Vec<OsString>> {
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
            Value::Table(options) if COMMANDS.iter().any(|(command, _)| command == key) => {
                // Those of other commands are looked at too: a wrong key should not wait for the day it is used.
                if let Some(option) = options.keys().find(|option| option_of(command(key), option).is_none()) {
                    return Err(unknown(&format!("{key}.{option}"), command(key), file));
                }
            }
            _ if COMMANDS.iter().any(|(name, _)| option_of(command(name), key).is_some()) => {
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
    let names: Vec<&str> = COMMANDS.iter().map(|(name, _)| *name).collect();
    let hint = match nearest(section, &names) {
        Some(name) => format!("did you mean [{name}]?"),
        None => format!("the sections are {}", names.join(", ")),
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
    given: &ArgMatches,
    key: &str,
    value: &Value,
    file: &Path,
) -> Result<Vec<OsString>> {
    let is_given = |option: &Arg| given.value_source(option.get_id().as_str()) == Some(ValueSource::CommandLine);
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
