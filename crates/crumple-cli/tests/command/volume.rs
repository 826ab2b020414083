//! `volume` and `inside` on files.

use crumple_io::report::{Axis, Record, Samples};
use crumple_io::write::{write_obj, write_ply};
use crumple_io::{Encoding, MeshFile, PointCacheWriter};

use crate::run::{Folder, redacted};

pub(crate) const CUBE: [[u32; 3]; 12] = [
    [0, 2, 1],
    [1, 2, 3],
    [4, 5, 6],
    [5, 7, 6],
    [0, 1, 4],
    [1, 5, 4],
    [2, 6, 3],
    [3, 6, 7],
    [0, 4, 2],
    [2, 4, 6],
    [1, 3, 5],
    [3, 7, 5],
];

pub(crate) fn corners(low: [f32; 3], side: f32) -> Vec<[f32; 3]> {
    (0..8).map(|k| [0, 1, 2].map(|axis| low[axis] + side * ((k >> axis & 1) as f32))).collect()
}

pub(crate) fn cube(low: [f32; 3], side: f32) -> MeshFile {
    MeshFile { positions: corners(low, side), triangles: CUBE.to_vec(), ..MeshFile::default() }
}

/// A cube that stands still, and a smaller one that comes in, lies wholly inside and goes out at the other side.
pub(crate) fn passing() -> Folder {
    let folder = Folder::new();
    write_ply(folder.path().join("still.ply"), &cube([0.0; 3], 2.0), Encoding::LittleEndian).unwrap();
    write_obj(folder.path().join("moving.obj"), &cube([0.5; 3], 1.0)).unwrap();
    let mut cache = PointCacheWriter::create(folder.path().join("moving.pc2"), 8, 6).unwrap();
    for x in [-3.0, -2.0, -0.5, 0.5, 1.75, 9.0] {
        cache.write_frame(&corners([x, 0.5, 0.5], 1.0)).unwrap();
    }
    cache.finish().unwrap();
    folder
}

pub(crate) const PASSING: [&str; 3] = ["volume", "still.ply", "moving.obj@moving.pc2"];

#[test]
fn the_volume_of_one_frame_is_told_in_a_line() {
    let folder = passing();
    let ended = folder.crumple(&["volume", "still.ply", "moving.obj"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    // The small cube lies wholly inside the large one: no triangles meet, and yet they overlap.
    assert_eq!(
        redacted(&ended.stdout),
        "still × moving: a volume of 1.00000 ± 0 around (1.000, 1.000, 1.000) in frame 0 (#)"
    );
    assert_eq!(redacted(&ended.stderr), "1 frame by depth images of 128 x 128 samples, # per frame");
    assert_eq!(folder.crumple(&["check", "still.ply", "moving.obj"]).code, Some(0));
}

#[test]
fn frames_are_told_in_a_table() {
    let ended = passing().crumple(&[&PASSING[..], &["--quiet"]].concat());
    let expected = " \
frame    volume  ±  around
  0–1         0
    2  0.500000  0  (0.2500, 1.000, 1.000)
    3   1.00000  0  (1.000, 1.000, 1.000)
    4  0.250000  0  (1.875, 1.000, 1.000)
    5         0

still × moving: they overlap in 3 of 6 frames, most in frame 3: a volume of 1.00000
";
    assert_eq!((ended.code, &*ended.stdout, &*ended.stderr), (Some(0), expected.trim_start(), ""));
    let apart = passing().crumple(&[&PASSING[..], &["--frames", "0..2", "--quiet"]].concat());
    assert_eq!((apart.code, &*apart.stdout), (Some(0), "still × moving: no overlap in 2 frames\n"));
}

#[test]
fn what_separates_two_bodies_is_printed_when_asked() {
    let folder = passing();
    let words = ["volume", "still.ply", "moving.obj", "--penetration", "--quiet"];
    let ended = folder.crumple(&words);
    // All ways are equally long.
    assert!(ended.stdout.contains("\nmoving still by (") && ended.stdout.ends_with(") separates them\n"), "{ended:?}");
    let Record::VolumeFrame(frame) = &folder.crumple(&[&words[..], &["--json"]].concat()).records()[1] else {
        panic!()
    };
    assert_eq!(frame.penetration.map(|penetration| penetration.depth), Some(1.5));
    let ended = folder.crumple(&[&PASSING[..], &["--penetration", "--quiet", "--frames", "2..5"]].concat());
    let expected = "\
frame    volume  ±  around                  separated by moving the first by
    2  0.500000  0  (0.2500, 1.000, 1.000)  (0.5000, 0, 0)
    3   1.00000  0  (1.000, 1.000, 1.000)   (-1.500, 0, 0)
    4  0.250000  0  (1.875, 1.000, 1.000)   (-0.2500, 0, 0)
";
    assert!(ended.stdout.starts_with(expected), "{}", ended.stdout);
}

#[test]
fn a_page_shows_the_bodies_what_meets_and_the_volume_of_every_frame() {
    let folder = passing();
    let ended = folder.crumple(&[&PASSING[..], &["--html", "page.html", "--resolution", "16"]].concat());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.ends_with("page.html: a page to open in a browser\n"), "{}", ended.stderr);
    // The answer is what it is without a page.
    let without = folder.crumple(&[&PASSING[..], &["--resolution", "16"]].concat());
    assert_eq!(ended.stdout, without.stdout);
    let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains("\"volume\":[0.0,0.0,0.5,1.0,0.25,0.0]"), "the volumes of the frames");
    assert!(page.contains("They overlap in 3 of 6 frames,\nmost in frame 3: a volume of\n1.00000, sampled."));
    // In frame 3 the small cube lies wholly inside the large one: an overlap in which no triangles meet.
    assert!(page.contains("Triangles meet in 2 of 6 frames: first in frame 2, last in frame 4."));
    assert!(!page.contains("\"exact\":true"));
    folder
        .crumple(&["volume", "still.ply", "moving.obj", "--html", "still.ply"])
        .refused("--html still.ply would overwrite the input still.ply", Some("choose another name"));
}

#[test]
fn records_carry_the_contracts_fields() {
    let ended = passing().crumple(&[&PASSING[..], &["--json", "--resolution", "32", "--threads", "1"]].concat());
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""));
    let records = ended.records();
    let [Record::Header(header), frames @ .., Record::VolumeSummary(last)] = &records[..] else {
        panic!("{records:?}")
    };
    assert_eq!(
        (header.schema.as_str(), header.method.as_str(), header.frames, header.bodies.len()),
        ("crumple.report/1", "depth-images", 6, 2)
    );
    assert_eq!(header.bodies[1].face_of_triangle, None);
    let volume = |record: &Record| match record {
        Record::VolumeFrame(frame) => frame.clone(),
        other => panic!("{other:?}"),
    };
    let frames: Vec<_> = frames.iter().map(volume).collect();
    assert_eq!(frames.iter().map(|frame| frame.volume).collect::<Vec<_>>(), [0.0, 0.0, 0.5, 1.0, 0.25, 0.0]);
    assert_eq!((&frames[0].voi, frames[0].centroid, frames[0].bounds), (&None, None, None));
    let deep = &frames[3];
    assert_eq!((deep.resolution, deep.depth_complexity, deep.unordered_columns), (Samples::Square(32), [1, 2], None));
    // The large cube is seen from outside itself, so its near side and no more: the box is extended one way.
    let voi = deep.voi.as_ref().unwrap();
    assert_eq!((voi.min, voi.max, voi.axis), ([0.0, 0.5, 0.5], [1.5, 1.5, 1.5], Axis::X));
    let bounds = deep.bounds.unwrap();
    assert_eq!((bounds.min, bounds.max), ([0.5; 3], [1.5; 3]));
    assert!(frames.iter().all(|frame| frame.stage12_us > 0.0 && frame.stage3_us >= 0.0));
    let summary = &last.summary;
    assert_eq!((summary.frames, summary.frames_overlapping), (6, 3));
    assert_eq!((summary.first, summary.last, summary.worst.map(|worst| worst.frame)), (Some(2), Some(4), Some(3)));
}

#[test]
fn bodies_are_chosen_by_name() {
    let folder = passing();
    let ended = folder.crumple(&["volume", "still.ply", "moving.obj", "--bodies", "moving", "still", "--quiet"]);
    assert!(ended.stdout.starts_with("moving × still: a volume of 1.00000 ± 0 "), "{ended:?}");
}

#[test]
fn a_rectangle_of_samples_is_asked_for_with_an_x() {
    let ended = passing().crumple(&["volume", "still.ply", "moving.obj", "--json", "--resolution", "16x64"]);
    let Record::VolumeFrame(frame) = &ended.records()[1] else { panic!("{}", ended.stdout) };
    assert_eq!((frame.resolution, frame.volume), (Samples::Rectangle([16, 64]), 1.0));
}

#[test]
fn what_cannot_be_measured_is_refused_with_what_to_try() {
    let folder = passing();
    for bad in ["0", "4097", "x", "128x", "128x0", "-1"] {
        let ended = folder.crumple(&["volume", "still.ply", "moving.obj", &format!("--resolution={bad}")]);
        let error = format!(
            "invalid value '{bad}' for '--resolution <N>': a side takes 1 to 4096 samples, as in 128 or 256x64"
        );
        ended.refused(&error, Some("try `crumple --help`"));
    }
    folder.crumple(&["volume", "still.ply"]).refused("there is only one body, still", Some("name another file"));
    folder
        .crumple(&["volume", "still.ply", "moving.obj", "--bodies", "still", "knot"])
        .refused("there is no body knot", Some("there are still, moving"));
    folder.crumple(&["volume", "still.ply", "moving.obj", "--bodies", "still", "still"]).refused(
        "still was named twice",
        Some("`crumple volume --self-overlap` measures how much of it overlaps itself"),
    );

    let mut open = cube([0.5; 3], 1.0);
    open.triangles.remove(0);
    write_ply(folder.path().join("open.ply"), &open, Encoding::Ascii).unwrap();
    folder.crumple(&["volume", "still.ply", "open.ply"]).refused(
        "open is open along 3 edges, the first from vertex 1 to vertex 2 of triangle 0, so it has no inside",
        Some("close it, or go on with --assume-closed"),
    );
    let mut turned = cube([0.5; 3], 1.0);
    turned.triangles[0].swap(0, 1);
    write_ply(folder.path().join("turned.ply"), &turned, Encoding::Ascii).unwrap();
    let ended = folder.crumple(&["volume", "turned.ply", "still.ply"]);
    assert!(
        ended.stderr.starts_with("error: turned is turned over along 3 edges, the first from "),
        "{}",
        ended.stderr
    );
    assert!(ended.stderr.ends_with("hint: turn its triangles one way, or go on with --parity or --assume-closed\n"));
    let by_parity = folder.crumple(&["volume", "turned.ply", "still.ply", "--parity", "--quiet"]);
    assert!(by_parity.stdout.starts_with("turned × still: a volume of 1.00000 ± 0 "), "{by_parity:?}");

    let flat = MeshFile { positions: corners([0.5; 3], 0.0), triangles: CUBE.to_vec(), ..MeshFile::default() };
    write_ply(folder.path().join("flat.ply"), &flat, Encoding::Ascii).unwrap();
    let ended = folder.crumple(&["volume", "flat.ply", "still.ply", "--no-weld"]);
    ended.refused("flat is flat, so it has no inside: it reaches from [0.5, 0.5, 0.5] to [0.5, 0.5, 0.5]", None);
}

#[test]
fn a_frame_that_is_flat_is_named() {
    let folder = passing();
    let mut cache = PointCacheWriter::create(folder.path().join("falling.mdd"), 8, 2).unwrap();
    cache.write_frame(&corners([0.5; 3], 1.0)).unwrap();
    cache.write_frame(&corners([0.5; 3], 0.0)).unwrap();
    cache.finish().unwrap();
    let ended = folder.crumple(&["volume", "still.ply", "moving.obj@falling.mdd"]);
    let error = "frame 1: moving is flat, so it has no inside: it reaches from [0.5, 0.5, 0.5] to [0.5, 0.5, 0.5]";
    ended.refused(error, None);
}

#[test]
fn a_body_taken_for_closed_tells_how_many_rays_show_that_it_is_not() {
    let folder = passing();
    let mut open = cube([0.5; 3], 1.0);
    // Without its upper side, of which some rays see nothing but the lower one.
    open.triangles.retain(|triangle| !triangle.iter().all(|&vertex| vertex >= 4));
    write_ply(folder.path().join("open.ply"), &open, Encoding::Ascii).unwrap();
    let words = ["inside", "open.ply", "still.ply", "--assume-closed", "--resolution", "8"];
    let ended = folder.crumple(&[&words[..], &["--quiet"]].concat());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let note = "entries and exits do not alternate in 64 columns of open: there it overlaps itself or is not closed";
    assert_eq!(redacted(&ended.stdout), format!("0 of 8 points inside open in frame 0 (#)\n{note}"));
    let Record::InsideFrame(frame) = &folder.crumple(&[&words[..], &["--json"]].concat()).records()[1] else {
        panic!()
    };
    assert_eq!(frame.unordered_columns, Some(64));
}

/// Points in, on and outside the cube that stands still, and one that pixels get wrong.
fn points(folder: &Folder) {
    let text = "# x y z\n1 1 1\n3 1 1\n2 2 2\n1.5 0.25 1.75\n-0.0001 1 1\n";
    std::fs::write(folder.path().join("points.xyz"), text).unwrap();
}

#[test]
fn points_inside_are_counted_and_listed_when_asked() {
    let folder = passing();
    points(&folder);
    let words = ["inside", "still.ply", "points.xyz"];
    let ended = folder.crumple(&words);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(redacted(&ended.stdout), "3 of 5 points inside still in frame 0 (#)");
    let talk = "\
1 frame by a depth image of 128 x 128 samples, # per frame
points nearer than 0.011 to the surface may be wrong; --exact removes that error";
    assert_eq!(redacted(&ended.stderr), talk);
    let exact = folder.crumple(&[&words[..], &["--exact", "--list"]].concat());
    let expected = "frame 0: point 0\nframe 0: point 2\nframe 0: point 3\n3 of 5 points inside still in frame 0 (#)";
    assert_eq!(redacted(&exact.stdout), expected);
    assert_eq!(redacted(&exact.stderr), "1 frame decided exactly, # per frame");
}

#[test]
fn points_may_be_vertices_of_anything_in_motion() {
    let folder = passing();
    for file in ["moving.obj@moving.pc2", "moving.pc2"] {
        let ended = folder.crumple(&["inside", "still.ply", file, "--quiet"]);
        let expected = " \
frame  points inside
  0–1              0
    2              4
    3              8
    4              4
    5              0

some of 8 points inside still in 3 of 6 frames, most in frame 3: 8
";
        assert_eq!((ended.code, &*ended.stdout, &*ended.stderr), (Some(0), expected.trim_start(), ""), "{file}");
    }
    // The other way round the body moves and the points stand still.
    let ended = folder.crumple(&["inside", "moving.obj@moving.pc2", "still.ply", "--json"]);
    let records = ended.records();
    let [Record::Header(header), frames @ .., Record::InsideSummary(last)] = &records[..] else {
        panic!("{records:?}")
    };
    assert_eq!((header.frames, frames.len(), last.summary.points, last.summary.worst), (6, 6, 8, None));
}

#[test]
fn records_name_the_points_by_number() {
    let folder = passing();
    points(&folder);
    for (option, method) in [("--exact", "exact"), ("--parity", "depth-images")] {
        let records = folder.crumple(&["inside", "still.ply", "points.xyz", "--json", option]).records();
        let [Record::Header(header), Record::InsideFrame(frame), Record::InsideSummary(last)] = &records[..] else {
            panic!("{records:?}")
        };
        assert_eq!(
            (header.method.as_str(), &header.bodies[1].name[..], header.bodies[1].vertices),
            (method, "points", 5)
        );
        assert_eq!((frame.frame, &frame.inside[..]), (0, &[0, 2, 3][..]));
        assert_eq!((last.summary.points, last.summary.frames_with_points_inside), (5, 1));
    }
}

#[test]
fn points_that_cannot_be_tested_are_refused() {
    let folder = passing();
    std::fs::write(folder.path().join("none.xyz"), "# nothing\n").unwrap();
    folder.crumple(&["inside", "still.ply", "none.xyz"]).refused("none.xyz: there are no points in it", None);
    folder
        .crumple(&["inside", "still.ply", "missing.xyz"])
        .refused("missing.xyz: cannot be read: no such file or directory", None);
    points(&folder);
    std::fs::write(folder.path().join("cloud.obj"), "v 0 0 0\nv 1 1 1\n").unwrap();
    folder.crumple(&["inside", "cloud.obj", "points.xyz"]).refused("cloud has no triangles, so it has no inside", None);
    let scene = "v 0 0 0\nv 1 0 0\nv 0 1 0\no one\nf 1 2 3\n";
    std::fs::write(folder.path().join("points.txt"), scene).unwrap();
    let ended = folder.crumple(&["inside", "still.ply", "points.txt"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.starts_with("error: points.txt: `.txt` is not a format that is read\n"), "{}", ended.stderr);
}
