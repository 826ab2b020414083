//! What records look like as text, and that they are read back as they were.

use super::*;

/// The text a record becomes, which must also be read back as the same record.
pub(super) fn text(record: Record) -> String {
    let text = serde_json::to_string(&record).unwrap();
    assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), record);
    text
}

fn frame(frame: u64, counts: &[u64]) -> Frame<'static> {
    let contact = |&count| ContactRecord { a: 0, b: 1, count, depth: None, pairs: None };
    Frame {
        frame,
        contacts: counts.iter().map(contact).collect(),
        update_us: 12.5,
        query_us: 1000.0,
        ..Frame::default()
    }
}

#[test]
fn the_header_names_the_schema_and_the_bodies() {
    let body =
        BodyRecord { id: 0, name: "knot".into(), triangles: 2, vertices: 4, closed: false, face_of_triangle: None };
    let quad = BodyRecord { id: 1, face_of_triangle: Some(vec![0, 0]), ..body.clone() };
    assert_eq!(
        text(Record::Header(Header::new("wide-tree", vec![body, quad], 200))),
        r#"{"schema":"crumple.report/1","method":"wide-tree","bodies":[{"id":0,"name":"knot","triangles":2,"vertices":4,"closed":false},{"id":1,"name":"knot","triangles":2,"vertices":4,"closed":false,"face_of_triangle":[0,0]}],"frames":200}"#
    );
}

#[test]
fn info_names_what_is_wrong_with_a_surface_and_nothing_else() {
    let body =
        BodyRecord { id: 0, name: "knot".into(), triangles: 2, vertices: 4, closed: false, face_of_triangle: None };
    let open = Some(EdgesRecord { count: 4, triangle: 0, from: 1, to: 2 });
    let body = InfoBody { body, frames: 60, open, non_manifold: None, misoriented: None };
    assert_eq!(
        text(Record::Info(Info::new(vec![body]))),
        r#"{"schema":"crumple.report/1","bodies":[{"id":0,"name":"knot","triangles":2,"vertices":4,"closed":false,"frames":60,"open":{"count":4,"triangle":0,"from":1,"to":2}}]}"#
    );
}

#[test]
fn a_frame_lists_pairs_only_when_asked() {
    let mut record = frame(7, &[2]);
    assert_eq!(
        text(Record::Frame(record.clone())),
        r#"{"frame":7,"contacts":[{"a":0,"b":1,"count":2}],"update_us":12.5,"query_us":1000.0}"#
    );
    record.contacts[0].pairs = Some(Cow::Borrowed(&[[3, 4], [3, 9]]));
    assert_eq!(record.without_pairs(), frame(7, &[2]));
    assert_eq!(record.listing_at_most(1).contacts[0].listed(), [[3, 4]]);
    assert_eq!(record.listing_at_most(9), record);
    assert_eq!(
        text(Record::Frame(record)),
        r#"{"frame":7,"contacts":[{"a":0,"b":1,"count":2,"pairs":[[3,4],[3,9]]}],"update_us":12.5,"query_us":1000.0}"#
    );
}

#[test]
fn a_frame_carries_the_number_that_files_give_it() {
    let record = Frame { number: Some(107), ..frame(7, &[]) };
    assert_eq!(record.without_pairs(), record);
    assert_eq!(
        text(Record::Frame(record)),
        r#"{"frame":7,"number":107,"contacts":[],"update_us":12.5,"query_us":1000.0}"#
    );
}

#[test]
fn a_frame_tells_of_bodies_inside_others_only_where_there_are_some() {
    let mut record = frame(7, &[]);
    record.contained = vec![ContainedRecord { inner: 1, outer: 0 }];
    let mut summary = CheckSummary::default();
    summary.add(&record);
    assert_eq!(
        text(Record::Frame(record)),
        r#"{"frame":7,"contacts":[],"contained":[{"inner":1,"outer":0}],"update_us":12.5,"query_us":1000.0}"#
    );
    assert_eq!(
        text(Record::Summary(Summary { summary })),
        r#"{"summary":{"frames":1,"frames_in_contact":0,"pairs":0,"frames_with_containment":1}}"#
    );
}

#[test]
fn the_summary_counts_frames_and_finds_the_worst() {
    let mut summary = CheckSummary::default();
    for record in [frame(5, &[]), frame(6, &[1, 2]), frame(7, &[4]), frame(8, &[4]), frame(9, &[])] {
        summary.add(&record);
    }
    assert_eq!(
        text(Record::Summary(Summary { summary })),
        r#"{"summary":{"frames":5,"frames_in_contact":3,"first":6,"last":8,"worst":{"frame":7,"count":4},"pairs":11}}"#
    );
    let summary = CheckSummary { frames: 2, ..CheckSummary::default() };
    assert_eq!(
        text(Record::Summary(Summary { summary })),
        r#"{"summary":{"frames":2,"frames_in_contact":0,"pairs":0}}"#
    );
}

#[test]
fn a_bench_gives_a_record_a_frame_and_a_summary_a_method() {
    assert_eq!(
        text(Record::BenchHeader(BenchHeader::new(vec!["LE1".into()]))),
        r#"{"schema":"crumple.report/1","experiments":["LE1"]}"#
    );
    let record = BenchFrame {
        experiment: "LE1".into(),
        method: "hybrid-tree".into(),
        frame: 60,
        pairs: 24,
        update_us: micros(Duration::from_nanos(1234567)),
        query_us: 0.5,
    };
    assert_eq!(
        text(Record::BenchFrame(record)),
        r#"{"experiment":"LE1","method":"hybrid-tree","frame":60,"pairs":24,"update_us":1234.567,"query_us":0.5}"#
    );
    let mut summary = MethodSummary {
        experiment: "LE1".into(),
        method: "hybrid-tree".into(),
        frames: 200,
        pairs: 100000,
        median_us: 900.5,
        mean_us: 1000.0,
        first_contact: Some(60),
        first_contact_us: Some(400.0),
        last_us: 1800.0,
        worst_us: 1900.0,
        ratio_to_local_tree: Some(3.5),
        ratio_to_floor: Some(6.25),
        scene_digest: Some("97f0".into()),
        pairs_digest: Some("0a1b".into()),
    };
    assert_eq!(
        text(Record::BenchSummary(BenchSummary { summary: summary.clone() })),
        r#"{"summary":{"experiment":"LE1","method":"hybrid-tree","frames":200,"pairs":100000,"median_us":900.5,"mean_us":1000.0,"first_contact":60,"first_contact_us":400.0,"last_us":1800.0,"worst_us":1900.0,"ratio_to_local_tree":3.5,"ratio_to_floor":6.25,"scene_digest":"97f0","pairs_digest":"0a1b"}}"#
    );
    summary.first_contact = None;
    summary.first_contact_us = None;
    summary.ratio_to_local_tree = None;
    summary.ratio_to_floor = None;
    summary.scene_digest = None;
    summary.pairs_digest = None;
    assert_eq!(
        text(Record::BenchSummary(BenchSummary { summary })),
        r#"{"summary":{"experiment":"LE1","method":"hybrid-tree","frames":200,"pairs":100000,"median_us":900.5,"mean_us":1000.0,"last_us":1800.0,"worst_us":1900.0}}"#
    );
}
