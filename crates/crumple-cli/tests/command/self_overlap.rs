//! `volume --self-overlap` on files.

use std::fs;

use crumple_io::report::{Record, Samples, SelfOverlapFrame};
use crumple_io::write::{write_obj, write_ply};
use crumple_io::{Encoding, MeshFile, PointCacheWriter};

use crate::run::{Folder, redacted};
use crate::volume::{CUBE, corners, cube};

/// Two cubes in one mesh, of side 2 and 1.
fn two_cubes(x: f32) -> MeshFile {
    let positions = [corners([0.0; 3], 2.0), corners([x, 0.5, 0.5], 1.0)].concat();
    let triangles = CUBE.iter().copied().chain(CUBE.map(|triangle| triangle.map(|vertex| vertex + 8))).collect();
    MeshFile { positions, triangles, ..MeshFile::default() }
}

/// A body of which one part comes into the other, is wholly inside it, and goes out again.
fn swallowing() -> Folder {
    let folder = Folder::new();
    write_obj(folder.path().join("body.obj"), &two_cubes(0.5)).unwrap();
    let mut cache = PointCacheWriter::create(folder.path().join("body.pc2"), 16, 5).unwrap();
    for x in [-3.0, -0.5, 0.5, 1.75, 4.0] {
        cache.write_frame(&two_cubes(x).positions).unwrap();
    }
    cache.finish().unwrap();
    folder
}

const MOVING: [&str; 5] = ["volume", "body.obj@body.pc2", "--self-overlap", "--resolution", "16"];

fn frames(records: &[Record]) -> Vec<SelfOverlapFrame> {
    let frame = |record: &Record| match record {
        Record::SelfOverlapFrame(frame) => Some(frame.clone()),
        _ => None,
    };
    records.iter().filter_map(frame).collect()
}

#[test]
fn one_frame_is_told_in_a_line() {
    let folder = swallowing();
    let ended = folder.crumple(&["volume", "body.obj", "--self-overlap", "--resolution", "16"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let line = "body: a volume of 1.00000 is covered more than once in frame 0 (#)";
    assert_eq!(redacted(&ended.stdout), line);
    assert_eq!(redacted(&ended.stderr), "1 frame by a depth image of 16 x 16 samples, # per frame");
    write_ply(folder.path().join("cube.ply"), &cube([0.0; 3], 2.0), Encoding::Ascii).unwrap();
    let clean = folder.crumple(&["volume", "cube.ply", "--self-overlap", "--quiet"]);
    assert_eq!(redacted(&clean.stdout), "cube: it does not overlap itself in frame 0 (#)");
}

#[test]
fn frames_are_told_in_a_table() {
    let ended = swallowing().crumple(&[&MOVING[..], &["--quiet"]].concat());
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""));
    let lines: Vec<Vec<&str>> = ended.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0].join(" "), "frame covered more than once inside out triangles there");
    assert_eq!(lines[1], ["0", "0", "0", "0"]);
    assert_eq!(lines[3][..3], ["2", "1.00000", "0"]);
    assert_eq!(lines[5], ["4", "0", "0", "0"]);
    let last = "body: it overlaps itself in 3 of 5 frames, most in frame 2: a volume of 1.00000";
    assert_eq!(ended.stdout.lines().last(), Some(last));
    let apart = swallowing().crumple(&[&MOVING[..], &["--quiet", "--frames", "4..5"]].concat());
    assert_eq!(redacted(&apart.stdout), "body: it does not overlap itself in frame 4 (#)");
}

#[test]
fn records_carry_both_volumes_and_a_summary() {
    let folder = swallowing();
    let records = folder.crumple(&[&MOVING[..], &["--json"]].concat()).records();
    let [Record::Header(header), .., Record::VolumeSummary(last)] = &records[..] else { panic!("{records:?}") };
    assert_eq!((&*header.method, header.bodies.len(), header.frames), ("depth-images", 1, 5));
    let frames = frames(&records);
    let volumes: Vec<f64> = frames.iter().map(|frame| frame.self_overlap).collect();
    for (volume, expected) in volumes.iter().zip([0.0, 0.5, 1.0, 0.25, 0.0]) {
        // Off by at most a column of samples: 2.75 / 16 wide, 1 high, 1 deep.
        assert!((volume - expected).abs() < 0.18 && (*volume == 0.0) == (expected == 0.0), "{volumes:?}");
    }
    assert_eq!((volumes[2], frames[2].inverted, frames[2].resolution), (1.0, 0.0, Samples::Square(16)));
    // The two sides of the small cube that are across the rays.
    assert_eq!((frames[2].columns, frames[2].triangles, frames[2].depth_complexity), (64, Some(4), 4));
    let summary = &last.summary;
    assert_eq!((summary.frames, summary.frames_overlapping, summary.first, summary.last), (5, 3, Some(1), Some(3)));

    // A part turned over encloses its volume the wrong way round.
    let mut turned = two_cubes(4.0);
    turned.triangles[12..].iter_mut().for_each(|triangle| triangle.swap(0, 1));
    write_ply(folder.path().join("turned.ply"), &turned, Encoding::Ascii).unwrap();
    let ended = folder.crumple(&["volume", "turned.ply", "--self-overlap", "--resolution", "20", "--quiet"]);
    let line = "turned: it does not overlap itself, a volume of 1.00000 is turned inside out in frame 0 (#)";
    assert_eq!(redacted(&ended.stdout), line);
}

#[test]
fn parts_of_a_report_are_merged() {
    let folder = swallowing();
    let part = |name: &str, frames: &str| {
        let ended = folder.crumple(&[&MOVING[..], &["--json", "--frames", frames]].concat());
        fs::write(folder.path().join(name), ended.stdout).unwrap();
    };
    part("one.jsonl", "..2");
    part("two.jsonl", "2..");
    let merged = folder.crumple(&["merge", "two.jsonl", "one.jsonl"]).records();
    let Some(Record::VolumeSummary(last)) = merged.last() else { panic!("{merged:?}") };
    assert_eq!((frames(&merged).len(), last.summary.frames_overlapping), (5, 3));
}

#[test]
fn a_table_and_a_page_are_written() {
    let folder = swallowing();
    let ended = folder.crumple(&[&MOVING[..], &["--csv", "itself.csv", "--html", "itself.html"]].concat());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.ends_with("itself.html: a page to open in a browser\nitself.csv: 5 rows\n"), "{ended:?}");
    let table = fs::read_to_string(folder.path().join("itself.csv")).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!((lines[0], lines[1]), ("frame,self_overlap,inverted,columns,triangles,name", "0,0,0,0,0,body"));
    assert_eq!((lines[3], lines.len()), ("2,1,0,64,4,body", 6));
    let page = fs::read_to_string(folder.path().join("itself.html")).unwrap();
    assert!(page.contains("It overlaps itself in 3\nof 5 frames, most in frame 2:\na volume of 1.00000, sampled."));
    // The triangles that meet are found too; in frame 2 one part is wholly inside the other.
    assert!(page.contains("Triangles meet in 2 of 5 frames: first in frame 1, last in frame 3."));
    let on_stdout = folder.crumple(&[&MOVING[..], &["--csv", "-", "--quiet"]].concat());
    assert_eq!((on_stdout.code, &*on_stdout.stdout), (Some(0), &*table));
    folder
        .crumple(&[&MOVING[..], &["--csv", "body.obj"]].concat())
        .refused("--csv body.obj would overwrite the input body.obj", Some("choose another name"));
}

#[test]
fn the_exit_code_is_1_above_a_volume() {
    let folder = swallowing();
    for (volume, code) in [("0.9", Some(1)), ("1", Some(0))] {
        assert_eq!(
            folder.crumple(&[&MOVING[..], &["--fail-above", volume, "--quiet"]].concat()).code,
            code,
            "{volume}"
        );
    }
}

#[test]
fn what_has_no_inside_is_refused_and_so_is_what_makes_no_sense() {
    let folder = swallowing();
    let mut open = cube([0.5; 3], 1.0);
    open.triangles.remove(0);
    write_ply(folder.path().join("open.ply"), &open, Encoding::Ascii).unwrap();
    folder.crumple(&["volume", "open.ply", "--self-overlap"]).refused(
        "open is open along 3 edges, the first from vertex 1 to vertex 2 of triangle 0, so it has no inside",
        Some("close it, or go on with --assume-closed"),
    );
    assert_eq!(folder.crumple(&["volume", "open.ply", "--self-overlap", "--assume-closed"]).code, Some(0));
    let exact = [&["volume", "body.obj", "--self-overlap", "--exact"][..], &["--resolution", "16"]].concat();
    assert_eq!(folder.crumple(&exact).code, Some(2));
    for more in [&["open.ply"][..], &["--parity"], &["--penetration"], &["--bodies", "a", "b"]] {
        let ended = folder.crumple(&[&["volume", "body.obj", "--self-overlap"], more].concat());
        assert!(ended.code == Some(2) && ended.stderr.contains("cannot be used with"), "{more:?}: {}", ended.stderr);
    }
    let both = "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no b\nv 0 0 1\nv 1 0 1\nv 0 1 1\nf 4 5 6\n";
    fs::write(folder.path().join("both.obj"), both).unwrap();
    folder
        .crumple(&["volume", "both.obj", "--self-overlap", "--body", "c"])
        .refused("there is no body c", Some("there are both"));
}

/// The part of a cube of side 2 that the small one covers, exactly.
const EXACT: [&str; 4] = ["volume", "body.obj@body.pc2", "--self-overlap", "--exact"];

#[test]
fn exact_volumes_are_told_in_a_table_with_regions() {
    let folder = swallowing();
    let ended = folder.crumple(&[&EXACT[..], &["--quiet"]].concat());
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""));
    let lines: Vec<Vec<&str>> = ended.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0].join(" "), "frame volume regions triangles there");
    assert_eq!((lines[1].join(" "), lines[2][..3].join(" ")), ("0 0".to_owned(), "1 0.500000 1".to_owned()));
    assert_eq!((lines[3].join(" "), lines[4][..3].join(" ")), ("2 1.00000 1 12".to_owned(), "3 0.250000 1".to_owned()));
    let last = "body: it overlaps itself in 3 of 5 frames, most in frame 2: a volume of 1.00000";
    assert_eq!(ended.stdout.lines().last(), Some(last));
    let one = folder.crumple(&["volume", "body.obj", "--self-overlap", "--exact", "--quiet"]);
    let mut lines = one.stdout.lines();
    assert_eq!(redacted(lines.next().unwrap()), "body: it overlaps itself by a volume of 1.00000 in frame 0 (#)");
    assert!(one.stdout.contains("(1.000, 1.000, 1.000)"), "{}", one.stdout);
    let apart = folder.crumple(&[&EXACT[..], &["--quiet", "--frames", "4..5"]].concat());
    assert_eq!(redacted(&apart.stdout), "body: it does not overlap itself in frame 4 (#)");
}

#[test]
fn exact_records_have_regions_and_tables_a_row_for_each() {
    let folder = swallowing();
    let records = folder.crumple(&[&EXACT[..], &["--json", "--csv", "regions.csv"]].concat()).records();
    let [Record::Header(header), frames @ .., Record::VolumeSummary(last)] = &records[..] else {
        panic!("{records:?}")
    };
    assert_eq!((&*header.method, header.bodies.len(), last.summary.frames_overlapping), ("exact", 1, 3));
    let mut rows = 0;
    for (record, expected) in frames.iter().zip([0.0, 0.5, 1.0, 0.25, 0.0]) {
        let Record::ExactSelfOverlapFrame(frame) = record else { panic!("{record:?}") };
        assert!((frame.self_overlap - expected).abs() < 1e-14 && (frame.enclosed - 9.0).abs() < 1e-14);
        let sum: f64 = frame.regions.iter().map(|region| region.volume).sum();
        assert!((sum - expected).abs() < 1e-14);
        rows += frame.regions.len();
    }
    let table = fs::read_to_string(folder.path().join("regions.csv")).unwrap();
    assert!(table.starts_with("frame,volume,area,centroid_x,") && table.lines().count() == 1 + rows, "{table}");
}

#[test]
fn an_open_body_is_refused_where_volumes_are_exact() {
    let folder = Folder::new();
    let mut open = cube([0.0; 3], 2.0);
    open.triangles.pop();
    write_ply(folder.path().join("open.ply"), &open, Encoding::Ascii).unwrap();
    let ended = folder.crumple(&["volume", "open.ply", "--self-overlap", "--exact"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("open"), "{}", ended.stderr);
}

#[test]
fn a_check_of_a_body_against_itself_has_the_volume_and_accepts_what_is_small() {
    let folder = swallowing();
    let check = ["check", "body.obj@body.pc2", "--self", "--volume", "--json"];
    let ended = folder.crumple(&check);
    assert_eq!(ended.code, Some(1));
    let mut volumes = Vec::new();
    for record in ended.records() {
        if let Record::Frame(frame) = record {
            volumes.extend(frame.contacts.iter().map(|contact| (frame.frame, contact.volume.unwrap())));
        }
    }
    // In frame 2 the small cube is within the other and meets nothing.
    assert_eq!(volumes.len(), 2, "{volumes:?}");
    for ((frame, volume), expected) in volumes.into_iter().zip([(1, 0.5), (3, 0.25)]) {
        assert!(frame == expected.0 && (volume - expected.1).abs() < 1e-14);
    }
    let accepted = folder.crumple(&["check", "body.obj@body.pc2", "--self", "--max-volume", "0.5", "--quiet"]);
    assert_eq!(accepted.code, Some(0), "{}", accepted.stdout);
    let refused = folder.crumple(&["check", "body.obj@body.pc2", "--self", "--max-volume", "0.4", "--quiet"]);
    assert_eq!(refused.code, Some(1), "{}", refused.stdout);
}
