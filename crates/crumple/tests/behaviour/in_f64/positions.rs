//! What bodies do with f64 positions: what they keep, what they refuse and what they say then.

use crate::support::errors::chain;
use crumple::{Body, BodyError, Edit, EditError, Mesh, Precision, Scene, SceneError, Seam, TriangleId, VertexId};

fn triangle() -> Mesh {
    Mesh::new(3, vec![[0, 1, 2]]).unwrap()
}

/// Corners that f32 does not hold.
const CORNERS: [[f64; 3]; 3] = [[0.1, 0.2, 0.3], [1.1, 0.2, 0.3], [0.1, 1.2, -0.7]];

fn rounded(corners: [[f64; 3]; 3]) -> [[f32; 3]; 3] {
    corners.map(|corner| corner.map(|x| x as f32))
}

fn wide() -> Body {
    Body::new_f64(triangle(), &CORNERS).unwrap()
}

fn narrow() -> Body {
    Body::new(triangle(), &rounded(CORNERS)).unwrap()
}

#[test]
fn a_body_keeps_the_numbers_it_was_made_with() {
    let (wide, narrow) = (wide(), narrow());
    assert_eq!((wide.precision(), narrow.precision()), (Precision::F64, Precision::F32));
    assert_eq!(wide.positions_f64(), Some(&CORNERS[..]));
    assert_eq!(narrow.positions_f64(), None);
    assert_eq!(wide.positions(), narrow.positions());
    assert_eq!(wide.bounds(), narrow.bounds());
    assert_eq!(wide.point(VertexId(1)), Some(CORNERS[1]));
    assert_eq!(narrow.point(VertexId(1)), Some(rounded(CORNERS)[1].map(f64::from)));
    assert_eq!((wide.point(VertexId(3)), narrow.point(VertexId(3))), (None, None));
}

#[test]
fn steps_and_corrections_keep_both_ends_of_the_step() {
    let mut body = wide();
    assert_eq!(body.previous_positions_f64(), body.positions_f64());
    let moved = CORNERS.map(|corner| corner.map(|x| x + 0.01));
    body.set_positions_f64(&moved).unwrap();
    assert_eq!((body.positions_f64(), body.previous_positions_f64()), (Some(&moved[..]), Some(&CORNERS[..])));
    let corrected = CORNERS.map(|corner| corner.map(|x| x - 0.01));
    body.correct_positions_f64(&corrected).unwrap();
    assert_eq!((body.positions_f64(), body.previous_positions_f64()), (Some(&corrected[..]), Some(&CORNERS[..])));
    assert_eq!(body.previous_positions(), rounded(CORNERS));
    // f32 positions widen without change.
    body.set_positions(&rounded(moved)).unwrap();
    assert_eq!(body.positions_f64(), Some(&rounded(moved).map(|corner| corner.map(f64::from))[..]));
    assert_eq!(body.previous_positions_f64(), Some(&corrected[..]));
    body.write_positions_f64(|old, new| new.copy_from_slice(&[old[2], old[0], [0.1, -0.0, 0.1]])).unwrap();
    assert_eq!(body.positions_f64().unwrap()[0], body.previous_positions_f64().unwrap()[2]);
    // −0 becomes +0 in both copies.
    assert_eq!(body.positions_f64().unwrap()[2][1].to_bits(), 0);
    assert_eq!(body.positions()[2][1].to_bits(), 0);
}

#[test]
fn what_f64_bodies_refuse_is_named_and_leaves_them_as_they_were() {
    let mut body = wide();
    let (large, small) = (1e60, 1e-100);
    let with = |x: f64| [CORNERS[0], [0.5, x, 2.0], CORNERS[2]];
    let range = ": the size of an f64 coordinate must be 0 or from 2^-300 (4.9e-91) to 3.4e38; multiply all positions \
                 by a power of two, which changes no digit";
    for (bad, message) in [
        (with(f64::NAN), "vertex 1 is at [0.5, NaN, 2.0]: not finite".to_owned()),
        (with(f64::NEG_INFINITY), "vertex 1 is at [0.5, -inf, 2.0]: not finite".to_owned()),
        (with(large), format!("vertex 1 is at [0.5, 1e60, 2.0]{range}")),
        (with(-small), format!("vertex 1 is at [0.5, -1e-100, 2.0]{range}")),
        (
            [[1e-60; 3], [0.0; 3], [-1e-61; 3]],
            "the largest coordinate is 1e-60: that of an f64 body must be at least 2^-100 (7.9e-31); multiply all \
             positions by a power of two, which changes no digit"
                .to_owned(),
        ),
    ] {
        assert_eq!(Body::new_f64(triangle(), &bad).unwrap_err().to_string(), message);
        assert_eq!(body.set_positions_f64(&bad).unwrap_err().to_string(), message);
        assert_eq!(body.write_positions_f64(|_, new| new.copy_from_slice(&bad)).unwrap_err().to_string(), message);
        assert_eq!((body.positions_f64(), body.version()), (Some(&CORNERS[..]), 1));
    }
    assert_eq!(
        body.set_positions_f64(&CORNERS[..2]).unwrap_err(),
        BodyError::WrongNumberOfPositions { given: 2, expected: 3 }
    );
    // The ends of the range, and a body at the origin.
    for good in [with(2f64.powi(-300)), with(f64::from(f32::MAX)), with(-2f64.powi(-300)), [[0.0; 3]; 3]] {
        body.set_positions_f64(&good).unwrap();
        assert_eq!(body.positions_f64(), Some(&good[..]));
    }
    // In every lane and beyond.
    for count in [3, 8, 29] {
        for at in 0..3 * count {
            let mut positions = vec![[0.1; 3]; count];
            positions[at / 3][at % 3] = large;
            let error = Body::new_f64(Mesh::new(count, vec![]).unwrap(), &positions).unwrap_err();
            assert_eq!(error, BodyError::OutOfRange { vertex: VertexId(at as u32 / 3), position: positions[at / 3] });
        }
    }
}

#[test]
fn f64_numbers_are_never_rounded_in_silence() {
    let mut body = narrow();
    let message = "vertex 0 is at [0.1, 0.2, 0.3], which are not f32 numbers, but the body was made with f32 \
                   positions: make it with f64 positions, or round them to f32";
    assert_eq!(body.set_positions_f64(&CORNERS).unwrap_err().to_string(), message);
    assert_eq!(body.positions(), rounded(CORNERS));
    let not_finite = body.set_positions_f64(&[[0.0, f64::NAN, 0.0], [0.0; 3], [0.0; 3]]).unwrap_err();
    assert_eq!(not_finite.to_string(), "vertex 0 is at [0.0, NaN, 0.0]: not finite");
    assert!(matches!(body.set_positions_f64(&[[1e60, 0.0, 0.0]; 3]), Err(BodyError::NotF32 { .. })));
    // Numbers that f32 holds are taken.
    body.set_positions(&[[0.5, -2.0, 0.25]; 3]).unwrap();
    assert_eq!(body.positions(), [[0.5, -2.0, 0.25]; 3]);
    // In place, only the numbers the body has.
    let narrow_only = "the body was made with f32 positions, and they can be written in place as f32 numbers only (in \
                       Rust a number without a type is an f64)";
    assert_eq!(body.write_positions_f64(|_, _| unreachable!()).unwrap_err().to_string(), narrow_only);
    assert!(matches!(wide().write_positions(|_, _| unreachable!()), Err(BodyError::OtherPrecision { .. })));
    let mut scene = Scene::new();
    let ids = [scene.add(narrow()), scene.add(wide())];
    assert!(chain(&scene.positions_mut_f64(ids[0]).unwrap_err()).ends_with(narrow_only));
    assert!(matches!(
        scene.positions_mut(ids[1]),
        Err(SceneError::Body { source: BodyError::OtherPrecision { precision: Precision::F64 }, .. })
    ));
    scene.positions_mut_f64(ids[1]).unwrap()[2][2] = 0.7;
    scene.update().unwrap();
    assert_eq!(scene.body(ids[1]).unwrap().point(VertexId(2)), Some([0.1, 1.2, 0.7]));
    assert_eq!(scene.body(ids[1]).unwrap().previous_positions_f64(), Some(&CORNERS[..]));
    // Loose boxes take either too.
    scene.set_loose_box(ids[1], scene.body(ids[0]).unwrap().bounds()).unwrap();
    let read = CORNERS;
    scene.update_with(|_| &read[..]).unwrap();
    assert_eq!(scene.body(ids[1]).unwrap().positions_f64(), Some(&CORNERS[..]));
}

#[test]
fn edits_keep_f64_numbers_apart_and_refuse_what_bodies_refuse() {
    let near = [0.1, 1.2, -0.7 + 2f64.powi(-40)];
    let edit = Edit {
        add_vertices: vec![[5.0, 0.1, 0.0]],
        add_vertices_f64: vec![near],
        add_triangles: vec![[0, 3, 4].map(VertexId)],
        ..Edit::default()
    };
    let mut body = wide();
    body.set_positions_f64(&CORNERS.map(|corner| corner.map(|x| x + 0.5))).unwrap();
    assert_eq!(body.edit(&edit).unwrap().vertices, VertexId(3)..VertexId(5));
    assert_eq!(body.point(VertexId(3)), Some([5.0, 0.1f32, 0.0].map(f64::from)));
    assert_eq!((body.point(VertexId(4)), body.previous_positions_f64().unwrap()[4]), (Some(near), near));
    body.edit(&Edit { remove: vec![TriangleId(0)], ..Edit::default() }).unwrap();
    body.compact();
    assert_eq!(body.positions_f64().unwrap(), [CORNERS[0].map(|x| x + 0.5), [5.0, f64::from(0.1f32), 0.0], near]);
    assert!(matches!(narrow().edit(&edit), Err(EditError::Position { source: BodyError::NotF32 { .. } })));
    let far = Edit { add_vertices_f64: vec![[1e60, 0.0, 0.0]], ..Edit::default() };
    let error = wide().edit(&far).unwrap_err().to_string();
    assert!(error.starts_with("an added vertex is refused: vertex 3 is at [1e60, 0.0, 0.0]: the size"), "{error}");
    // A seam closes only where positions are equal without rounding.
    let above = Body::new_f64(triangle(), &CORNERS.map(|[x, y, z]| [x, y, z + 2f64.powi(-40)])).unwrap();
    assert_eq!(above.positions(), wide().positions());
    for (other, neighbours) in [(&wide(), true), (&above, false)] {
        let (fused, _) = Body::fuse(&wide(), other, Seam::Welded).unwrap();
        let [a, b] = [0, 1].map(|triangle| fused.mesh().welded_triangles()[triangle]);
        assert_eq!(a == b, neighbours);
    }
    // A swapped mesh keeps what the body was made with.
    let mut body = wide();
    body.swap_mesh(triangle(), &rounded(CORNERS)).unwrap();
    assert_eq!(body.precision(), Precision::F64);
    assert!(matches!(narrow().swap_mesh(triangle(), &CORNERS), Err(BodyError::NotF32 { .. })));
}

#[cfg(feature = "serde")]
#[test]
fn a_saved_f64_body_is_read_back_to_the_last_bit_and_old_files_are_read() {
    let mut body = wide();
    let moved = CORNERS.map(|corner| corner.map(|x| x / 3.0 + 1e-12));
    body.set_positions_f64(&moved).unwrap();
    let text = serde_json::to_string(&body).unwrap();
    let back: Body = serde_json::from_str(&text).unwrap();
    assert_eq!(back.precision(), Precision::F64);
    assert_eq!((back.positions_f64(), back.previous_positions_f64()), (Some(&moved[..]), Some(&CORNERS[..])));
    assert_eq!(serde_json::to_string(&back).unwrap(), text);
    let old = r#"{"mesh":{"vertex_count":1,"triangles":[]},"positions":[[0.1,2.0,3.0]],
                  "pose":{"rotation":[0,0,0,1],"translation":[0,0,0]}}"#;
    let old: Body = serde_json::from_str(old).unwrap();
    assert_eq!((old.precision(), old.positions()), (Precision::F32, &[[0.1f32, 2.0, 3.0]][..]));
}

#[test]
fn triangles_of_a_contact_are_read_without_rounding() {
    let mut scene = Scene::new();
    scene.add(wide());
    let crossing = [[0.3, 0.4, -1.0], [0.3, 0.4, 1.0], [2.0, 2.0, 2.0f32]];
    scene.add(Body::new(triangle(), &crossing).unwrap());
    let frame = scene.update().unwrap();
    let contact = frame.contacts().iter().next().unwrap();
    let pair = contact.pairs[0];
    assert_eq!(contact.triangles_f64(pair), Some([CORNERS, crossing.map(|corner| corner.map(f64::from))]));
    assert_eq!(contact.triangles(pair).map(|found| found.map(|of| of.0)), Some([rounded(CORNERS), crossing]));
}

#[test]
fn a_refusal_says_body_vertex_and_value_whoever_prints_it() {
    let mut scene = Scene::new();
    let named = scene.add(wide().with_name("left sleeve"));
    let unnamed = scene.add(narrow());
    let mut bad = rounded(CORNERS);
    bad[1][2] = f32::NAN;
    let what = "were refused: vertex 1 is at [1.1, 0.2, NaN]: not finite";
    for (id, name) in [(named, "\"left sleeve\""), (unnamed, "1")] {
        let message = format!("the positions of body {name} {what}");
        let refused = scene.set_positions(id, &bad).unwrap_err();
        assert_eq!(refused.to_string(), message);
        assert_eq!(chain(&refused), message, "said once, also with the causes");
        assert_eq!(scene.correct_positions(id, &bad).unwrap_err().to_string(), message);
        assert_eq!(scene.swap_mesh(id, triangle(), &bad).unwrap_err().to_string(), message);
    }
    scene.positions_mut(unnamed).unwrap()[1] = bad[1];
    scene.set_name(unnamed, Some("hem")).unwrap();
    assert_eq!(scene.update().unwrap_err().to_string(), format!("the positions of body \"hem\" {what}"));
    let edit = Edit { add_vertices: vec![[f32::INFINITY; 3]], ..Edit::default() };
    let refused = scene.edit(named, &edit).unwrap_err();
    assert_eq!(chain(&refused), refused.to_string());
    assert!(refused.to_string().contains("added vertex 3 is at [inf, inf, inf]: not finite"), "{refused}");
}
