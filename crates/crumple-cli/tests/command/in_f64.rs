//! `--f64`: files whose numbers do not fit in 32 bits.

use crumple_io::report::Record;

use crate::run::Folder;

/// A triangle below the line through the origin and (3, 3 · e), and one above it whose lowest corner is at (1, height).
fn write_pair(folder: &Folder, e: f64, height: f64) {
    let below = format!("v 0 0 0\nv 3 {:?} 0\nv 3 0 0\nf 1 2 3\n", 3.0 * e);
    let above = format!("OFF\n3 1 0\n1 {height:?} 0\n1 5 1\n1 5 -1\n3 0 1 2\n");
    std::fs::write(folder.path().join("below.obj"), below).unwrap();
    std::fs::write(folder.path().join("above.off"), above).unwrap();
}

/// With this the corner is on the line; rounded to f32, it is above it, since 3 · e is rounded by less than 3 times as much.
const E: f64 = 1.0 + 1.0 / (1 << 24) as f64 + 1.0 / (1 << 26) as f64;

#[test]
fn bodies_may_touch_in_f64_and_not_after_rounding_and_the_other_way_round() {
    let folder = Folder::new();
    let codes = |more: &[&str]| folder.crumple(&[&["check", "below.obj", "above.off"], more].concat()).code;
    write_pair(&folder, E, E);
    assert_eq!([codes(&["--f64"]), codes(&[])], [Some(1), Some(0)]);
    // Above the line by less than f32 can tell.
    write_pair(&folder, 1.0, 1.0 + 1e-9);
    assert_eq!([codes(&["--f64"]), codes(&[])], [Some(0), Some(1)]);
    for method in ["brute-force", "wide-tree", "local-tree", "hybrid-tree", "bucket-tree", "gjk-cut"] {
        write_pair(&folder, E, E);
        assert_eq!(codes(&["--f64", "--method", method]), Some(1), "{method}");
        write_pair(&folder, 1.0, 1.0 + 1e-9);
        assert_eq!(codes(&["--f64", "--method", method]), Some(0), "{method}");
    }
}

#[test]
fn the_option_may_stand_in_crumple_toml_and_holds_for_every_frame_of_numbered_files() {
    let folder = Folder::new();
    for (frame, height) in [(0, 2.0), (1, E), (2, E + 1e-9)] {
        write_pair(&folder, E, height);
        let name = format!("above_{frame}.off");
        std::fs::rename(folder.path().join("above.off"), folder.path().join(name)).unwrap();
    }
    let frames = |ended: crate::run::Ended| -> Vec<u64> {
        let in_contact = |record| match record {
            Record::Frame(frame) => (!frame.contacts.is_empty()).then_some(frame.frame),
            _ => None,
        };
        ended.records().into_iter().filter_map(in_contact).collect()
    };
    let words = ["check", "below.obj", "above_#.off", "--json"];
    assert_eq!(frames(folder.crumple(&words)), [0u64; 0]);
    std::fs::write(folder.path().join("crumple.toml"), "f64 = true\n").unwrap();
    assert_eq!(frames(folder.crumple(&words)), [1]);
}

#[test]
fn reports_name_the_precision_of_f64_bodies_only() {
    let folder = Folder::new();
    write_pair(&folder, E, E);
    let header = |words: &[&str]| folder.crumple(words).stdout.lines().next().unwrap_or_default().to_owned();
    for command in ["check", "distance", "info"] {
        let both = header(&[command, "below.obj", "above.off", "--json", "--f64"]);
        assert_eq!(both.matches(r#""precision":"f64""#).count(), 2, "{both}");
        let none = header(&[command, "below.obj", "above.off", "--json"]);
        assert!(!none.contains("precision"), "{none}");
    }
    let table = folder.crumple(&["info", "below.obj", "--f64"]).stdout;
    assert!(table.contains("positions") && table.contains("f64"), "{table}");
    assert!(!folder.crumple(&["info", "below.obj"]).stdout.contains("positions"));
}

#[test]
fn distances_are_those_of_the_f64_numbers() {
    let folder = Folder::new();
    // Parallel squares of triangles, 2^-40 apart far from the origin: rounded they coincide.
    let tile = |height: f64| format!("v 0 0 {height:?}\nv 1 0 {height:?}\nv 0 1 {height:?}\nf 1 2 3\n");
    let gap = 1.0 / (1u64 << 40) as f64;
    std::fs::write(folder.path().join("a.obj"), tile(64.0)).unwrap();
    std::fs::write(folder.path().join("b.obj"), tile(64.0 + gap)).unwrap();
    let distance = |more: &[&str]| {
        let ended = folder.crumple(&[&["distance", "a.obj", "b.obj", "--json"], more].concat());
        let found = ended.records().into_iter().find_map(|record| match record {
            Record::DistanceFrame(frame) => Some(frame.distance),
            _ => None,
        });
        found.unwrap()
    };
    let [lo, hi] = distance(&["--f64"]);
    // The bounds allow for the rounding of a difference of coordinates of this size.
    assert!(lo <= gap && gap <= hi && hi - lo < 64.0 * f64::EPSILON, "{lo} to {hi}, but {gap}");
    assert_eq!(distance(&[]), [0.0, 0.0]);
}

#[test]
fn the_volume_of_a_small_body_far_away_is_that_of_the_f64_numbers() {
    let folder = Folder::new();
    // Cubes with sides of 1/16 at 2^22, where f32 numbers are 1/2 apart, that overlap by half.
    let cube = |shift: f64| {
        let at = |bit: u32| f64::from(1 << 22) + f64::from(bit) / 16.0;
        let corner = |k: u32| format!("v {:?} {:?} {:?}\n", at(k & 1) + shift, at(k >> 1 & 1), at(k >> 2 & 1));
        let corners: String = (0..8).map(corner).collect();
        corners + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
    };
    std::fs::write(folder.path().join("a.obj"), cube(0.0)).unwrap();
    std::fs::write(folder.path().join("b.obj"), cube(1.0 / 32.0)).unwrap();
    let ended = folder.crumple(&["volume", "a.obj", "b.obj", "--exact", "--json", "--f64"]);
    let found = ended.records().into_iter().find_map(|record| match record {
        Record::ExactVolumeFrame(frame) => Some(frame.volume),
        _ => None,
    });
    let (volume, expected) = (found.unwrap(), 0.5 / 4096.0);
    assert!((volume - expected).abs() < 1e-6 * expected, "{volume} instead of {expected}");
}

#[test]
fn points_are_tested_as_the_f64_numbers_they_are() {
    let folder = Folder::new();
    let roof = 1.0 + 1e-9;
    let body = format!("v 0 0 0\nv 4 0 0\nv 0 4 0\nv 0 0 {roof:?}\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    std::fs::write(folder.path().join("body.obj"), body).unwrap();
    std::fs::write(folder.path().join("in.xyz"), "0.25 0.25 0.5\n").unwrap();
    // Outside by less than f32 can tell, on the surface, and inside.
    std::fs::write(folder.path().join("near.xyz"), "-1e-12 0.25 0.5\n0 0.25 0.5\n0.1 0.25 0.5\n1 1 1e60\n").unwrap();
    std::fs::write(folder.path().join("nan.xyz"), "0.1 nan 0.5\n").unwrap();
    let ended = folder.crumple(&["inside", "body.obj", "in.xyz", "--exact", "--f64", "--quiet"]);
    assert!(ended.stdout.starts_with("1 of 1 point inside body"), "{}", ended.stdout);
    let ended = folder.crumple(&["inside", "body.obj", "near.xyz", "--exact", "--f64", "--list", "--quiet"]);
    assert_eq!(ended.stdout.matches(": point ").count(), 2, "{}", ended.stdout);
    assert!(ended.stdout.contains("point 1\n") && ended.stdout.contains("point 2\n"), "{}", ended.stdout);
    let ended = folder.crumple(&["inside", "body.obj", "nan.xyz", "--f64"]);
    assert!(ended.stderr.contains("nan.xyz") && ended.stderr.contains("not a finite"), "{}", ended.stderr);
}

#[test]
fn numbers_that_cannot_be_taken_are_named_with_file_body_vertex_and_what_to_do() {
    let folder = Folder::new();
    let write = |name: &str, y: &str| {
        std::fs::write(folder.path().join(name), format!("v 0 0 0\nv 1 0 0\nv 0 {y} 0\nf 1 2 3\n")).unwrap();
    };
    write("s_0.obj", "1");
    write("s_1.obj", "1e60");
    let what = "the size of an f64 coordinate must be 0 or from 2^-300 (4.9e-91) to 3.4e38; multiply all positions by a \
                power of two, which changes no digit";
    let refused = format!("s_1.obj: body s: vertex 2 is at [0.0, 1e60, 0.0]: {what}");
    folder.crumple(&["check", "s_#.obj", "--f64"]).refused(&refused, None);
    let alone = format!("s_1.obj: body s_1: vertex 2 is at [0.0, 1e60, 0.0]: {what}");
    folder.crumple(&["info", "s_1.obj", "--f64"]).refused(&alone, None);
    write("small.obj", "1e-60");
    std::fs::write(folder.path().join("small.obj"), "v 0 0 0\nv 1e-60 0 0\nv 0 1e-60 0\nf 1 2 3\n").unwrap();
    let small = folder.crumple(&["info", "small.obj", "--f64"]);
    assert!(
        small.stderr.starts_with("error: small.obj: body small: the largest coordinate is 1e-60: "),
        "{}",
        small.stderr
    );
}
