//! `crumple completions` and `crumple man`: what a shell and `man` read.

use anyhow::Result;

use crate::args::{self, CompletionsArgs, ManArgs};
use crate::output::{Verdict, hinted, stdout};

pub(crate) fn completions(args: CompletionsArgs) -> Result<Verdict> {
    print(&args::completions(args.shell))
}

pub(crate) fn manual(args: ManArgs) -> Result<Verdict> {
    match args::manual(args.command.as_deref()) {
        Some(page) => print(&page?),
        None => {
            let what = format!("there is no command {}", args.command.unwrap_or_default());
            Err(hinted(what, "`crumple --help` lists the commands"))
        }
    }
}

fn print(text: &[u8]) -> Result<Verdict> {
    let mut answer = stdout();
    answer.raw_line(&[text.strip_suffix(b"\n").unwrap_or(text)])?;
    answer.finish()?;
    Ok(Verdict::Done)
}
