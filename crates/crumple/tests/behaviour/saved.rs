//! With the feature `serde`: what is read back is what was written, and bad data is refused as bad input is.

use crumple::{Body, Edit, Mesh, Pose, Scene, TriangleId};

fn sheet() -> Body {
    let corners = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0]];
    let mesh = Mesh::new(5, vec![[0, 1, 2], [2, 1, 3], [2, 4, 3]]).unwrap().welded(&corners).unwrap();
    Body::new(mesh, &corners).unwrap()
}

#[test]
fn a_body_is_read_back_as_it_was() {
    let mut body = sheet().with_name("sheet").with_user_data(9);
    body.edit(&Edit { remove: vec![TriangleId(1)], ..Edit::default() }).unwrap();
    body.set_positions(&body.positions().iter().map(|&[x, y, z]| [x, y, z + 0.1]).collect::<Vec<_>>()).unwrap();
    body.set_pose(Pose::new([0.0, 0.0, 0.6, 0.8], [1.0, 2.0, 3.0]).unwrap());
    let text = serde_json::to_string(&body).unwrap();
    let back: Body = serde_json::from_str(&text).unwrap();
    assert_eq!((back.positions(), back.previous_positions()), (body.positions(), body.previous_positions()));
    assert_eq!((back.name(), back.user_data(), back.bounds()), (Some("sheet"), 9, body.bounds()));
    assert_eq!(back.mesh().welded_triangles(), body.mesh().welded_triangles());
    assert!(back.mesh().live_triangles().eq(body.mesh().live_triangles()));
    assert_eq!(back.pose().translation(), [1.0, 2.0, 3.0]);
    assert_eq!(serde_json::to_string(&back).unwrap(), text);
}

#[test]
fn bad_data_is_refused_with_the_message_bad_input_has() {
    let refused = |text: &str| serde_json::from_str::<Mesh>(text).unwrap_err().to_string();
    assert!(refused(r#"{"vertex_count":2,"triangles":[[0,1,2]]}"#).contains("triangle 0 uses vertex 2"));
    let no_such = r#"{"vertex_count":3,"triangles":[[0,1,2]],"removed":[7]}"#;
    assert!(refused(no_such).contains("there is no triangle 7"));
    let welds = r#"{"vertex_count":3,"triangles":[[0,1,2]],"representatives":[0,1,9]}"#;
    assert!(refused(welds).contains("vertex 9"));
    let mut value = serde_json::to_value(sheet()).unwrap();
    value["positions"].as_array_mut().unwrap().pop();
    assert!(serde_json::from_value::<Body>(value).unwrap_err().to_string().contains("4 positions were given"));
    assert!(serde_json::from_str::<Pose>(r#"{"rotation":[0,0,0,0],"translation":[0,0,0]}"#).is_err());
}

#[test]
fn contacts_are_written_as_bodies_and_pairs_of_numbers() {
    let mut scene = Scene::new();
    scene.add(sheet());
    scene.add(sheet());
    let frame = scene.update().unwrap();
    let value = serde_json::to_value(frame.contacts()).unwrap();
    assert_eq!((&value[0]["a"]["slot"], &value[0]["b"]["slot"]), (&0.into(), &1.into()));
    assert_eq!(value[0]["pairs"][0], serde_json::json!([0, 0]));
    assert_eq!(value[0]["count"], value[0]["pairs"].as_array().unwrap().len());
}

#[test]
fn every_answer_of_a_frame_is_written() {
    fn keys(answer: impl serde::Serialize) -> Vec<String> {
        let value = serde_json::to_value(answer).unwrap();
        value.as_object().unwrap().keys().cloned().collect()
    }
    let faces = || Mesh::new(4, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]).unwrap();
    let corner = |x: f32| [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0], [x, 0.0, 1.0]];
    let mut scene = Scene::new();
    let a = scene.add(Body::new(faces(), &corner(0.0)).unwrap());
    let b = scene.add(Body::new(faces(), &corner(2.0)).unwrap());
    scene.update().unwrap();
    scene.set_positions(b, &corner(0.5)).unwrap();
    let frame = scene.update().unwrap();
    assert_eq!(keys(frame.overlap(a, b).unwrap()), ["a", "b", "of"]);
    assert_eq!(keys(frame.overlap(a, b).unwrap().of), ["area", "centroid", "gradients", "volume"]);
    assert_eq!(keys(frame.regions().next().unwrap()), ["a", "b", "of"]);
    assert_eq!(keys(frame.curves().next().unwrap().of.iter().next().unwrap()), ["is_closed", "points"]);
    assert_eq!(keys(frame.first_impact().unwrap()), ["a", "b", "of"]);
    assert_eq!(keys(frame.onset(a, b, 0.1).unwrap().unwrap()), ["in_contact", "last_free", "pair"]);
    assert_eq!(keys(frame.near(0.1).iter().next().unwrap()), ["a", "b", "of"]);
    assert_eq!(keys(frame.contacts().stats()).len(), 8);
    assert_eq!(keys(frame.separation(a, b).unwrap().unwrap()).len(), 2);
    assert_eq!(keys(frame.body(a).unwrap().mesh().topology()).len(), 4);
}
