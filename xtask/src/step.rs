//! A command that is a step of a check, and how to repeat it by hand.

use std::fmt;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::root;

/// A command with its words and what it needs in its environment.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    words: Vec<String>,
    environment: Vec<(&'static str, String)>,
}

impl Call {
    /// A command from its words, parted by spaces.
    pub(crate) fn new(line: &str) -> Self {
        Self { words: line.split_whitespace().map(str::to_owned).collect(), environment: Vec::new() }
    }

    /// Adds words, parted by spaces.
    pub(crate) fn with_words(mut self, line: &str) -> Self {
        self.words.extend(line.split_whitespace().map(str::to_owned));
        self
    }

    /// Adds a word that may hold spaces.
    pub(crate) fn with_word(mut self, word: impl Into<String>) -> Self {
        self.words.push(word.into());
        self
    }

    /// Sets a variable of the environment.
    pub(crate) fn with_variable(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.environment.push((name, value.into()));
        self
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command
            .args(&self.words[1..])
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(root());
        // What cargo sets for this program would make it build other programs again and again.
        for (name, _) in
            std::env::vars().filter(|(name, _)| name.starts_with("CARGO_PKG_") || name == "CARGO_MANIFEST_DIR")
        {
            command.env_remove(name);
        }
        command
    }

    /// Runs the command to its end, its words going where ours go.
    pub(crate) fn run(&self) -> Result<()> {
        let status = self.command().status().with_context(|| format!("{self}: cannot be started"))?;
        if !status.success() {
            bail!("it failed; repeat it with\n  {self}");
        }
        Ok(())
    }

    /// Whether the command runs and succeeds, silently.
    pub(crate) fn works(&self) -> bool {
        let quiet = self.command().stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null()).status();
        quiet.is_ok_and(|status| status.success())
    }

    /// What the command prints.
    pub(crate) fn output(&self) -> Result<String> {
        let output = self.command().output().with_context(|| format!("{self}: cannot be started"))?;
        if !output.status.success() {
            bail!("{self}: {}", String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

impl fmt::Display for Call {
    /// As it is typed into a shell.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words: Vec<String> =
            self.environment.iter().map(|(name, value)| format!("{name}={}", quoted(value))).collect();
        words.extend(self.words.iter().map(|word| quoted(word)));
        f.write_str(&words.join(" "))
    }
}

fn quoted(word: &str) -> String {
    if word.contains([' ', '"', '$', '\\']) { format!("'{word}'") } else { word.to_owned() }
}
