//! `check --volume` and `--max-volume`: parts of an assembly, and how they lie to each other.

use crumple_io::report::{BodyStatus, Record};

use crate::run::{Ended, Folder};

/// A case; a bolt that crosses it by a known volume, a plate that touches it, a nut inside, and a cap that is apart.
fn assembly() -> Folder {
    let folder = Folder::new();
    folder.cuboid("case.ply", [0.0; 3], 4.0);
    folder.cuboid("bolt.ply", [3.5, 1.0, 1.0], 1.0);
    folder.cuboid("plate.ply", [0.0, 6.0, 0.0], 2.0);
    folder.cuboid("nut.ply", [1.0; 3], 0.5);
    folder.cuboid("cap.ply", [9.0, 0.0, 0.0], 1.0);
    folder
}

fn check(folder: &Folder, more: &[&str]) -> Ended {
    let files = ["check", "case.ply", "bolt.ply", "plate.ply", "nut.ply", "cap.ply"];
    folder.crumple(&[&files[..], more].concat())
}

#[test]
fn every_contact_has_its_volume_and_every_two_bodies_a_status() {
    let ended = check(&assembly(), &["--volume", "--json"]);
    assert_eq!(ended.code, Some(1));
    let records = ended.records();
    let Some(Record::Frame(frame)) = records.iter().find(|record| matches!(record, Record::Frame(_))) else {
        panic!("{records:?}")
    };
    let volumes: Vec<_> = frame.contacts.iter().map(|contact| (contact.a, contact.b, contact.volume)).collect();
    assert_eq!(volumes, [(0, 1, Some(6.0)), (0, 2, Some(0.0))]);
    assert_eq!(frame.contained.iter().map(|nut| (nut.inner, nut.volume)).collect::<Vec<_>>(), [(3, Some(1.0))]);
    let Some(Record::Summary(last)) = records.last() else { panic!("{records:?}") };
    let statuses = last.summary.statuses.as_deref().unwrap();
    let status = |a, b| statuses.iter().find(|found| (found.a, found.b) == (a, b)).unwrap().status;
    assert_eq!(statuses.len(), 10);
    assert_eq!([status(0, 1), status(0, 2)], [BodyStatus::Crossing, BodyStatus::Touching]);
    assert_eq!([status(0, 3), status(0, 4)], [BodyStatus::Inside, BodyStatus::Apart]);
    // With a clearance, what is close is not apart.
    let near = check(&assembly(), &["--volume", "--clearance", "6", "--json"]);
    let Some(Record::Summary(last)) = near.records().pop() else { panic!("{near:?}") };
    let cap = last.summary.statuses.unwrap().into_iter().find(|found| (found.a, found.b) == (0, 4)).unwrap();
    assert_eq!(cap.status, BodyStatus::Near);
}

#[test]
fn a_volume_gates_what_interferes() {
    let folder = assembly();
    let text = check(&folder, &["--volume", "--quiet"]);
    assert!(text.stdout.contains(" pairs, a volume of 6.00000 shared in frame 0"), "{}", text.stdout);
    assert!(
        text.stdout.ends_with("10 pairs of bodies: 1 inside, 1 crossing, 1 touching, 7 apart\n"),
        "{}",
        text.stdout
    );
    // What touches shares no volume, so it does not interfere.
    let gated = check(&folder, &["--max-volume", "0", "--output-format", "csv", "--quiet"]);
    let kinds: Vec<&str> = gated.stdout.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!((gated.code, kinds), (Some(1), vec!["inside", "contact"]));
    assert!(gated.stdout.contains(",6\n") && gated.stdout.contains(",1\n"), "{}", gated.stdout);
    assert_eq!(check(&folder, &["--max-volume", "6", "--quiet"]).code, Some(0));
    assert_eq!(check(&folder, &["--max-volume", "5.9", "--quiet"]).code, Some(1));
    check(&folder, &["--max-volume", "-1"]).refused(
        "invalid value '-1' for '--max-volume <V>': write a finite number, 0 or more",
        Some("try `crumple --help`"),
    );
}

#[test]
fn an_open_body_has_no_volume_and_is_still_reported() {
    let folder = assembly();
    std::fs::write(folder.path().join("sheet.obj"), "v -9 1 1\nv 9 1 1\nv 0 1.5 9\nf 1 2 3\n").unwrap();
    let words = ["check", "case.ply", "sheet.obj", "--max-volume", "100", "--json"];
    let ended = folder.crumple(&words);
    assert_eq!(ended.code, Some(1));
    let Some(Record::Summary(last)) = ended.records().pop() else { panic!("{ended:?}") };
    assert_eq!(last.summary.statuses.unwrap()[0].status, BodyStatus::Crossing);
}
