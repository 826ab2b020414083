//! `crumple info`: what files contain, how large it is, how they number their frames, whether surfaces are closed or where they are
//! open, and which animations there are.

use std::array::from_fn;
use std::collections::HashMap;
use std::sync::Arc;

use anyhow::Result;
use crumple::mesh::EdgeFault;
use crumple::{Body, Mesh, Precision};
use crumple_io::report::{AnimationRecord, EdgesRecord, Info, InfoBody};

use crate::args::InfoArgs;
use crate::bodies;
use crate::output::{Verdict, say, stdout};
use crumple_check::bodies::files::{self, FileBody};
use crumple_check::bodies::moving::Motion;
use crumple_io::words::{Align, Table, count, counted, escaped, shown, size};

/// How many triangles copies of meshes may have together until their surfaces are no longer looked at: about a second.
const MOST_COPIED_TRIANGLES: usize = 5_000_000;

pub(crate) fn run(args: InfoArgs) -> Result<Verdict> {
    if args.gpu {
        return list_adapters();
    }
    let bodies = records(bodies::read(&args.files, &args.reading)?)?;
    let mut animations = Vec::new();
    for file in &args.files {
        animations.extend(files::animations_of(file)?);
    }
    let mut answer = stdout();
    if args.json {
        answer.record(&Info::new(bodies).with_animations(animations))?;
    } else {
        let right = |name| (name, Align::Right);
        let is_any_f64 = bodies.iter().any(|body| body.body.precision.is_some());
        let mut columns = vec![("body", Align::Left), right("triangles"), right("vertices"), right("frames")];
        let has_numbers = bodies.iter().any(|body| body.numbers.is_some());
        columns.extend(has_numbers.then_some(("numbers", Align::Left)));
        columns.extend(is_any_f64.then_some(("positions", Align::Left)));
        columns.extend([("size", Align::Left), ("surface", Align::Left)]);
        let mut table = Table::new(&columns);
        for body in &bodies {
            let mut row = vec![shown(&body.body.name).into_owned()];
            row.extend([body.body.triangles, body.body.vertices, body.frames].map(count));
            row.extend(
                has_numbers.then(|| body.numbers.map_or("-".to_owned(), |[first, last]| format!("{first}–{last}"))),
            );
            row.extend(is_any_f64.then(|| body.body.precision.clone().unwrap_or_else(|| Precision::F32.to_string())));
            row.extend([shown_size(body), surface(body)]);
            table.row(row);
        }
        answer.table(&table)?;
        for AnimationRecord { file, name, seconds } in animations {
            let (file, name) = (escaped(&file), shown(&name));
            answer.line(format_args!("{file} has the animation {name}, {seconds:.2} s"))?;
        }
    }
    answer.finish()?;
    Ok(Verdict::Done)
}

/// What there is to say about every body.
///
/// Vertices that coincide are joined, and where a pose puts them rounding may make more of them coincide, so that copies of one
/// mesh need not have one surface. But a file of a few megabytes may have very many copies of a large mesh: those beyond
/// [`MOST_COPIED_TRIANGLES`] are reported as the first one of their mesh.
fn records(files: Vec<FileBody>) -> Result<Vec<InfoBody>> {
    let mut records: Vec<InfoBody> = Vec::new();
    let mut last: Option<Arc<Mesh>> = None;
    // The body that was the first to have these triangles.
    let mut first_with: HashMap<*const [u32; 3], usize> = HashMap::new();
    let (mut of_copies, mut not_looked_at) = (0, 0);
    for (id, file) in files.into_iter().enumerate() {
        let triangles = file.triangles();
        if let Some(&first) = first_with.get(&triangles.as_ptr()) {
            of_copies += triangles.len();
            if of_copies > MOST_COPIED_TRIANGLES {
                not_looked_at += 1;
                let mut record = records[first].clone();
                (record.body.id, record.body.name) = (id as u32, file.name().to_owned());
                record.frames = file.frame_count() as u64;
                // It may be placed in another scale.
                record.size = None;
                records.push(record);
                continue;
            }
        } else if !triangles.is_empty() {
            first_with.insert(triangles.as_ptr(), id);
        }
        let (motion, body) = Motion::start(file, 0)?;
        // Most copies of one mesh have one topology, which takes longer to find out than to read them.
        let mesh = last.filter(|last| is_same(last, body.mesh())).unwrap_or_else(|| Arc::clone(body.mesh()));
        records.push(record(&motion, id, &mesh, size_of(&body)));
        last = Some(mesh);
    }
    if not_looked_at > 0 {
        let copies = counted(not_looked_at, "copy");
        say(format_args!(
            "note: too many triangles: the surfaces of {copies} are taken from the first body of their mesh"
        ));
    }
    Ok(records)
}

/// The GPUs of this machine.
fn list_adapters() -> Result<Verdict> {
    let adapters = crumple_bench::gpu::adapters()?;
    let mut answer = stdout();
    if adapters.is_empty() {
        answer.line("there is no GPU")?;
        say("hint: install its Vulkan driver, or Mesa's software one (on Debian: apt-get install mesa-vulkan-drivers)");
    } else {
        let columns = ["adapter", "kind", "backend", "driver", "lacks"].map(|name| (name, Align::Left));
        let mut table = Table::new(&columns);
        adapters.into_iter().for_each(|adapter| table.row(adapter.to_vec()));
        answer.table(&table)?;
    }
    answer.finish()?;
    Ok(Verdict::Done)
}

/// Whether two meshes have the same triangles, and the same vertices joined.
fn is_same(a: &Mesh, b: &Mesh) -> bool {
    a.vertex_count() == b.vertex_count()
        && a.triangles() == b.triangles()
        && a.welded_triangles() == b.welded_triangles()
}

/// The sides of the box around a body.
fn size_of(body: &Body) -> Option<[f64; 3]> {
    fn sides<T: Copy + Into<f64>>(positions: &[[T; 3]]) -> Option<[f64; 3]> {
        let mut positions = positions.iter().map(|position| position.map(Into::<f64>::into));
        let first = positions.next()?;
        let (min, max) = positions.fold((first, first), |(min, max), position| {
            (from_fn(|axis| position[axis].min(min[axis])), from_fn(|axis| position[axis].max(max[axis])))
        });
        Some(from_fn(|axis| max[axis] - min[axis]))
    }
    body.positions_f64().map_or_else(|| sides(body.positions()), sides)
}

fn record(body: &Motion, id: usize, mesh: &Mesh, size: Option<[f64; 3]>) -> InfoBody {
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
    let frames = body.frame_count() as u64;
    let numbers = body.file().numbers().and_then(|numbers| Some([*numbers.first()?, *numbers.last()?]));
    InfoBody {
        body: record,
        frames,
        numbers: numbers.filter(|ends| *ends != [0, frames - 1]),
        size,
        unit: body.file().unit().map(str::to_owned),
        open: edges(topology.open),
        non_manifold: edges(topology.non_manifold),
        misoriented: edges(topology.misoriented),
    }
}

/// The sides of the box around a body, with their unit; a dash if they are not known.
fn shown_size(body: &InfoBody) -> String {
    let Some(sides) = body.size else { return "-".to_owned() };
    let unit = body.unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
    format!("{}{unit}", sides.map(|side| size(side, 4)).join(" × "))
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
