//! The cutting scene: what its edits say is what its positions and triangles show.

use std::collections::HashSet;

use crate::surface::closed_outward;
use crumple_scenes::cutting;

#[test]
fn the_published_cut_has_the_bits_it_was_published_with() {
    assert_eq!(cutting(45).unwrap().digest().to_string(), "04df713a963028fe");
}

#[test]
fn every_frame_removes_what_is_there_and_adds_what_fits() {
    let cutting = cutting(45).unwrap();
    assert_eq!(cutting.triangles().len(), 4_050);
    let mut there: Vec<bool> = vec![true; cutting.triangles().len()];
    let (mut before, mut now) = (Vec::new(), Vec::new());
    cutting.positions(0, &mut before);
    for (frame, edit) in cutting.edits().iter().enumerate() {
        for &number in &edit.remove {
            assert!(there[number as usize], "triangle {number} goes twice, at {frame}");
            there[number as usize] = false;
        }
        there.resize(there.len() + edit.add_triangles.len(), true);
        cutting.positions(frame, &mut now);
        assert_eq!(now.len(), before.len() + edit.add_vertices.len());
        assert_eq!(now[before.len()..], edit.add_vertices);
        for &vertex in edit.add_triangles.as_flattened() {
            assert!((vertex as usize) < now.len());
        }
        let numbers: Vec<u32> = (0..).zip(&there).filter(|(_, there)| **there).map(|(number, _)| number).collect();
        let at: Vec<u32> = cutting.triangles_at(frame).iter().map(|&(number, _)| number).collect();
        assert_eq!(at, numbers);
        if frame > 0 {
            assert!(before.iter().zip(&now).all(|(a, b)| a != b), "a vertex stands still at {frame}");
        }
        std::mem::swap(&mut before, &mut now);
    }
    assert!(cutting.edits()[0] == Default::default());
}

#[test]
fn no_part_of_the_sheet_is_lost_or_doubled() {
    // Seen from above, the sheet that has not begun to open keeps its area; its parts, their sum.
    let cutting = cutting(20).unwrap();
    let mut positions = Vec::new();
    for (frame, edit) in cutting.edits().iter().enumerate() {
        cutting.positions(frame, &mut positions);
        let area = |[a, b, c]: [u32; 3]| {
            let [a, b, c] = [a, b, c].map(|vertex| positions[vertex as usize].map(f64::from));
            (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2])
        };
        let gone: f64 = edit.remove.iter().map(|&number| area(cutting.triangles()[number as usize])).sum();
        let come: f64 = edit.add_triangles.iter().map(|&triangle| area(triangle)).sum();
        for &triangle in &edit.add_triangles {
            assert!(area(triangle) > 0.0, "a part looks down at {frame}");
        }
        // The blade has opened the cut a little by the time a triangle is split.
        assert!((gone - come).abs() <= 0.2 * gone, "{frame}: {gone} against {come}");
    }
}

#[test]
fn the_halves_hold_every_triangle_and_share_no_vertex() {
    let cutting = cutting(45).unwrap();
    let triangles = cutting.triangles_at(cutting.parted_at());
    let halves = cutting.halves();
    assert_eq!(halves[0].len() + halves[1].len(), triangles.len());
    let vertices = halves.map(|half| -> HashSet<u32> {
        let half: HashSet<u32> = half.into_iter().collect();
        let of_half = triangles.iter().filter(|(number, _)| half.contains(number));
        of_half.flat_map(|&(_, triangle)| triangle).collect()
    });
    assert!(vertices[0].is_disjoint(&vertices[1]));
    let last = cutting.frame_count() - 1;
    assert_eq!(cutting.triangles_at(last), triangles, "nothing changes after the halves have parted");
    // One frame earlier some triangle still joins them.
    let joined = cutting.triangles_at(cutting.parted_at() - 1);
    assert!(joined.iter().any(|(_, triangle)| {
        triangle.iter().any(|vertex| vertices[0].contains(vertex))
            && triangle.iter().any(|vertex| vertices[1].contains(vertex))
    }));
}

#[test]
fn the_blade_and_the_ball_are_closed() {
    let cutting = cutting(1).unwrap();
    for body in cutting.others().bodies() {
        closed_outward(body.triangles(), &body.positions_at(0)).unwrap();
        assert!((1..cutting.frame_count()).all(|frame| body.positions_at(frame) != body.positions_at(frame - 1)));
    }
}

#[test]
fn a_sheet_of_no_cells_is_refused() {
    let message = cutting(0).unwrap_err().to_string();
    assert_eq!(message, "0 cells are too few; ask for at least 1");
}
