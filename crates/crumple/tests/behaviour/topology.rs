//! Triangles that come and go, one call at a time: numbers, maps, what carries over, and what is refused.

use std::sync::Arc;

use crumple::{Aabb, Body, BodyId, Edit, EditError, Mesh, Scene, SceneError, Seam, TriangleId, TrianglePair, VertexId};
use crumple_ldi::{Direction, LayeredDepthImage};
use crumple_methods::Method;
use crumple_methods::bucket_tree::{BucketTree, BucketTreeOptions};

use crate::support::errors::chain;

/// Four unit squares in a row along x, two triangles each: vertex 2i + j is at (i, j, 0).
fn strip() -> (Mesh, Vec<[f32; 3]>) {
    let triangles =
        (0..4u32).flat_map(|i| [[2 * i, 2 * i + 2, 2 * i + 1], [2 * i + 1, 2 * i + 2, 2 * i + 3]]).collect();
    let positions = (0..10).map(|v| [(v / 2) as f32, (v % 2) as f32, 0.0]).collect();
    (Mesh::new(10, triangles).unwrap(), positions)
}

fn strip_body() -> Body {
    let (mesh, positions) = strip();
    Body::new(mesh, &positions).unwrap()
}

/// A needle through the plane of the strip, upright at (x, 0.25).
fn needle(x: f32) -> Body {
    let positions = [[x, 0.25, -1.0], [x, 0.25, 1.0], [x, 0.25, 1.5]];
    Body::new(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &positions).unwrap()
}

fn ids<const N: usize>(numbers: [u32; N]) -> Vec<TriangleId> {
    numbers.map(TriangleId).to_vec()
}

fn remove<const N: usize>(numbers: [u32; N]) -> Edit {
    Edit { remove: ids(numbers), ..Edit::default() }
}

fn pairs(scene: &mut Scene) -> Vec<(BodyId, BodyId, Vec<TrianglePair>)> {
    scene.update().unwrap().contacts().iter().map(|contact| (contact.a, contact.b, contact.pairs.to_vec())).collect()
}

#[test]
fn a_removed_triangle_is_not_found_and_a_restored_one_is_found_under_its_old_number() {
    for method in Method::all() {
        let mut scene = method.scene();
        let (strip, needle) = (scene.add(strip_body()), scene.add(needle(2.25)));
        let hit = vec![(strip, needle, vec![TrianglePair::new(4, 0)])];
        assert_eq!(pairs(&mut scene), hit, "{method}");
        scene.edit(strip, &remove([4])).unwrap();
        assert_eq!(pairs(&mut scene), [], "{method}");
        scene.edit(strip, &Edit { restore: ids([4]), ..remove([0]) }).unwrap();
        assert_eq!(pairs(&mut scene), hit, "{method}");
    }
}

#[test]
fn added_vertices_and_triangles_get_the_next_numbers_even_after_removals() {
    for method in Method::all() {
        let mut scene = method.scene();
        let (strip, needle) = (scene.add(strip_body()), scene.add(needle(5.25)));
        assert_eq!(pairs(&mut scene), [], "{method}");
        scene.edit(strip, &remove([7, 6])).unwrap();
        let add = Edit {
            add_vertices: vec![[6.0, 0.0, 0.0]],
            add_triangles: vec![[8, 10, 9].map(VertexId)],
            ..Edit::default()
        };
        let added = scene.edit(strip, &add).unwrap();
        assert_eq!((added.vertices, added.triangles), (VertexId(10)..VertexId(11), TriangleId(8)..TriangleId(9)));
        assert_eq!(pairs(&mut scene), [(strip, needle, vec![TrianglePair::new(8, 0)])], "{method}");
        let body = scene.body(strip).unwrap();
        assert_eq!((body.mesh().live_count(), body.mesh().triangles().len(), body.topology_version()), (7, 9, 2));
        assert_eq!((body.triangle(TriangleId(6)), body.bounds().max()), (None, [6.0, 1.0, 0.0]));
        // The next frame must give the new vertex too.
        let all: Vec<_> = body.positions().iter().map(|&[x, y, z]| [x, y + 9.0, z]).collect();
        scene.set_positions(strip, &all).unwrap();
        assert_eq!(pairs(&mut scene), [], "{method}");
    }
}

#[test]
fn a_mesh_that_others_hold_does_not_change_under_them() {
    let (mesh, positions) = strip();
    let mesh = Arc::new(mesh);
    let (mut edited, other) =
        (Body::new(mesh.clone(), &positions).unwrap(), Body::new(mesh.clone(), &positions).unwrap());
    edited.edit(&remove([3])).unwrap();
    assert_eq!((edited.mesh().live_count(), other.mesh().live_count(), mesh.live_count()), (7, 8, 8));
}

#[test]
fn what_follows_from_the_triangles_follows_their_changes() {
    let tetrahedron = Mesh::new(4, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]).unwrap();
    let positions = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut body = Body::new(tetrahedron, &positions).unwrap();
    assert!(body.mesh().topology().is_closed());
    assert_eq!(body.mesh().neighbours(TriangleId(1)), ids([0, 2, 3]));
    body.edit(&remove([0])).unwrap();
    assert_eq!(body.mesh().topology().open.map(|fault| (fault.count, fault.triangle)), Some((3, TriangleId(1))));
    assert_eq!(body.mesh().neighbours(TriangleId(1)), ids([2, 3]));
    assert_eq!(body.mesh().neighbours(TriangleId(0)), []);
    body.edit(&Edit { add_triangles: vec![[0, 2, 1].map(VertexId)], ..Edit::default() }).unwrap();
    assert!(body.mesh().topology().is_closed());
    assert_eq!(body.mesh().neighbours(TriangleId(1)), ids([2, 3, 4]));
}

#[test]
fn depth_images_see_no_removed_triangle() {
    let tetrahedron = Mesh::new(4, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]).unwrap();
    let positions = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut body = Body::new(tetrahedron, &positions).unwrap();
    let image = |body: &Body| LayeredDepthImage::of_body(body, Direction::PositiveZ, 64);
    let whole = image(&body).unwrap();
    // One face replaced by three, with a vertex in its middle; then the old one is gone but its number is not.
    let third = 1.0 / 3.0;
    let refine = Edit {
        add_vertices: vec![[third, third, 0.0]],
        add_triangles: vec![[0, 2, 4].map(VertexId), [2, 1, 4].map(VertexId), [1, 0, 4].map(VertexId)],
        ..remove([0])
    };
    body.edit(&refine).unwrap();
    let refined = image(&body).unwrap();
    assert_eq!((refined.stats().triangles, refined.depth_complexity(), refined.odd_columns()), (6, 2, 0));
    assert!((refined.volume() - whole.volume()).abs() < 1e-3, "{} instead of {}", refined.volume(), whole.volume());
    body.edit(&remove([4])).unwrap();
    let message = image(&body).unwrap_err().to_string();
    assert!(message.contains("open"), "{message}");
}

#[test]
fn a_split_makes_two_bodies_and_says_where_everything_went() {
    for method in Method::all() {
        let mut scene = method.scene();
        let strip = scene.add(strip_body());
        let needles = [scene.add(needle(0.25)), scene.add(needle(3.25))];
        scene.edit(strip, &remove([2])).unwrap();
        // The last two squares, in no order.
        let split = scene.split(strip, &ids([7, 5, 4, 6])).unwrap();
        assert_eq!(scene.body(strip).map(|_| ()), Err(SceneError::UnknownBody { body: strip }));
        assert_eq!(split.rest_numbers.old_triangles(), ids([0, 1, 3]));
        assert_eq!(split.rest_numbers.triangle(TriangleId(3)), Some(TriangleId(2)));
        assert_eq!(split.rest_numbers.triangle(TriangleId(2)), None);
        assert_eq!(split.off_numbers.triangle(TriangleId(6)), Some(TriangleId(2)));
        // Vertices 4 and 5 are on the cut: both halves have them.
        assert_eq!(split.rest_numbers.vertex(VertexId(4)), Some(VertexId(4)));
        assert_eq!(split.off_numbers.vertex(VertexId(4)), Some(VertexId(0)));
        assert_eq!(split.off_numbers.old_vertices(), [4, 5, 6, 7, 8, 9].map(VertexId));
        assert_eq!(scene.body(split.off).unwrap().bounds().min(), [2.0, 0.0, 0.0]);
        let mut expected = [
            (split.rest, split.off, TrianglePair::new(2, 0)),
            (split.rest, split.off, TrianglePair::new(2, 1)),
            (split.rest, needles[0], TrianglePair::new(0, 0)),
            (split.off, needles[1], TrianglePair::new(2, 0)),
        ]
        .map(|(a, b, pair)| if a < b { (a, b, pair) } else { (b, a, TrianglePair { a: pair.b, b: pair.a }) });
        expected.sort_unstable();
        let found: Vec<_> =
            pairs(&mut scene).into_iter().flat_map(|(a, b, pairs)| pairs.into_iter().map(move |p| (a, b, p))).collect();
        assert_eq!(found, expected, "{method}");
    }
}

#[test]
fn fused_bodies_are_one_and_a_welded_seam_joins_them() {
    let beside = |x: f32| {
        let (mesh, positions) = strip();
        Body::new(mesh, &positions.iter().map(|p| [p[0] + x, p[1], p[2]]).collect::<Vec<_>>()).unwrap()
    };
    for method in Method::all() {
        for (seam, touching) in [(Seam::Open, 3), (Seam::Welded, 0)] {
            let mut scene = method.scene();
            let (a, b) = (scene.add(beside(0.0)), scene.add(beside(4.0)));
            scene.set_self_collision(b, true).unwrap();
            assert_eq!(scene.update().unwrap().contacts().pair_count(), 3);
            scene.edit(a, &remove([1])).unwrap();
            let fused = scene.fuse(a, b, seam).unwrap();
            assert!(scene.body(a).is_err() && scene.body(b).is_err());
            assert_eq!(fused.a_numbers.triangle(TriangleId(2)), Some(TriangleId(1)));
            assert_eq!(fused.b_numbers.triangle(TriangleId(0)), Some(TriangleId(7)));
            assert_eq!(fused.b_numbers.vertex(VertexId(0)), Some(VertexId(10)));
            let found = pairs(&mut scene);
            let count: usize = found.iter().map(|(_, _, pairs)| pairs.len()).sum();
            assert_eq!(count, touching, "{method}, {seam:?}: {found:?}");
            let topology = scene.body(fused.id).unwrap().mesh().topology();
            let borders = topology.open.map_or(0, |fault| fault.count);
            // Two strips of ten border edges each, one triangle out of the first; the seam takes one from each.
            assert_eq!(borders, if seam == Seam::Open { 21 } else { 19 });
        }
    }
}

#[test]
fn new_bodies_take_over_what_the_scene_was_told_about_the_old_ones() {
    let mut scene = Scene::new();
    let (strip, near, far) = (scene.add(strip_body()), scene.add(needle(0.25)), scene.add(needle(3.25)));
    scene.ignore(strip, near).unwrap();
    scene.set_group(strip, 7).unwrap();
    let split = scene.split(strip, &ids([4, 5, 6, 7])).unwrap();
    scene.ignore(split.rest, split.off).unwrap();
    let other = |(a, b, _): &(BodyId, BodyId, Vec<TrianglePair>)| if *a == split.off { *b } else { *a };
    assert_eq!(pairs(&mut scene).iter().map(other).collect::<Vec<_>>(), [far], "near is still ignored");
    scene.ignore_groups(7, 0);
    assert_eq!(pairs(&mut scene), []);
    let fused = scene.fuse(split.rest, split.off, Seam::Open).unwrap();
    assert_eq!(pairs(&mut scene), [], "the group is kept");
    scene.stop_ignoring_groups(7, 0);
    assert_eq!(scene.update().unwrap().contacts().len(), 1, "near is still ignored by {}, far is not", fused.id);
}

#[test]
fn compacting_drops_what_is_not_used_and_keeps_the_order() {
    let mut scene = Scene::new();
    let (strip, needle) = (scene.add(strip_body()), scene.add(needle(3.25)));
    scene.edit(strip, &remove([0, 1, 2, 5])).unwrap();
    assert_eq!(pairs(&mut scene), [(strip, needle, vec![TrianglePair::new(6, 0)])]);
    let numbers = scene.compact(strip).unwrap();
    assert_eq!(numbers.old_triangles(), ids([3, 4, 6, 7]));
    assert_eq!(numbers.old_vertices(), [3, 4, 5, 6, 7, 8, 9].map(VertexId));
    assert_eq!(pairs(&mut scene), [(strip, needle, vec![TrianglePair::new(2, 0)])]);
    assert_eq!(scene.body(strip).unwrap().bounds().min(), [1.0, 0.0, 0.0]);
}

#[test]
fn a_coarse_body_is_swapped_for_a_fine_one_and_back_under_the_same_id() {
    let coarse = Arc::new(Mesh::new(4, vec![[0, 1, 2], [2, 1, 3]]).unwrap());
    let corners = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 1.0, 0.0], [4.0, 1.0, 0.0]];
    let (fine, fine_positions) = strip();
    let fine = Arc::new(fine);
    for method in Method::all() {
        let mut scene = method.scene();
        let (body, needle) = (scene.add(Body::new(coarse.clone(), &corners).unwrap()), scene.add(needle(2.25)));
        for _ in 0..2 {
            assert_eq!(pairs(&mut scene), [(body, needle, vec![TrianglePair::new(0, 0)])], "{method}");
            scene.swap_mesh(body, fine.clone(), &fine_positions).unwrap();
            assert_eq!(pairs(&mut scene), [(body, needle, vec![TrianglePair::new(4, 0)])], "{method}");
            scene.swap_mesh(body, coarse.clone(), &corners).unwrap();
        }
    }
}

#[test]
fn a_body_can_lose_all_its_triangles_and_get_new_ones() {
    for method in Method::all() {
        let mut scene = method.scene();
        let (strip, needle) = (scene.add(strip_body()), scene.add(needle(0.25)));
        scene.set_self_collision(strip, true).unwrap();
        scene.edit(strip, &remove([0, 1, 2, 3, 4, 5, 6, 7])).unwrap();
        assert_eq!(pairs(&mut scene), [], "{method}");
        scene.edit(strip, &Edit { add_triangles: vec![[0, 2, 1].map(VertexId)], ..Edit::default() }).unwrap();
        assert_eq!(pairs(&mut scene), [(strip, needle, vec![TrianglePair::new(8, 0)])], "{method}");
        scene.edit(strip, &remove([8])).unwrap();
        scene.compact(strip).unwrap();
        assert_eq!(pairs(&mut scene), [], "{method}");
        assert!(scene.body(strip).unwrap().bounds().is_empty());
    }
}

#[test]
fn whatever_is_wrong_is_said_and_changes_nothing() {
    let mut scene = Method::BucketTree(BucketTree::new(BucketTreeOptions::default()).unwrap()).scene();
    let (strip, needle) = (scene.add(strip_body()), scene.add(needle(1.25)));
    scene.edit(strip, &remove([4])).unwrap();
    let (before, version) = (pairs(&mut scene), scene.body(strip).unwrap().topology_version());
    let nan = [0.0, f32::NAN, 0.0];
    let edits = [
        (
            remove([1, 8]),
            "the change of triangles of body 0 was refused: there is no triangle 8: the body has 8, counted from 0",
        ),
        (remove([1, 4]), "the change of triangles of body 0 was refused: triangle 4 has been removed already"),
        (remove([1, 2, 1]), "the change of triangles of body 0 was refused: triangle 1 is named twice"),
        (
            Edit { restore: ids([4, 3]), ..remove([1]) },
            "the change of triangles of body 0 was refused: triangle 3 is there: only a removed one can be restored",
        ),
        (
            Edit { restore: ids([4, 4]), ..Edit::default() },
            "the change of triangles of body 0 was refused: triangle 4 is named twice",
        ),
        (
            Edit { restore: ids([9]), ..Edit::default() },
            "the change of triangles of body 0 was refused: there is no triangle 9: the body has 8, counted from 0",
        ),
        (
            Edit { add_vertices: vec![[0.0; 3], nan], ..remove([1]) },
            "the change of triangles of body 0 was refused: added vertex 11 is at [0.0, NaN, 0.0]: not finite",
        ),
        (
            Edit {
                add_vertices: vec![[0.0; 3]],
                add_triangles: vec![[0, 1, 10].map(VertexId), [0, 11, 1].map(VertexId)],
                ..remove([1])
            },
            "the change of triangles of body 0 was refused: added triangle 9 uses vertex 11, but the body has 11 vertices with the added ones",
        ),
    ];
    for (edit, message) in edits {
        assert_eq!(chain(&scene.edit(strip, &edit).unwrap_err()), message);
    }
    let splits = [
        (
            ids([]),
            "the change of triangles of body 0 was refused: the set of triangles to split off is empty: name at least one",
        ),
        (
            ids([0, 1, 2, 3, 5, 6, 7]),
            "the change of triangles of body 0 was refused: the set to split off holds all 7 triangles of the body: leave at least one",
        ),
        (ids([0, 4]), "the change of triangles of body 0 was refused: triangle 4 has been removed already"),
        (
            ids([0, 8]),
            "the change of triangles of body 0 was refused: there is no triangle 8: the body has 8, counted from 0",
        ),
        (ids([0, 1, 0]), "the change of triangles of body 0 was refused: triangle 0 is named twice"),
    ];
    for (off, message) in splits {
        assert_eq!(chain(&scene.split(strip, &off).unwrap_err()), message);
    }
    let message = scene.fuse(strip, strip, Seam::Open).unwrap_err().to_string();
    assert_eq!(message, "body 0 cannot be fused with itself: name two bodies");
    let (mesh, positions) = self::strip();
    let mesh = Arc::new(mesh);
    let refused = |scene: &mut Scene, positions: &[[f32; 3]]| {
        chain(&scene.swap_mesh(strip, mesh.clone(), positions).unwrap_err())
    };
    let number = "the positions of body 0 were refused: 9 positions were given, but the body has 10 vertices";
    assert_eq!(refused(&mut scene, &positions[1..]), number);
    let not_finite = "the positions of body 0 were refused: vertex 0 is at [0.0, NaN, 0.0]: not finite";
    assert_eq!(refused(&mut scene, &[nan; 10]), not_finite);

    assert_eq!((pairs(&mut scene), scene.body(strip).unwrap().topology_version()), (before, version));
    assert_eq!(scene.body(strip).unwrap().positions().to_vec(), positions);

    // A body that is gone.
    scene.remove(needle).unwrap();
    let gone = "there is no body 1 in this scene: it was removed, or the id is another scene's";
    assert_eq!(scene.edit(needle, &Edit::default()).unwrap_err().to_string(), gone);
    assert_eq!(scene.split(needle, &ids([0])).unwrap_err().to_string(), gone);
    assert_eq!(scene.fuse(strip, needle, Seam::Open).unwrap_err().to_string(), gone);
    assert_eq!(scene.compact(needle).unwrap_err().to_string(), gone);
    assert_eq!(scene.swap_mesh(needle, mesh, &positions).unwrap_err().to_string(), gone);
}

#[test]
fn triangles_cannot_change_while_only_a_loose_box_is_known() {
    let mut scene = Scene::new();
    let strip = scene.add(strip_body());
    scene.set_loose_box(strip, Aabb::new([0.0; 3], [9.0; 3])).unwrap();
    let message = "body 0 is known only by its loose box: give its vertices before its triangles are changed";
    assert_eq!(scene.edit(strip, &remove([0])).unwrap_err().to_string(), message);
    assert_eq!(scene.split(strip, &ids([0])).unwrap_err().to_string(), message);
    // A swap brings vertices of its own.
    let (mesh, positions) = self::strip();
    scene.swap_mesh(strip, mesh, &positions).unwrap();
    scene.edit(strip, &remove([0])).unwrap();
}

#[test]
fn a_body_alone_is_edited_as_one_in_a_scene() {
    let mut body = strip_body();
    assert_eq!(body.edit(&remove([8])), Err(EditError::NoSuchTriangle { triangle: TriangleId(8), len: 8 }));
    let [rest, off] = body.split(&ids([0])).unwrap();
    assert_eq!((rest.body.mesh().live_count(), off.body.mesh().live_count()), (7, 1));
    let (fused, _) = Body::fuse(&rest.body, &off.body, Seam::Welded).unwrap();
    assert_eq!(fused.mesh().live_count(), 8);
    assert_eq!(fused.mesh().topology().open.map(|fault| fault.count), Some(10), "as it was before");
}
