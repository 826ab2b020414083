//! `crumple bench`: repeats the experiments of the papers, and some of our own. The crate `crumple-bench` has them.

use anyhow::{Result, bail};
use crumple_bench::gpu::{self, Device};
use crumple_bench::{Form, Output, Selection, Settings};
use crumple_io::report::Record;
use crumple_io::words::Table;

use crate::args::BenchArgs;
use crate::output::{Destination, FilesInUse, Out, Verdict, hinted, progress, say, stdout};
use crumple_check::threads;

/// What to measure, checked.
struct Plan {
    selection: Selection,
    settings: Settings,
    form: Form,
    csv: Option<Destination>,
    svg: Option<Destination>,
    quiet: bool,
}

/// The experiments that can be measured on the GPU.
const ON_GPU: [&str; 5] = ["HE1", "HE2", "HE3", "HE4", "HE5"];

pub(crate) fn run(args: BenchArgs) -> Result<Verdict> {
    let selection = Selection::new(&args.names, args.list || args.data.is_some())?;
    if args.list {
        let mut answer = stdout();
        answer.table(&selection.list())?;
        answer.finish()?;
        return Ok(Verdict::Done);
    }
    selection.check_methods(&args.method)?;
    if let Some(folder) = args.data.as_ref().filter(|folder| !folder.is_dir()) {
        let what = format!("{}: there is no such folder", folder.display());
        return Err(hinted(what, "--data names a folder of meshes"));
    }
    if args.picture.is_some() && !selection.includes("HE3") {
        return Err(hinted("only HE3 has something to draw a picture of", "--svg draws the times of every experiment"));
    }
    if args.gpu.is_some() && !ON_GPU.iter().any(|name| selection.includes(name)) {
        bail!("only HE1 to HE5 can be measured on the gpu");
    }
    let mut in_use = FilesInUse::new();
    if let Some(folder) = &args.data {
        in_use.read_folder(folder);
    }
    for (option, path) in [("--csv", &args.csv), ("--svg", &args.svg), ("--picture", &args.picture)] {
        path.as_deref().map_or(Ok(()), |path| in_use.write(option, path))?;
    }
    let [csv, svg] = [args.csv, args.svg].map(|path| path.as_deref().map(Destination::create).transpose());
    let gpu = match args.gpu {
        Some(path) => {
            let paths = path.map_or(gpu::Path::ALL.to_vec(), |path| vec![path.into()]);
            Some((Device::open(args.adapter.as_deref())?, paths))
        }
        None => None,
    };
    let settings = Settings {
        methods: args.method,
        frames: args.frames,
        repeat: args.repeat,
        threads: args.threads,
        data: args.data,
        picture: args.picture,
        gpu,
        progress: if args.quiet { progress::hidden } else { progress::bar },
    };
    let form = if args.json { Form::Records } else { Form::Text };
    let plan = Plan { selection, settings, form, csv: csv?, svg: svg?, quiet: args.quiet };
    threads::within(Some(args.threads), || bench(plan))
}

fn bench(plan: Plan) -> Result<Verdict> {
    let Plan { selection, settings, form, csv, svg, quiet } = plan;
    let mut answer = Answer(stdout());
    let results = selection.run(&settings, form, &mut answer)?;
    answer.0.finish()?;
    let csv = csv.map(|file| file.write(&results.csv())).transpose()?;
    let svg = svg.map(|file| file.write(&results.svg()?)).transpose()?;
    if !quiet {
        settings.picture.iter().chain(&csv).chain(&svg).for_each(|path| say(format_args!("wrote {}", path.display())));
    }
    Ok(Verdict::Done)
}

/// Standard output as the laboratory takes it.
struct Answer(Out);

impl Output for Answer {
    fn line(&mut self, line: &str) -> Result<()> {
        self.0.line(line)
    }

    fn table(&mut self, table: &Table) -> Result<()> {
        self.0.table(table)
    }

    fn record(&mut self, record: &Record) -> Result<()> {
        self.0.record(record)
    }
}
