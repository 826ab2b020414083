//! Pages are unpacked again and compared with what went in; their text is read as it is.

mod typescript;
mod unpack;

use std::borrow::Cow;
use std::error::Error;
use std::io::{self, Write};

use super::*;
use crate::report::{BodyRecord, ContactRecord, ContainedRecord, FeaturesRecord, ImpactRecord};
use unpack::{Block, Contact, chunks, element};

fn record(name: &str, triangles: u64, vertices: u64) -> BodyRecord {
    BodyRecord { id: 0, name: name.into(), triangles, vertices, closed: false, face_of_triangle: None, precision: None }
}

/// A fan around vertex 0.
fn fan(vertices: u32) -> Vec<[u32; 3]> {
    (2..vertices).map(|vertex| [0, vertex - 1, vertex]).collect()
}

/// A page being written, and the summary of its frames.
struct Page {
    writer: PageWriter<Vec<u8>>,
    summary: CheckSummary,
}

impl Page {
    fn new<T: AsRef<[[u32; 3]]>>(title: &str, header: &Header, triangles: &[T]) -> Self {
        let writer = PageWriter::new(Vec::new(), title, header, triangles).unwrap();
        Page { writer, summary: CheckSummary::default() }
    }

    fn note(&mut self, text: &str) {
        self.writer.note(text);
    }

    fn frame<P: AsRef<[[f32; 3]]>>(&mut self, positions: &[P], found: &Frame<'_>) -> Result<(), PageError> {
        self.frame_with_overlaps(positions, found, &[])
    }

    fn frame_with_overlaps<P: AsRef<[[f32; 3]]>>(
        &mut self,
        positions: &[P],
        found: &Frame<'_>,
        overlaps: &[Overlap<'_>],
    ) -> Result<(), PageError> {
        self.writer.frame(positions, PageFrame { overlaps, ..PageFrame::from(found) })?;
        self.summary.add(found);
        Ok(())
    }
}

/// Two fans of twenty vertices.
fn two_bodies(names: [&str; 2]) -> Page {
    let header = Header::new("wide-tree", names.map(|name| record(name, 18, 20)).to_vec(), 0);
    Page::new("two fans", &header, &[fan(20), fan(20)])
}

/// Vertices that wave about, each in its own way.
fn waving(frame: u64, shift: f32) -> Vec<[f32; 3]> {
    let place = |vertex: u32| {
        let phase = vertex as f32 * 0.7;
        let time = frame as f32 * 0.11 + phase;
        [shift + time.sin(), 3.0 * phase.cos() + 0.02 * frame as f32, 100.0 * time.cos()]
    };
    (0..20).map(place).collect()
}

fn found(frame: u64, contacts: Vec<ContactRecord<'_>>) -> Frame<'_> {
    Frame { frame, contacts, update_us: 10.0, query_us: 20.0, ..Frame::default() }
}

fn contact(a: u32, b: u32, pairs: &[[u32; 2]]) -> ContactRecord<'_> {
    ContactRecord {
        a,
        b,
        count: pairs.len() as u64,
        depth: None,
        area: None,
        volume: None,
        pairs: Some(Cow::Borrowed(pairs)),
    }
}

fn text(page: Page) -> String {
    String::from_utf8(page.writer.finish(page.summary).unwrap()).unwrap()
}

#[test]
fn the_template_has_its_title_and_one_place_for_the_data() {
    assert_eq!(TEMPLATE.matches(TITLE).count(), 1);
    assert_eq!(TEMPLATE.matches(MARK).count(), 1);
}

#[test]
fn positions_come_back_within_half_a_step_of_their_box() {
    let mut page = two_bodies(["a", "b"]);
    for frame in 0..70 {
        page.frame(&[waving(frame, -5.0), waving(2 * frame, 5.0)], &found(frame, vec![])).unwrap();
    }
    let chunks = chunks(&text(page), &[20, 20], &[32, 32, 6]);
    let sizes = [2.0, 7.5, 200.0];
    for frame in 0..70 {
        for (body, expected) in [waving(frame, -5.0), waving(2 * frame, 5.0)].iter().enumerate() {
            let shown = &chunks[frame as usize / 32].positions[body][frame as usize % 32];
            for (shown, expected) in shown.iter().zip(expected) {
                for axis in 0..3 {
                    let off = (shown[axis] - f64::from(expected[axis])).abs();
                    assert!(off <= sizes[axis] / 65535.0 / 2.0 * 1.01, "frame {frame}, axis {axis}: off by {off}");
                }
            }
        }
    }
}

#[test]
fn jumps_from_wall_to_wall_come_back() {
    let mut page = two_bodies(["a", "b"]);
    let jumping = |frame: u64| -> Vec<[f32; 3]> {
        let wall = |vertex: u64| if (vertex * 7 + frame * 5).is_multiple_of(3) { -1.0 } else { 1.0 };
        (0..20).map(|vertex| [wall(vertex), wall(vertex + 1), wall(vertex * 2)]).collect()
    };
    for frame in 0..9 {
        page.frame(&[jumping(frame), jumping(frame + 1)], &found(frame, vec![])).unwrap();
    }
    let chunks = chunks(&text(page), &[20, 20], &[9]);
    for frame in 0..9 {
        let shown: Vec<_> = chunks[0].positions[0][frame].iter().map(|p| p.map(|value| value as f32)).collect();
        assert_eq!(shown, jumping(frame as u64));
    }
}

#[test]
fn a_body_that_stands_still_is_stored_once() {
    let mut page = two_bodies(["moves", "stands"]);
    for frame in 0..70 {
        page.frame(&[waving(frame, 0.0), waving(3, 0.0)], &found(frame, vec![])).unwrap();
    }
    let chunks = chunks(&text(page), &[20, 20], &[32, 32, 6]);
    let kinds: Vec<_> = chunks.iter().map(|chunk| chunk.kinds.clone()).collect();
    assert_eq!(kinds, [[0, 1], [0, 2], [0, 2]]);
}

#[test]
fn a_body_inside_another_is_told_where_no_triangles_meet() {
    let mut page = two_bodies(["shell", "nut"]);
    for frame in 0..5 {
        let contained = vec![ContainedRecord { inner: 1, outer: 0, volume: None }; usize::from(frame > 1)];
        let found = Frame { frame, contained, ..Frame::default() };
        page.frame(&[waving(frame, 0.0), waving(frame, 0.0)], &found).unwrap();
    }
    let text = text(page);
    assert!(text.contains("No triangles meet in 5 frames. A body lies inside another in 3 frames."));
    let row = "<bdi>nut</bdi> inside <bdi>shell</bdi></th><td>2</td><td>4</td></tr>";
    assert!(text.contains(row));
    let mut page = two_bodies(["shell", "nut"]);
    let found = Frame { contained: vec![ContainedRecord { inner: 2, outer: 0, volume: None }], ..Frame::default() };
    let error = page.frame(&[waving(0, 0.0), waving(0, 0.0)], &found).unwrap_err();
    assert_eq!(error.to_string(), "frame 0: a contact names body 2, but there are 2");
}

#[test]
fn contacts_come_back_with_their_pairs() {
    let mut page = two_bodies(["a", "b"]);
    let pairs = [[0, 17], [0, 3], [5, 3], [17, 0]];
    let counted = ContactRecord { a: 1, b: 1, count: 1 << 40, depth: None, area: None, volume: None, pairs: None };
    page.frame(&[waving(0, 0.0), waving(0, 0.0)], &found(7, vec![contact(0, 1, &pairs), counted])).unwrap();
    page.frame(&[waving(1, 0.0), waving(1, 0.0)], &found(8, vec![])).unwrap();
    let chunk = chunks(&text(page), &[20, 20], &[2]).remove(0);
    let pairs = pairs.map(|pair| pair.map(i64::from)).to_vec();
    let expected = [Contact { a: 0, b: 1, count: 4, pairs }, Contact { a: 1, b: 1, count: 1 << 40, pairs: vec![] }];
    assert_eq!(chunk.contacts[0], expected);
    assert_eq!(chunk.contacts[1], []);
}

#[test]
fn overlaps_come_back_within_a_step_and_their_volumes_whole() {
    let mut page = two_bodies(["a", "b"]);
    let spans: Vec<_> = (0..50).map(|i| [[i as f32, 2.0, 0.1 * i as f32], [i as f32, 2.0, 9.0]]).collect();
    let overlap = Overlap { a: 0, b: 1, volume: 1.25, footprint: [0.5, 0.25], spans: &spans };
    page.frame_with_overlaps(&[waving(0, 0.0), waving(0, 0.0)], &found(0, vec![]), &[overlap]).unwrap();
    page.frame(&[waving(0, 0.0), waving(0, 0.0)], &found(1, vec![])).unwrap();
    let html = text(page);
    assert!(element(&html, "head").contains("\"volume\":[1.25,null]"));
    assert!(html.contains("1.250 cubic units in frame 0"));
    // One body may lie inside the other.
    assert!(html.contains("No triangles meet in 2 frames.") && !html.contains("Nothing collides"));
    let chunk = chunks(&html, &[20, 20], &[2]).remove(0);
    assert_eq!(chunk.overlaps[0][0].footprint, [0.5, 0.25]);
    for (shown, expected) in chunk.overlaps[0][0].spans.iter().zip(&spans) {
        for (shown, expected) in shown.as_flattened().iter().zip(expected.as_flattened()) {
            assert!((shown - f64::from(*expected)).abs() <= 49.0 / 1023.0 / 2.0 * 1.01);
        }
    }
}

#[test]
fn impacts_come_back_and_those_of_what_is_not_there_are_refused() {
    let impact = |t, a, b, features| ImpactRecord { t: [t, t], a, b, features };
    let already = impact(0.0, 0, 1, FeaturesRecord::Already { triangles: [3, 17] });
    let vertex = impact(0.25, 1, 0, FeaturesRecord::VertexFace { vertex: 19, triangle: 2 });
    let edges = impact(0.5, 0, 0, FeaturesRecord::EdgeEdge { edge_a: [0, 1], edge_b: [18, 19] });
    let with = |frame, impacts: &[ImpactRecord]| Frame {
        frame,
        impacts: Some(Cow::Owned(impacts.to_vec())),
        ..Frame::default()
    };
    let mut page = two_bodies(["a", "b"]);
    let positions = [waving(0, 0.0), waving(0, 0.0)];
    page.frame(&positions, &found(0, vec![])).unwrap();
    page.frame(&positions, &with(1, &[already, vertex, edges])).unwrap();
    page.frame(&positions, &with(2, &[vertex; 501])).unwrap();
    for (body, what, number, features) in [
        (1, "vertex", 20, FeaturesRecord::VertexFace { vertex: 20, triangle: 0 }),
        (1, "triangle", 18, FeaturesRecord::VertexFace { vertex: 0, triangle: 18 }),
        (1, "vertex", 99, FeaturesRecord::EdgeEdge { edge_a: [0, 1], edge_b: [99, 1] }),
        (2, "body", 2, FeaturesRecord::Already { triangles: [0, 0] }),
    ] {
        let error = page.frame(&positions, &with(3, &[impact(0.0, 0, body, features)])).unwrap_err().to_string();
        let len = [2, 18, 20][["body", "triangle", "vertex"].iter().position(|word| *word == what).unwrap()];
        assert_eq!(error, format!("frame 3: a contact names {what} {number}, but there are {len}"));
    }
    let html = text(page);
    assert!(element(&html, "head").contains("\"impacts\":[null,3,501]"));
    assert!(html.contains("No triangles meet in 3 frames. Between frames there are 504 impacts."));
    let chunk = chunks(&html, &[20, 20], &[3]).remove(0);
    let expected = [(0, 0.0, vec![0, 1, 3, 17]), (1, 0.25, vec![1, 0, 19, 2]), (2, 0.5, vec![0, 0, 0, 1, 18, 19])];
    assert_eq!((&chunk.impacts[0][..], &chunk.impacts[1][..], chunk.impacts[2].len()), (&[][..], &expected[..], 500));
}

#[test]
fn regions_and_curves_come_back() {
    use crumple::{Body, Mesh, Scene};
    let corners = |low: [f32; 3], high: [f32; 3]| -> Vec<[f32; 3]> {
        (0..8).map(|k| [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { high[axis] } else { low[axis] })).collect()
    };
    let faces = [
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
    let mut scene = Scene::new();
    // A bar through a cube that is as long as to come out at both ends, and the cube.
    let positions = [corners([0.0; 3], [1.0; 3]), corners([-1.0, 0.25, 0.25], [2.0, 0.75, 0.75])];
    for positions in &positions {
        scene.add(Body::new(Mesh::new(8, faces.to_vec()).unwrap(), positions).unwrap());
    }
    let header = Header::new("exact", vec![record("cube", 12, 8), record("bar", 12, 8)], 2);
    let mut page = Page::new("", &header, &[faces, faces]);
    let now = scene.update().unwrap();
    page.writer.frame(&positions, PageFrame { now: Some(now), ..PageFrame::from(&found(0, vec![])) }).unwrap();
    page.frame(&positions, &found(1, vec![])).unwrap();
    let html = text(page);
    let head: serde_json::Value = serde_json::from_str(element(&html, "head")).unwrap();
    assert_eq!((&head["exact"], &head["format"]), (&true.into(), &5.into()));
    assert!((head["frames"]["volume"][0].as_f64().unwrap() - 0.25).abs() < 1e-12);
    assert!(head["frames"]["volume"][1].is_null());
    let chunk = chunks(&html, &[8, 8], &[2]).remove(0);
    assert!(chunk.regions[1].is_empty() && chunk.curves[1].is_empty());
    let [region] = &chunk.regions[0][..] else { panic!("{:?}", chunk.regions[0]) };
    assert_eq!((region.bodies, region.id), ([0, 1], 0));
    assert!((region.measures[0] - 0.25).abs() < 1e-6);
    assert!(region.measures[1..4].iter().all(|x| (x - 0.5).abs() < 1e-6));
    // Two sides of the cube, four of the bar.
    assert_eq!((&region.triangles[0][..], region.triangles[1].len()), (&[8, 9, 10, 11][..], 8));
    assert_eq!(chunk.curves[0].len(), 2);
    for (is_closed, points) in &chunk.curves[0] {
        assert!(*is_closed && points.iter().all(|p| (p[0] < 1e-4 || p[0] > 1.0 - 1e-4) && p[1] > 0.25 - 1e-4));
    }

    // A page of other bodies than those of the scene.
    let header = Header::new("exact", vec![record("cube", 12, 8)], 1);
    let mut page = Page::new("", &header, &[faces]);
    let refused = page
        .writer
        .frame(&positions[..1], PageFrame { now: Some(now), ..PageFrame::from(&found(4, vec![])) })
        .unwrap_err();
    assert_eq!(refused.to_string(), "frame 4: a contact names body 1, but there are 1");
}

#[test]
fn what_is_near_comes_back() {
    let mut page = two_bodies(["arm", "case"]);
    page.writer = page.writer.with_clearance(0.5);
    let mut distances = vec![f32::INFINITY; 20];
    (distances[3], distances[4], distances[19]) = (0.0, 0.5, 0.25);
    let segments = vec![([0, 1], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])];
    let near = NearShown { distances: vec![Vec::new(), distances], segments };
    let positions = [waving(0, 0.0), waving(0, 0.0)];
    page.writer.frame(&positions, PageFrame { near: Some(&near), ..PageFrame::from(&found(0, vec![])) }).unwrap();
    page.frame(&positions, &found(1, vec![])).unwrap();
    let far = NearShown { distances: vec![Vec::new(); 2], segments: vec![([0, 7], [[0.0; 3]; 2])] };
    let refused = page
        .writer
        .frame(&positions, PageFrame { near: Some(&far), ..PageFrame::from(&found(2, vec![])) })
        .unwrap_err();
    assert_eq!(refused.to_string(), "frame 2: a contact names body 7, but there are 2");
    for (distances, error) in [
        (vec![Vec::new()], "the header names 2 bodies, but there are distances of 1; give one for each body"),
        (vec![Vec::new(), vec![0.0]], "body 1 has 20 vertices by its record, but 1 were given"),
    ] {
        let near = NearShown { distances, segments: Vec::new() };
        let refused = page
            .writer
            .frame(&positions, PageFrame { near: Some(&near), ..PageFrame::from(&found(2, vec![])) })
            .unwrap_err();
        assert_eq!(refused.to_string(), error);
    }
    let html = text(page);
    assert!(element(&html, "head").contains("\"clearance\":0.5"));
    let chunk = unpack::chunks(&html, &[20, 20], &[2]).remove(0);
    let expected = (vec![(1, vec![(3, 0), (19, 128)])], vec![([0, 1], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0])]);
    assert_eq!(chunk.near, [expected, (vec![], vec![])]);
}

#[test]
fn depths_come_back_in_255ths_of_the_deepest_of_their_group() {
    let mut page = two_bodies(["arm", "case"]);
    page.writer = page.writer.with_depths();
    let positions = [waving(0, 0.0), waving(0, 0.0)];
    let group = |inner, outer, vertices: &[(u32, f32)]| DepthsShown { inner, outer, vertices: vertices.to_vec() };
    let depths = [group(0, 1, &[(2, 0.5), (19, 0.25)]), group(1, 0, &[]), group(1, 0, &[(7, 0.125)])];
    page.writer.frame(&positions, PageFrame { depths: &depths, ..PageFrame::from(&found(0, vec![])) }).unwrap();
    page.frame(&positions, &found(1, vec![])).unwrap();
    for (depths, error) in [
        (group(2, 0, &[]), "frame 2: a contact names body 2, but there are 2"),
        (group(0, 9, &[]), "frame 2: a contact names body 9, but there are 2"),
        (group(1, 0, &[(3, 1.0), (20, 1.0)]), "frame 2: a contact names vertex 20, but there are 20"),
    ] {
        let refused = page
            .writer
            .frame(&positions, PageFrame { depths: &[depths], ..PageFrame::from(&found(2, vec![])) })
            .unwrap_err();
        assert_eq!(refused.to_string(), error);
    }
    let html = text(page);
    assert!(element(&html, "head").contains("\"deepest\":0.5"));
    let chunk = unpack::chunks(&html, &[20, 20], &[2]).remove(0);
    let expected = vec![([0, 1], 0.5, vec![(2, 255), (19, 128)]), ([1, 0], 0.125, vec![(7, 255)])];
    assert_eq!(chunk.depths, [expected, vec![]]);
}

#[test]
fn depths_that_were_not_asked_for_take_no_room() {
    let mut page = two_bodies(["arm", "case"]);
    let positions = [waving(0, 0.0), waving(0, 0.0)];
    let depths = [DepthsShown { inner: 0, outer: 1, vertices: vec![(2, 0.5)] }];
    page.writer.frame(&positions, PageFrame { depths: &depths, ..PageFrame::from(&found(0, vec![])) }).unwrap();
    let html = text(page);
    assert!(!element(&html, "head").contains("deepest"));
    assert!(unpack::chunks(&html, &[20, 20], &[1]).remove(0).depths.is_empty());
}

#[test]
fn triangles_and_faces_come_back() {
    let faces = BodyRecord { face_of_triangle: Some(vec![9, 9, 4]), ..record("polygons", 3, 5) };
    let header = Header::new("wide-tree", vec![faces, record("fan", 18, 20)], 0);
    let html = text(Page::new("", &header, &[fan(5), fan(20)]));
    let mut block = Block::of(&html, "mesh");
    for (triangles, faces) in [(fan(5), Some([9, 9, 4])), (fan(20), None)] {
        assert_eq!(block.count(), triangles.len() as u64);
        let mut corner = 0;
        for &expected in triangles.as_flattened() {
            corner += block.step();
            assert_eq!(corner, i64::from(expected));
        }
        assert_eq!(block.byte(), u8::from(faces.is_some()));
        let mut face = 0;
        for expected in faces.into_iter().flatten() {
            face += block.step();
            assert_eq!(face, expected);
        }
    }
    assert!(block.is_done());
    assert!(!element(&html, "head").contains("face_of_triangle"), "faces are packed, not spelled out");
}

#[test]
fn the_text_tells_from_when_to_when() {
    let mut page = two_bodies(["skirt", "leg"]);
    page.note("chosen by hand");
    for (frame, pairs) in [0, 2, 5, 5, 0, 0, 1].into_iter().enumerate() {
        let pairs = vec![[1, 1]; pairs];
        let contacts = if pairs.is_empty() { vec![] } else { vec![contact(0, 1, &pairs)] };
        page.frame(&[waving(0, 0.0), waving(0, 0.0)], &found(10 + frame as u64, contacts)).unwrap();
    }
    let html = text(page);
    assert!(html.contains(
        "Triangles meet in 4 of 7 frames: first in frame 11, last in frame 16. The worst is frame 12 with 5 pairs."
    ));
    let row = |cells: &str| format!("<th scope=\"row\"><bdi>skirt</bdi> × <bdi>leg</bdi></th>{cells}</tr>");
    assert!(html.contains(&row("<td>11</td><td>13</td><td>12</td><td>5</td>")));
    assert!(html.contains(&row("<td>16</td><td>16</td><td>16</td><td>1</td>")));
    assert!(html.contains("<pre class=\"note\">chosen by hand</pre>"));
}

#[test]
fn names_cannot_leave_their_place() {
    let harmful = "</script><script>alert(1)</script>\"'&<!--\u{0}";
    let pages = [["plain", "plain"], [harmful, harmful]].map(|names| {
        let mut page = two_bodies(names);
        page.note(names[0]);
        let contacts = vec![contact(0, 1, &[[1, 1]])];
        page.frame(&[waving(0, 0.0), waving(0, 0.0)], &found(0, contacts)).unwrap();
        text(page)
    });
    // Whatever opens or closes an element or a comment is there as often as with harmless names.
    for mark in ["<script", "</script", "<!--", "alert(1)</", "</pre", "\u{0}"] {
        assert_eq!(pages[0].matches(mark).count(), pages[1].matches(mark).count(), "{mark:?}");
    }
    let head: serde_json::Value = serde_json::from_str(element(&pages[1], "head")).unwrap();
    assert_eq!(head["header"]["bodies"][0]["name"], harmful);
    let header = Header::new("</script>", vec![], 0);
    let html = text(Page::new(harmful, &header, &[] as &[Vec<[u32; 3]>]));
    assert_eq!(html.matches("</script").count(), TEMPLATE.matches("</script").count() + 2);
    assert!(html.contains("<title>&lt;/script&gt;"));
}

#[test]
fn a_page_of_nothing_is_a_page() {
    let header = Header::new("wide-tree", vec![], 0);
    let html = text(Page::new("", &header, &[] as &[Vec<[u32; 3]>]));
    assert!(html.contains("There are no frames to look at."));
    assert!(html.ends_with("</html>\n"));

    let header = Header::new("wide-tree", vec![record("no vertices", 0, 0)], 1);
    let mut page = Page::new("", &header, &[[]]);
    page.frame(&[[]], &found(0, vec![])).unwrap();
    let html = text(page);
    assert!(html.contains("Nothing collides in 1 frame."));
    assert_eq!(chunks(&html, &[0], &[1])[0].positions[0][0], [] as [[f64; 3]; 0]);
}

#[test]
fn what_does_not_fit_is_refused_and_leaves_the_page_as_it_was() {
    let message = |result: Result<(), PageError>| result.unwrap_err().to_string();
    let good = || [waving(0, 0.0), waving(0, 0.0)];
    let mut page = two_bodies(["a", "b"]);
    let nothing = found(4, vec![]);
    assert_eq!(
        message(page.frame(&[waving(0, 0.0)], &nothing)),
        "the header names 2 bodies, but there are positions of 1; give one for each body"
    );
    assert_eq!(
        message(page.frame(&[waving(0, 0.0), vec![[0.0; 3]; 19]], &nothing)),
        "body 1 has 20 vertices by its record, but 19 were given"
    );
    assert_eq!(
        message(page.frame(&good(), &found(4, vec![contact(0, 2, &[])]))),
        "frame 4: a contact names body 2, but there are 2"
    );
    assert_eq!(
        message(page.frame(&good(), &found(4, vec![contact(0, 1, &[[3, 18]])]))),
        "frame 4: a contact names triangle 18, but there are 18"
    );
    let spans = [[[0.0; 3], [0.0, 0.0, f32::INFINITY]]];
    let overlap = Overlap { a: 0, b: 1, volume: 0.0, footprint: [1.0; 2], spans: &spans };
    assert_eq!(
        message(page.frame_with_overlaps(&good(), &nothing, &[overlap])),
        "frame 4: span 0 of an overlap ends at inf, which is not a finite number"
    );
    assert!(text(page).contains("There are no frames to look at."));

    let new = |triangles: Vec<[u32; 3]>| {
        let header = Header::new("wide-tree", vec![record("a", 1, 3)], 0);
        message(PageWriter::new(Vec::new(), "", &header, &[triangles]).map(|_| ()))
    };
    assert_eq!(new(vec![]), "body 0 has 1 triangles by its record, but 0 were given");
    assert_eq!(new(vec![[0, 1, 3]]), "body 0: triangle 0 uses vertex 3, but there are 3 vertices");
}

#[test]
fn an_output_that_fails_says_so() {
    #[derive(Debug)]
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::new(io::ErrorKind::StorageFull, "no space left"))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let header = Header::new("wide-tree", vec![], 0);
    let refused = PageWriter::new(Full, "", &header, &[] as &[Vec<[u32; 3]>]).unwrap_err();
    assert_eq!(refused.to_string(), "the page could not be written");
    assert_eq!(refused.source().map(ToString::to_string), Some("no space left".to_owned()));
}

#[test]
fn positions_that_are_not_finite_are_not_looked_for_and_leave_a_page_that_can_be_read() {
    for bad in [f32::NAN, f32::INFINITY] {
        let mut page = two_bodies(["a", "b"]);
        let mut positions = [waving(0, 0.0), waving(0, 0.0)];
        positions[1][3][2] = bad;
        page.frame(&positions, &found(0, vec![])).unwrap();
        let html = text(page);
        let head: serde_json::Value = serde_json::from_str(element(&html, "head")).unwrap();
        assert_eq!(head["bounds"].is_null(), bad.is_infinite());
        assert_eq!(chunks(&html, &[20, 20], &[1])[0].positions[0][0].len(), 20);
    }
}
