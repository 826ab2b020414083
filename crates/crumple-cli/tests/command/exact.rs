//! `volume --exact` and `check --depth` on files.

use std::fs;

use crumple_io::report::Record;
use crumple_io::write::write_ply;
use crumple_io::{Encoding, MeshFile};

use crate::run::{Folder, redacted};
use crate::volume::{CUBE, PASSING, corners, cube, passing};

fn exact(words: &[&str]) -> Vec<String> {
    [&PASSING[..], &["--exact", "--quiet"], words].concat().into_iter().map(str::to_owned).collect()
}

fn run(folder: &Folder, words: &[&str]) -> crate::run::Ended {
    let words = exact(words);
    folder.crumple(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn exact_volumes_are_printed_as_a_table_with_area_centroid_and_regions() {
    let ended = run(&passing(), &[]);
    let expected = " \
frame    volume     area  around                  regions
  0–1         0
    2  0.500000  4.00000  (0.2500, 1.000, 1.000)        1
    3   1.00000  6.00000  (1.000, 1.000, 1.000)         1
    4  0.250000  3.00000  (1.875, 1.000, 1.000)         1
    5         0

still × moving: they overlap in 3 of 6 frames, most in frame 3: a volume of 1.00000
";
    assert_eq!((ended.code, &*ended.stdout, &*ended.stderr), (Some(0), expected.trim_start(), ""));
    let apart = run(&passing(), &["--frames", "0..2"]);
    assert_eq!((apart.code, &*apart.stdout), (Some(0), "still × moving: no overlap in 2 frames\n"));
}

#[test]
fn the_regions_of_a_single_frame_are_listed() {
    let folder = passing();
    // Two prongs of one body in a cube.
    let prong = |x: f32| corners([x, 1.5, 0.5], 1.0).into_iter().map(move |[x, y, z]| [0.25 * x, y, z]);
    let positions: Vec<[f32; 3]> = prong(1.0).chain(prong(5.0)).collect();
    let triangles = CUBE.iter().flat_map(|&t| [t, t.map(|vertex| vertex + 8)]).collect();
    let prongs = MeshFile { positions, triangles, ..MeshFile::default() };
    write_ply(folder.path().join("prongs.ply"), &prongs, Encoding::Ascii).unwrap();
    let ended = folder.crumple(&["volume", "prongs.ply", "still.ply", "--exact", "--penetration"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    // The edge of the first region runs through the diagonal of a face of the cube: which of its triangles it is counted
    // with is a choice.
    let expected = "\
prongs × still: a volume of 0.250000, an area of 3.50000 around (0.8750, 1.750, 1.000) in frame 0 (#)

region    volume     area  around                   normal     triangles
     0  0.125000  1.75000  (0.3750, 1.750, 1.000)  (0, 1.000, 0)  10 and 1
     1  0.125000  1.75000  (1.375, 1.750, 1.000)   (0, 1.000, 0)  10 and 2
";
    let shown = redacted(&ended.stdout);
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let (table, way) = shown.split_once("\nmoving ").expect("the way out is shown");
    assert_eq!(words(table), words(expected), "{shown}");
    assert!(way.starts_with("prongs by (") && way.contains(", 0.5000, ") && way.ends_with(" separates them"), "{way}");
    assert_eq!(redacted(&ended.stderr), "1 frame exactly, # per frame");
}

#[test]
fn exact_records_say_so_and_carry_regions() {
    let ended = run(&passing(), &["--json"]);
    let records = ended.records();
    let [Record::Header(header), frames @ .., Record::VolumeSummary(last)] = &records[..] else {
        panic!("{records:?}")
    };
    assert_eq!((&*header.method, frames.len()), ("exact", 6));
    let frames: Vec<_> = frames
        .iter()
        .map(|record| match record {
            Record::ExactVolumeFrame(frame) => frame.clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    for (frame, expected) in frames.iter().zip([0.0, 0.0, 0.5, 1.0, 0.25, 0.0]) {
        assert!(frame.exact && (frame.volume - expected).abs() < 1e-15, "{frame:?}");
        assert_eq!((frame.regions.len(), frame.centroid.is_some()), (usize::from(expected > 0.0), expected > 0.0));
    }
    // From the left: the way out of the cube that stands still is to the right.
    let [entering, inside, leaving] = [2, 3, 4].map(|frame: usize| frames[frame].regions[0]);
    assert_eq!([entering.normal, inside.normal, leaving.normal], [[1.0, 0.0, 0.0], [0.0; 3], [-1.0, 0.0, 0.0]]);
    assert!((entering.contact_area - 1.0).abs() < 1e-15 && inside.contact_area == 0.0);
    assert_eq!((entering.triangles, inside.triangles, inside.vertices), ([2, 10], [0, 12], [0, 8]));
    // It has gone from one side to the other through the same triangles of the moving cube.
    assert_eq!(entering.id, inside.id);
    assert_eq!((last.summary.first, last.summary.last), (Some(2), Some(4)));
}

#[test]
fn regions_are_written_as_a_table_and_a_page() {
    let folder = passing();
    let words = [&PASSING[..], &["--exact", "--csv", "regions.csv", "--html", "regions.html"]].concat();
    let ended = folder.crumple(&words);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.contains("regions.html: a page to open in a browser\nregions.csv: 3 rows\n"), "{ended:?}");
    let table = fs::read_to_string(folder.path().join("regions.csv")).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[0].starts_with("frame,region,volume,area,centroid_x,") && lines[0].ends_with(",name_a,name_b"));
    assert_eq!(lines[2], "3,0,1,6,1,1,1,0,0,0,0,0,12,0,8,still,moving");
    let columns = |line: &str| line.split(',').count();
    assert!(lines.iter().all(|line| columns(line) == columns(lines[0])));
    let page = fs::read_to_string(folder.path().join("regions.html")).unwrap();
    assert!(
        page.contains("They overlap in 3 of 6 frames,\nmost in frame 3: a volume of\n1.00000, exact up to rounding.")
    );
    assert!(page.contains("\"exact\":true"));

    let on_stdout = run(&folder, &["--csv", "-"]);
    assert_eq!((on_stdout.code, &*on_stdout.stdout), (Some(0), &*table));
    run(&folder, &["--csv", "-", "--json"])
        .refused("--csv - leaves no room for --json on standard output", Some("name a file for the table"));
    run(&folder, &["--html", "still.ply"])
        .refused("--html still.ply would overwrite the input still.ply", Some("choose another name"));
}

#[test]
fn bodies_without_an_inside_have_no_exact_overlap() {
    let folder = passing();
    let mut open = cube([0.5; 3], 1.0);
    open.triangles.remove(0);
    write_ply(folder.path().join("open.ply"), &open, Encoding::Ascii).unwrap();
    folder.crumple(&["volume", "still.ply", "open.ply", "--exact"]).refused(
        "open is open along 3 edges, the first from vertex 1 to vertex 2 of triangle 0, so it has no inside",
        Some("close it, or sample the volume: leave out --exact, with --assume-closed"),
    );
    let mut turned = cube([0.5; 3], 1.0);
    turned.triangles[0].swap(0, 1);
    write_ply(folder.path().join("turned.ply"), &turned, Encoding::Ascii).unwrap();
    let ended = folder.crumple(&["volume", "turned.ply", "still.ply", "--exact"]);
    assert!(ended.stderr.starts_with("error: turned is turned over along 3 edges, the first from "), "{ended:?}");
    folder.crumple(&["volume", "still.ply", "moving.obj", "--exact", "--bodies", "still", "still"]).refused(
        "still was named twice",
        Some("`crumple volume --self-overlap` measures how much of it overlaps itself"),
    );
}

#[test]
fn options_of_depth_images_do_not_go_with_exact_and_the_table_needs_it() {
    let folder = passing();
    for option in ["--resolution=64", "--parity", "--assume-closed", "--gpu"] {
        let ended = folder.crumple(&["volume", "still.ply", "moving.obj", "--exact", option]);
        let name = option.split('=').next().unwrap();
        assert_eq!(ended.code, Some(2));
        assert!(ended.stderr.contains("cannot be used with") && ended.stderr.contains(name), "{}", ended.stderr);
    }
    let ended = folder.crumple(&["volume", "still.ply", "moving.obj", "--csv", "regions.csv"]);
    assert!(ended.code == Some(2) && ended.stderr.contains("--exact"), "{}", ended.stderr);
}

#[test]
fn the_depth_of_contacts_is_reported_if_asked() {
    let folder = passing();
    let words = ["check", "still.ply", "moving.obj@moving.pc2"];
    let ended = folder.crumple(&[&words[..], &["--depth", "--quiet"]].concat());
    // With all columns it would not fit.
    let expected = "\
bodies          frames in contact   depth  in frame  area inside
still × moving  2, 4 (2 of 6)      0.5000         2        4.000
";
    assert_eq!((ended.code, &*ended.stdout), (Some(1), expected));
    let depths = |more: &[&str]| -> Vec<[Option<f64>; 2]> {
        let records = folder.crumple(&[&words[..], more, &["--json"]].concat()).records();
        let contacts = records.iter().flat_map(|record| match record {
            Record::Frame(frame) => {
                assert_eq!(frame.depth_us.is_some(), !more.is_empty());
                frame.contacts.clone()
            }
            _ => Vec::new(),
        });
        contacts.map(|contact| [contact.depth, contact.area]).collect()
    };
    assert_eq!(depths(&["--depth"]), [[Some(0.5), Some(4.0)], [Some(0.25), Some(3.0)]]);
    assert_eq!(depths(&[]), [[None; 2]; 2]);
    // One pair of many says nothing about areas.
    assert!(depths(&["--depth", "--first"]).iter().all(|[_, area]| area.is_none()));
    let single = folder.crumple(&[&words[..], &["--depth", "--quiet", "--frames", "4"]].concat());
    assert!(
        single.stdout.contains(" pairs, 0.250000 deep, an area of 3.00000 inside in frame 4 ("),
        "{}",
        single.stdout
    );
}

#[test]
fn cloth_has_an_area_inside_a_closed_body_and_the_deeper_finding_comes_first() {
    let folder = Folder::new();
    folder.cuboid("cube.ply", [0.0; 3], 1.0);
    let sheet = |name: &str, half: f32, z: f32| {
        let positions = vec![[-half, -half, z], [half, -half, z], [half, half, z], [-half, half, z]];
        let triangles = vec![[0, 1, 2], [0, 2, 3]];
        let mesh = MeshFile { positions, triangles, ..MeshFile::default() };
        write_ply(folder.path().join(name), &mesh, Encoding::Ascii).unwrap();
    };
    // No vertex of either is inside the cube, but a square of side 2 of each is: the middle of it is 0.5 deep.
    sheet("small.ply", 1.25, 0.5);
    sheet("large.ply", 4.0, 0.5);
    std::fs::write(
        folder.path().join("corner.obj"),
        "v 0.375 0.375 -0.375\nv 3 0.375 -0.375\nv 0.375 3 -0.375\nv 3 3 -0.375\nf 1 2 3\nf 2 4 3\n",
    )
    .unwrap();
    let words = ["check", "cube.ply", "small.ply", "large.ply", "corner.obj", "--only", "cube"];
    let ended = folder.crumple(&[&words[..], &["--depth", "--output-format", "csv"]].concat());
    let rows: Vec<Vec<&str>> = ended.stdout.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let told: Vec<[&str; 2]> = rows.iter().map(|row| [row[2], row[10]]).collect();
    assert_eq!(told, [["corner", "0.625"], ["small", "0.5"], ["large", "0.5"]], "{}", ended.stdout);
    for (row, expected) in rows.iter().zip([0.390625, 4.0, 4.0]) {
        let area: f64 = row[11].parse().unwrap();
        assert!((area - expected).abs() < 1e-12, "{}", ended.stdout);
    }
    let plain = folder.crumple(&[&words[..], &["--output-format", "csv"]].concat()).stdout;
    assert_eq!(plain.lines().skip(1).filter(|line| line.split(',').skip(10).take(2).all(str::is_empty)).count(), 3);
}
