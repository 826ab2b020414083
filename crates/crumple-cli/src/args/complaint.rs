//! What is wrong with the words of a command line: one sentence and what to try, from what the parser found.

use std::error::Error as _;

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// What is wrong, and what to try.
#[derive(Debug)]
pub(super) struct Complaint {
    pub(super) what: String,
    pub(super) hint: String,
    /// The options it is about, as in `--frames`.
    pub(super) options: Vec<String>,
}

impl Complaint {
    pub(super) fn of(error: &Error) -> Self {
        let named = [ContextKind::InvalidArg, ContextKind::PriorArg].into_iter().flat_map(|kind| words(error, kind));
        let options = named.filter_map(|name| name.split([' ', '=', '[']).next().map(str::to_owned)).collect();
        let tip = tip(error).unwrap_or_else(|| format!("try `{} --help`", command(error)));
        Self { what: sentence(error), hint: tip, options }
    }
}

/// What is wrong.
fn sentence(error: &Error) -> String {
    let of = |kind| words(error, kind).join(" ");
    let argument = of(ContextKind::InvalidArg);
    let (value, needed, actual) =
        (of(ContextKind::InvalidValue), of(ContextKind::ExpectedNumValues), of(ContextKind::ActualNumValues));
    match error.kind() {
        ErrorKind::UnknownArgument => format!("unexpected argument '{argument}' found"),
        ErrorKind::InvalidSubcommand => format!("unrecognized subcommand '{}'", of(ContextKind::InvalidSubcommand)),
        ErrorKind::MissingRequiredArgument => format!("the following required arguments were not provided: {argument}"),
        ErrorKind::ValueValidation => {
            let why = error.source().map(|source| format!(": {source}")).unwrap_or_default();
            format!("invalid value '{value}' for '{argument}'{why}")
        }
        ErrorKind::InvalidValue if value.is_empty() => {
            format!("a value is required for '{argument}' but none was supplied{}", possible(error))
        }
        ErrorKind::InvalidValue => format!("invalid value '{value}' for '{argument}'{}", possible(error)),
        ErrorKind::ArgumentConflict => match words(error, ContextKind::PriorArg).as_slice() {
            [prior] if *prior == argument => format!("the argument '{argument}' cannot be used multiple times"),
            [prior] => format!("the argument '{argument}' cannot be used with '{prior}'"),
            others => format!("the argument '{argument}' cannot be used with: {}", others.join(" ")),
        },
        ErrorKind::TooManyValues => format!("unexpected value '{value}' for '{argument}' found; no more were expected"),
        ErrorKind::TooFewValues => {
            format!("{} values required by '{argument}'; only {actual} were provided", of(ContextKind::MinValues))
        }
        ErrorKind::WrongNumberOfValues => {
            let were = if actual == "1" { "was" } else { "were" };
            format!("{needed} values required for '{argument}' but {actual} {were} provided")
        }
        other => other.as_str().unwrap_or("these arguments cannot be read").to_owned(),
    }
}

/// The values that an option takes, in brackets, where they can be listed.
fn possible(error: &Error) -> String {
    match words(error, ContextKind::ValidValue).as_slice() {
        [] => String::new(),
        values => format!(" [possible values: {}]", values.join(", ")),
    }
}

/// What was probably meant.
fn tip(error: &Error) -> Option<String> {
    let kinds = [
        (ContextKind::SuggestedSubcommand, "subcommand"),
        (ContextKind::SuggestedArg, "argument"),
        (ContextKind::SuggestedValue, "value"),
    ];
    let similar = kinds.iter().find_map(|(kind, name)| match words(error, *kind).as_slice() {
        [] => None,
        [one] => Some(format!("a similar {name} exists: '{one}'")),
        several => Some(format!("some similar {name}s exist: '{}'", several.join("', '"))),
    });
    similar.or_else(|| words(error, ContextKind::Suggested).into_iter().next())
}

/// The command whose help says more, where the parser knows it.
fn command(error: &Error) -> String {
    let usage = words(error, ContextKind::Usage).concat();
    let is_name = |word: &&str| word.starts_with(|first: char| first.is_ascii_lowercase());
    let names: Vec<&str> = usage.split_whitespace().skip(1).take_while(is_name).collect();
    if names.is_empty() { "crumple".to_owned() } else { names.join(" ") }
}

/// What the parser knows of a kind.
fn words(error: &Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(word)) => vec![word.clone()],
        Some(ContextValue::Strings(words)) => words.clone(),
        Some(ContextValue::StyledStr(word)) => vec![word.to_string()],
        Some(ContextValue::StyledStrs(words)) => words.iter().map(ToString::to_string).collect(),
        Some(ContextValue::Number(number)) => vec![number.to_string()],
        _ => Vec::new(),
    }
}
