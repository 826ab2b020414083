//! `crumple scene`: a built-in scene as files, frame 0 of each body as PLY and its motion as a PC2 point cache.
//!
//! Each file appears whole or not at all, and one after another: a scene may have more bodies than files can be open.
//! Ended early, the folder has whole files of some bodies, and of an earlier run for the others.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use crumple_io::{Encoding, FrameRange, MeshFile, PointCacheWriter, write::write_ply};
use crumple_scenes::{SceneBody, by_name, catalogue};

use crate::args::SceneArgs;
use crate::output::{Verdict, hinted, progress, say, stdout};
use crumple_io::words::{Align, Table, counted};

pub(crate) fn run(args: SceneArgs) -> Result<Verdict> {
    match (args.name, args.list) {
        (Some(name), false) => {
            let Some(out) = args.out else {
                let hint = format!("try `crumple scene {name} --out {}`", name.to_lowercase());
                return Err(hinted(format!("where to write {name} is missing"), hint));
            };
            let scene = by_name(&name).map_err(|_| unknown(&name))?;
            let frames = FrameRange::chosen(args.frames, scene.frame_count())?;
            write(&Job { bodies: scene.bodies(), frames: frames.collect(), out, quiet: args.quiet })
        }
        _ => list(),
    }
}

fn unknown(name: &str) -> anyhow::Error {
    let names: Vec<&str> = catalogue().iter().map(|entry| entry.name).collect();
    hinted(format!("there is no scene {name}"), format!("there are {}", names.join(", ")))
}

fn list() -> Result<Verdict> {
    let mut table = Table::new(&[("scene", Align::Left), ("what happens", Align::Left)]);
    for entry in catalogue() {
        table.row(vec![entry.name.into(), entry.about.into()]);
    }
    let mut answer = stdout();
    answer.table(&table)?;
    answer.finish()?;
    Ok(Verdict::Done)
}

/// What to write where.
struct Job<'a> {
    bodies: &'a [SceneBody],
    frames: Vec<usize>,
    out: PathBuf,
    quiet: bool,
}

fn write(job: &Job<'_>) -> Result<Verdict> {
    fs::create_dir_all(&job.out).with_context(|| format!("{}: cannot be made a folder", job.out.display()))?;
    let mut answer = stdout();
    let bar = progress::unless(job.quiet, job.bodies.len() * job.frames.len());
    let mut positions = Vec::new();
    for body in job.bodies {
        let path = |extension: &str| job.out.join(format!("{}.{extension}", body.name()));
        let (mesh, cache) = (path("ply"), path("pc2"));
        let first = MeshFile {
            positions: body.positions_at(job.frames[0]),
            triangles: body.triangles().to_vec(),
            ..MeshFile::default()
        };
        write_ply(&mesh, &first, Encoding::LittleEndian)?;
        let mut writer = PointCacheWriter::create(&cache, body.vertex_count(), job.frames.len())?;
        for &frame in &job.frames {
            body.positions(frame, &mut positions);
            writer.write_frame(&positions)?;
            bar.inc(1);
        }
        writer.finish()?;
        // As `crumple check` takes it.
        let [mesh, cache] = [&mesh, &cache].map(|path| path.as_os_str().as_encoded_bytes());
        answer.raw_line(&[mesh, b"@", cache])?;
    }
    bar.finish_and_clear();
    answer.finish()?;
    if !job.quiet {
        let (bodies, frames) = (job.bodies.len() as u64, job.frames.len() as u64);
        say(format_args!("wrote {} with {} each", counted(bodies, "body"), counted(frames, "frame")));
    }
    Ok(Verdict::Done)
}
