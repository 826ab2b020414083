//! `--gpu`, in a command built with the feature and in one built without. With it, the tests need an adapter and fail
//! without one; the error says what to install.

use crate::run::Folder;

fn two_tetrahedra() -> Folder {
    let folder = Folder::new();
    folder.tetrahedron("a.ply", 0.0);
    folder.tetrahedron("b.ply", 0.25);
    folder
}

#[cfg(not(feature = "gpu"))]
#[test]
fn a_command_built_without_the_gpu_says_how_to_build_it_with_it() {
    let folder = two_tetrahedra();
    for words in [&["volume", "a.ply", "b.ply", "--gpu"][..], &["inside", "a.ply", "b.ply", "--gpu", "stencil"]] {
        folder.crumple(words).refused(
            "this command was built without the gpu",
            Some("build it with `cargo run --release --features gpu -- …` in the folder of the project"),
        );
    }
    for words in [&["info", "--gpu"][..], &["bench", "HE1", "--gpu"]] {
        let ended = folder.crumple(words);
        assert!(ended.code == Some(2) && ended.stderr.contains("--features gpu"), "{}", ended.stderr);
    }
}

#[cfg(feature = "gpu")]
mod built_in {
    use crumple_io::report::Record;

    use super::two_tetrahedra;
    use crate::run::Ended;

    fn volume(ended: &Ended) -> f64 {
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        let volumes = ended.records().into_iter().filter_map(|record| match record {
            Record::VolumeFrame(frame) => Some(frame.volume),
            _ => None,
        });
        volumes.sum()
    }

    #[test]
    fn both_paths_tell_the_volume_the_cpu_tells() {
        let folder = two_tetrahedra();
        let on_cpu = volume(&folder.crumple(&["volume", "a.ply", "b.ply", "--json"]));
        assert!(on_cpu > 0.05);
        for path in ["compute", "stencil"] {
            let on_gpu = volume(&folder.crumple(&["volume", "a.ply", "b.ply", "--json", "--gpu", path]));
            assert!((on_gpu - on_cpu).abs() < 1e-6 * on_cpu, "{path}: {on_gpu} {on_cpu}");
        }
        let printed = folder.crumple(&["volume", "a.ply", "b.ply", "--gpu"]);
        assert!(
            printed.stdout.starts_with("a × b: a volume of 0.0") && printed.stderr.contains("by compute on"),
            "{printed:?}"
        );
    }

    #[test]
    fn self_overlaps_are_those_of_the_cpu_and_pages_show_the_spans_read_back() {
        let folder = two_tetrahedra();
        folder.crumple(&["scene", "HE5", "--out", "."]);
        let words =
            ["volume", "knot.ply@knot.pc2", "--self-overlap", "--frames", "98..=99", "--resolution", "32", "--json"];
        let volumes = |more: &[&str]| -> Vec<f64> {
            let ended = folder.crumple(&[&words[..], more].concat());
            assert_eq!(ended.code, Some(0), "{}", ended.stderr);
            let volume = |record| match record {
                Record::SelfOverlapFrame(frame) => Some(frame.self_overlap),
                _ => None,
            };
            ended.records().into_iter().filter_map(volume).collect()
        };
        let on_cpu = volumes(&["--html", "cpu.html"]);
        assert!(on_cpu.len() == 2 && on_cpu.iter().all(|volume| *volume > 0.0), "{on_cpu:?}");
        let size = |page: &str| std::fs::metadata(folder.path().join(page)).unwrap().len();
        for path in ["compute", "stencil"] {
            let on_gpu = volumes(&["--gpu", path, "--html", "gpu.html"]);
            let off = on_gpu.iter().zip(&on_cpu).map(|(ours, theirs)| (ours - theirs).abs() / theirs);
            assert!(off.fold(0.0, f64::max) < 1e-4, "{path}: {on_gpu:?} {on_cpu:?}");
            assert!(size("gpu.html").abs_diff(size("cpu.html")) < 2048);
        }
        let [on_cpu, on_gpu] = ["cpu.html", "gpu.html"].map(|page| {
            let gpu: &[&str] = if page == "gpu.html" { &["--gpu"] } else { &[] };
            let words = [&["volume", "a.ply", "b.ply", "--quiet", "--html", page][..], gpu].concat();
            assert_eq!(folder.crumple(&words).code, Some(0));
            size(page)
        });
        assert!(on_cpu.abs_diff(on_gpu) < 2048, "{on_cpu} {on_gpu}");
    }

    #[test]
    fn points_inside_are_those_of_the_cpu() {
        let folder = two_tetrahedra();
        let on_cpu = folder.crumple(&["inside", "a.ply", "b.ply", "--list", "--quiet"]).stdout;
        for path in ["compute", "stencil"] {
            let on_gpu = folder.crumple(&["inside", "a.ply", "b.ply", "--list", "--quiet", "--gpu", path]);
            let listed = |text: &str| -> Vec<String> {
                text.lines().filter(|line| line.starts_with("frame ")).map(str::to_owned).collect()
            };
            assert_eq!(listed(&on_gpu.stdout), listed(&on_cpu), "{path}: {}", on_gpu.stderr);
        }
        let refused = folder.crumple(&["inside", "a.ply", "b.ply", "--exact", "--gpu"]);
        assert!(refused.code == Some(2) && refused.stderr.contains("leave out --gpu or --exact"), "{}", refused.stderr);
    }

    #[test]
    fn adapters_are_listed_and_one_that_is_not_there_is_named() {
        let folder = two_tetrahedra();
        let listed = folder.crumple(&["info", "--gpu"]);
        assert!(listed.code == Some(0) && listed.stdout.starts_with("adapter"), "{listed:?}");
        let refused = folder.crumple(&["volume", "a.ply", "b.ply", "--gpu", "--adapter", "no such card"]);
        assert!(refused.code == Some(2) && refused.stderr.contains("no such card"), "{}", refused.stderr);
    }
}
