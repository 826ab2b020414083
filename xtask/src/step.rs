//! A command that is a step of a check, and how to repeat it by hand.

use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, anyhow, bail};

use crate::counts::Counts;
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

    /// Runs the command to its end, its words going where ours go, and counts the tests it reports, whether or not it succeeds.
    pub(crate) fn run_counted(&self, counts: &mut Counts) -> Result<()> {
        let mut command = self.command();
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        // Cargo asks where its words go.
        if std::io::IsTerminal::is_terminal(&std::io::stderr()) && std::env::var_os("CARGO_TERM_COLOR").is_none() {
            command.env("CARGO_TERM_COLOR", "always");
        }
        let mut child = command.spawn().with_context(|| format!("{self}: cannot be started"))?;
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let found = std::thread::scope(|scope| {
            let readers = [
                out.map(|out| scope.spawn(|| pass_on(out, std::io::stdout()))),
                err.map(|err| scope.spawn(|| pass_on(err, std::io::stderr()))),
            ];
            let mut found = Counts::default();
            for reader in readers.into_iter().flatten() {
                found += reader.join().map_err(|_| anyhow!("{self}: its output cannot be read"))??;
            }
            Ok::<_, anyhow::Error>(found)
        })?;
        *counts += found;
        if !child.wait()?.success() {
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

/// Passes lines on as they come, and sums up the tests they report.
fn pass_on(from: impl Read, mut to: impl Write) -> Result<Counts> {
    let (mut counts, mut line, mut from) = (Counts::default(), Vec::new(), BufReader::new(from));
    while from.read_until(b'\n', &mut line)? > 0 {
        to.write_all(&line)?;
        to.flush()?;
        counts += Counts::of_line(&String::from_utf8_lossy(&line));
        line.clear();
    }
    Ok(counts)
}

fn quoted(word: &str) -> String {
    if word.contains([' ', '"', '$', '\\']) { format!("'{word}'") } else { word.to_owned() }
}
