//! The command as a user types it: `crumple check --self --json` on every sequence, and the pairs it lists by number.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use crumple_io::report::Record;

use crate::Tally;
use crate::data::{Data, LISTED, sequence_files};

/// How the command exits when something collides, and when nothing does.
const COLLIDES: i32 = 1;
const CLEAR: i32 = 0;

/// What the command said about the only body, frame by frame.
struct Answer {
    counts: Vec<u64>,
    pairs: Vec<Vec<[u32; 2]>>,
    code: i32,
}

/// The command that was built beside this program.
fn command() -> Result<PathBuf> {
    let here = std::env::current_exe()?;
    let command = here.with_file_name(format!("crumple{}", std::env::consts::EXE_SUFFIX));
    ensure!(command.is_file(), "the command is not built; cargo build --release --package crumple-cli");
    Ok(command)
}

/// Asks the command about a body and itself; files are named below the folder of data.
fn ask(data: &Data, files: &str, more: &[&str]) -> Result<Answer> {
    let paths: Vec<String> = files.split('@').map(|file| data.path(file).display().to_string()).collect();
    let output = Command::new(command()?).args(["check", "--self", "--json", &paths.join("@")]).args(more).output()?;
    let code = output.status.code().with_context(|| format!("{files}: the command did not exit"))?;
    ensure!(code <= COLLIDES, "{files}: {}", String::from_utf8_lossy(&output.stderr).trim());
    let mut answer = Answer { counts: Vec::new(), pairs: Vec::new(), code };
    for line in String::from_utf8(output.stdout)?.lines() {
        match serde_json::from_str(line).with_context(|| format!("{files}: {line}"))? {
            Record::Frame(frame) => {
                ensure!(frame.frame as usize == answer.counts.len(), "{files}: frame {} comes early", frame.frame);
                answer.counts.push(frame.contacts.iter().map(|contact| contact.count).sum());
                answer.pairs.push(frame.contacts.iter().flat_map(|contact| contact.listed()).copied().collect());
            }
            Record::Summary(summary) => {
                let frames = answer.counts.len() as u64;
                ensure!(summary.summary.frames == frames, "{files}: the summary speaks of other frames");
            }
            Record::Header(_) => {}
            other => bail!("{files}: {other:?} does not belong here"),
        }
    }
    Ok(answer)
}

pub(crate) fn sequences(data: &Data) -> Result<Tally> {
    let table = data.table("ground_truth/sequences.csv")?;
    let mut tally = Tally::default();
    for (name, files) in sequence_files() {
        let rows = table.rows.iter().filter(|row| row[0] == name);
        let truth = rows.map(|row| table.number(row, "si_pairs")).collect::<Result<Vec<u64>>>()?;
        let answer = ask(data, &files, &[])?;
        let code = if truth.iter().any(|&count| count > 0) { COLLIDES } else { CLEAR };
        tally.compare(answer.code, code, || format!("{name}: exit code"));
        tally.compare(answer.counts.len(), truth.len(), || format!("{name}: frames"));
        for (frame, (found, truth)) in answer.counts.into_iter().zip(truth).enumerate() {
            tally.compare(found, truth, || format!("{name}: frame {frame}"));
        }
    }
    Ok(tally)
}

pub(crate) fn lists(data: &Data) -> Result<Tally> {
    let mut tally = Tally::default();
    for name in LISTED {
        let mut truth = data.numbers::<2>(&format!("ground_truth/self_pairs_{name}.txt"))?;
        truth.sort_unstable();
        let answer = ask(data, &format!("static/{name}.ply"), &["--pairs"])?;
        tally.compare_lists(&answer.pairs[0], &truth, || name.to_owned());
    }
    Ok(tally)
}
