//! `crumple info`: what files hold, whether their surfaces are closed or where they are open, and what can be played.

use std::path::Path;

use anyhow::Result;
use crumple::Mesh;
use crumple::mesh::EdgeFault;
use crumple_io::read::{AnimationInfo, gltf_animations};
use crumple_io::report::{AnimationRecord, EdgesRecord, Info, InfoBody};

use crate::args::InfoArgs;
use crate::moving::Motion;
use crate::out::{Answer, Verdict};
use crate::table::{Align, Table, count, counted};
use crate::{gpu, sources};

pub(crate) fn run(args: InfoArgs) -> Result<Verdict> {
    if args.gpu {
        return list_adapters();
    }
    let mut bodies = Vec::new();
    for (id, file) in sources::read_with(&args.files, &args.reading.options())?.into_iter().enumerate() {
        let (motion, body) = Motion::start(file, !args.reading.no_weld, 0)?;
        bodies.push(record(&motion, id, body.mesh()));
    }
    let mut animations = Vec::new();
    for file in &args.files {
        animations.extend(animations_of(file)?);
    }
    let mut answer = Answer::new();
    if args.json {
        answer.record(&Info::new(bodies).with_animations(animations))?;
    } else {
        let right = |name| (name, Align::Right);
        let columns = [right("triangles"), right("vertices"), right("frames"), ("surface", Align::Left)];
        let mut table = Table::new(&[&[("body", Align::Left)], &columns[..]].concat());
        for body in &bodies {
            let numbers = [body.body.triangles, body.body.vertices, body.frames].map(count);
            table.row([vec![body.body.name.clone()], numbers.to_vec(), vec![surface(body)]].concat());
        }
        answer.line(table.to_string().trim_end())?;
        for AnimationRecord { file, name, seconds } in animations {
            answer.line(format_args!("{file} has the animation {name}, {seconds:.2} s"))?;
        }
    }
    answer.finish()?;
    Ok(Verdict::Done)
}

/// The animations of a file; none unless it is glTF.
fn animations_of(file: &str) -> Result<Vec<AnimationRecord>> {
    let is_gltf = Path::new(file).extension().is_some_and(|ending| {
        ["gltf", "glb"].iter().any(|gltf| ending.eq_ignore_ascii_case(gltf)) && Path::new(file).is_file()
    });
    let found = if is_gltf { gltf_animations(file)? } else { Vec::new() };
    let record = |(number, animation): (usize, AnimationInfo)| AnimationRecord {
        file: file.to_owned(),
        name: animation.name.unwrap_or_else(|| number.to_string()),
        seconds: animation.seconds,
    };
    Ok(found.into_iter().enumerate().map(record).collect())
}

/// The GPUs of this machine.
fn list_adapters() -> Result<Verdict> {
    let adapters = gpu::adapters()?;
    let mut answer = Answer::new();
    if adapters.is_empty() {
        answer.line(
            "there is no gpu; hint: install its Vulkan driver, or Mesa's software one (on Debian: apt-get install \
             mesa-vulkan-drivers)",
        )?;
    } else {
        let columns = ["adapter", "kind", "backend", "driver", "lacks"].map(|name| (name, Align::Left));
        let mut table = Table::new(&columns);
        adapters.into_iter().for_each(|adapter| table.row(adapter.to_vec()));
        answer.line(table.to_string().trim_end())?;
    }
    answer.finish()?;
    Ok(Verdict::Done)
}

fn record(body: &Motion, id: usize, mesh: &Mesh) -> InfoBody {
    let topology = mesh.topology();
    let edges = |fault: Option<EdgeFault>| {
        fault.map(|fault| EdgesRecord {
            count: fault.count as u64,
            triangle: fault.triangle.0,
            from: fault.from.0,
            to: fault.to.0,
        })
    };
    let mut record = body.record(id, mesh);
    record.face_of_triangle = None;
    InfoBody {
        body: record,
        frames: body.frame_count() as u64,
        open: edges(topology.open),
        non_manifold: edges(topology.non_manifold),
        misoriented: edges(topology.misoriented),
    }
}

/// The state of a surface in words.
fn surface(body: &InfoBody) -> String {
    let mut words = vec![if body.body.closed { "closed".to_owned() } else { String::new() }];
    for (what, edges) in
        [("open along", body.open), ("branching at", body.non_manifold), ("turned over along", body.misoriented)]
    {
        if let Some(EdgesRecord { count, triangle, from, to }) = edges {
            let edges = counted(count, "edge");
            words.push(format!("{what} {edges}, first {from}-{to} of triangle {triangle}"));
        }
    }
    words.retain(|word| !word.is_empty());
    words.join("; ")
}
