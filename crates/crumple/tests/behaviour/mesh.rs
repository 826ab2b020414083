//! What a mesh says about its triangles, and what it refuses.

use crumple::mesh::EdgeFault;
use crumple::{Body, Mesh, MeshError, TriangleId, VertexId};
use crumple_methods::Method;

const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

fn fault(count: usize, triangle: u32, from: u32, to: u32) -> Option<EdgeFault> {
    Some(EdgeFault { count, triangle: TriangleId(triangle), from: VertexId(from), to: VertexId(to) })
}

#[test]
fn a_vertex_out_of_range_is_refused_with_its_triangle() {
    for (vertices, triangles, message) in [
        (4, vec![[0, 1, 2], [1, 2, 4]], "triangle 1 uses vertex 4, but the mesh has 4 vertices"),
        (0, vec![[0, 0, 0]], "triangle 0 uses vertex 0, but the mesh has 0 vertices"),
        (2, vec![[0, 9, u32::MAX]], "triangle 0 uses vertex 9, but the mesh has 2 vertices"),
        (3, vec![[0, 1, 2], [u32::MAX, 1, 7]], "triangle 1 uses vertex 4294967295, but the mesh has 3 vertices"),
    ] {
        assert_eq!(Mesh::new(vertices, triangles).unwrap_err().to_string(), message);
    }
    let refusal = Mesh::new(3, vec![[0, 1, 3]]).unwrap_err();
    assert_eq!(refusal, MeshError::NoSuchVertex { triangle: TriangleId(0), vertex: VertexId(3), len: 3 });
}

#[test]
fn a_mesh_may_be_empty_and_may_have_vertices_that_no_triangle_uses() {
    for vertices in [0, 7] {
        let mesh = Mesh::new(vertices, Vec::new()).unwrap();
        assert_eq!((mesh.vertex_count(), mesh.triangles().len()), (vertices, 0));
        let topology = mesh.topology();
        assert!(
            topology.is_closed()
                && topology.non_manifold.is_none()
                && topology.misoriented.is_none()
                && topology.is_solid()
        );
        assert_eq!(mesh.neighbours(TriangleId(0)), []);
    }
}

#[test]
fn the_first_edge_that_breaks_a_rule_is_named() {
    let closed = Mesh::new(4, TETRAHEDRON.to_vec()).unwrap();
    assert_eq!((closed.topology().open, closed.topology().unbalanced), (None, None));

    let open = Mesh::new(4, TETRAHEDRON[..3].to_vec()).unwrap();
    assert_eq!(open.topology().open, fault(3, 0, 0, 2));
    assert!(!open.topology().is_closed() && !open.topology().is_solid());
    assert!(open.topology().non_manifold.is_none() && open.topology().misoriented.is_none());

    let fin = Mesh::new(5, [&TETRAHEDRON[..], &[[0, 1, 4]]].concat()).unwrap();
    assert_eq!(fin.topology().non_manifold, fault(1, 0, 1, 0));
    // The edge of three triangles, and the two of the fin alone.
    assert_eq!(fin.topology().open, fault(3, 0, 1, 0));

    let mut turned = TETRAHEDRON;
    turned[3].swap(0, 1);
    let turned = Mesh::new(4, turned.to_vec()).unwrap();
    assert_eq!(turned.topology().misoriented.map(|fault| fault.count), Some(3));
    assert!(turned.topology().is_closed() && turned.topology().misoriented.is_some() && !turned.topology().is_solid());
}

#[test]
fn neighbours_are_the_triangles_that_share_an_edge() {
    let mesh = Mesh::new(6, vec![[0, 1, 2], [2, 1, 3], [3, 4, 5], [0, 0, 1], [1, 2, 4]]).unwrap();
    let neighbours = |t: u32| mesh.neighbours(TriangleId(t)).iter().map(|t| t.0).collect::<Vec<_>>();
    // One corner is not enough; a triangle with a vertex twice has one edge all the same.
    assert_eq!([0, 1, 2, 3, 4].map(neighbours), [vec![1, 3, 4], vec![0, 4], vec![], vec![0], vec![0, 1]]);
    assert_eq!(neighbours(5), [0; 0]);
}

/// Two triangles that share an edge in space but no vertex by number.
fn seam() -> (Vec<[u32; 3]>, Vec<[f32; 3]>) {
    let positions =
        vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, -0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.5]];
    (vec![[0, 1, 2], [4, 3, 5]], positions)
}

#[test]
fn welding_joins_vertices_in_one_place_and_renumbers_none() {
    let (triangles, positions) = seam();
    let apart = Mesh::new(6, triangles.clone()).unwrap();
    assert_eq!(apart.welded_triangles(), apart.triangles());
    assert_eq!(apart.topology().open.map(|fault| fault.count), Some(6));
    assert_eq!(apart.neighbours(TriangleId(0)), []);

    // What was computed before counts no longer.
    let welded = apart.welded(&positions).unwrap();
    assert_eq!(welded.indices(), triangles);
    assert_eq!(welded.welded_triangles(), [[0, 1, 2], [2, 1, 5]].map(|t| t.map(VertexId)));
    assert_eq!(welded.topology().open.map(|fault| fault.count), Some(4));
    assert_eq!(welded.neighbours(TriangleId(0)), [TriangleId(1)]);
    assert_eq!(welded.vertex_count(), 6);
}

#[test]
fn welding_by_the_wrong_number_of_positions_is_refused() {
    let (triangles, positions) = seam();
    let refusal = Mesh::new(6, triangles).unwrap().welded(&positions[1..]).unwrap_err();
    assert_eq!(refusal.to_string(), "5 positions were given to weld by, but the mesh has 6 vertices");
}

#[test]
fn a_seam_is_no_self_collision_once_it_is_welded_unless_the_motion_tears_it_open() {
    let (triangles, mut positions) = seam();
    for method in Method::all() {
        let mut self_pairs = |mesh: Mesh, moved: Option<[f32; 3]>| {
            let mut scene = method.scene();
            let id = scene.add(Body::new(mesh, &positions).unwrap());
            scene.set_self_collision(id, true).unwrap();
            if let Some(moved) = moved {
                let before = std::mem::replace(&mut positions[3], moved);
                scene.set_positions(id, &positions).unwrap();
                positions[3] = before;
            }
            scene.update().unwrap().contacts().pair_count()
        };
        let mesh = || Mesh::new(6, triangles.clone()).unwrap();
        let welded = || mesh().welded(&seam().1).unwrap();
        assert_eq!(self_pairs(mesh(), None), 1, "{method}: two triangles that touch");
        assert_eq!(self_pairs(welded(), None), 0, "{method}: neighbours");
        // One end of the seam moves into the other triangle: what is left of the seam is one shared vertex.
        assert_eq!(self_pairs(welded(), Some([0.25, 0.25, 0.0])), 1, "{method}: torn open");
    }
}
