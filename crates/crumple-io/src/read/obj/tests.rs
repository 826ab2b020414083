use super::*;

fn whole(text: &str) -> Result<MeshFile, String> {
    parse_obj(text.as_bytes(), "body.obj").map_err(|error| error.with_hint_in_words())
}

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

#[test]
fn every_form_of_a_face_names_the_same_corners() {
    for face in [
        "f 1 2 3 4",
        "f 1/9 2/9 3/9 4/9",
        "f 1//9 2//9 3//9 4//9",
        "f 1/9/9 2/9/9 3/9/9 4/9/9",
        "f -4 -3 -2 -1",
        "f\t1  2\t3 4  \r",
        "f 1 2 \\\n 3 4 # comment",
        "f 1/1\\\r\n2/2 3/3 4/4",
    ] {
        let mesh = whole(&format!("# a square\nmtllib a.mtl\n{SQUARE}vt 0 0\nvn 0 0 1\ns off\n{face}\n")).unwrap();
        assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]], "{face}");
        assert_eq!(mesh.face_of_triangle, Some(vec![0, 0]), "{face}");
    }
}

#[test]
fn weights_colours_counts_and_late_vertices_are_taken_as_they_come() {
    let mesh = whole("3 1\nf 1 2 3\n  v 0 0 0 1.0\nv 1 0 0 0.5 0.5 0.5\ncurv2 1 \\\n-2 -3\nv 0 1 0").unwrap();
    assert_eq!(mesh.positions, [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!(mesh.triangles, [[0, 1, 2]]);
    assert_eq!(mesh.face_of_triangle, None);
}

#[test]
fn groups_or_objects_become_bodies_of_the_vertices_they_use() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 0 0\nv 6 0 0\nv 5 1 0\nv 9 9 9\nf 1 2 3\n\
        o cloth\ng left\nf 4 5 6\ng right side\nf 6 5 4\nf 3 2 1\no ball\ng left\nf 1 2 3 4\ng\n";
    let groups = parse_obj_bodies(text.as_bytes(), "scene.obj", ObjBodies::Groups).unwrap();
    let names: Vec<&str> = groups.iter().map(|g| g.name.as_str()).collect();
    assert_eq!(names, ["scene", "left", "right side"]);
    assert_eq!(groups[0].triangles, [[0, 1, 2]]);
    assert_eq!(groups[1].positions.len(), 6);
    assert_eq!(groups[1].triangles, [[3, 4, 5], [0, 1, 3], [1, 2, 3]]);
    assert_eq!(groups[1].face_of_triangle, Some(vec![1, 4, 4]));
    assert_eq!(groups[2].face_of_triangle, Some(vec![2, 3]));
    let objects = parse_obj_bodies(text.as_bytes(), "scene.obj", ObjBodies::Objects).unwrap();
    let sizes: Vec<usize> = objects.iter().map(|o| o.triangles.len()).collect();
    assert_eq!(sizes, [1, 3, 2]);
}

#[test]
fn what_is_wrong_with_a_face_is_said_with_its_line() {
    for (face, want) in [
        ("f 1 2 5", "face 0 uses vertex 5, but the file has 4 vertices, counted from 1"),
        ("f 1 2 0", "face 0 uses vertex `0`, but vertices count from 1 or backwards from -1, and there are 4 so far"),
        ("f 1 2 -5", "face 0 uses vertex `-5`, but vertices count from 1 or backwards from -1, and there are 4 so far"),
        (
            "f 1 2 99999999999999999999",
            "face 0 uses vertex `99999999999999999999`, but vertices count from 1 or backwards from -1, and there are 4 so far",
        ),
        ("f 1 2 x", "expected the number of a vertex in face 0, found `x`"),
        ("v 1 2", "expected a number in vertex 5, found the end of the line"),
        ("12 13", "`12` is not a statement of an OBJ file; hint: is it another format?"),
    ] {
        assert_eq!(whole(&format!("{SQUARE}{face}\n")).unwrap_err(), format!("body.obj: line 5: {want}"));
    }
}
