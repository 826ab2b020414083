//! The triangle test against outside truth and against an integer reference of its own.

use crumple::{Triangle, exact::triangles_meet};

fn fixture() -> Vec<(Triangle, Triangle, bool)> {
    let text = include_str!("../../../fixtures/tri_tri.csv");
    text.lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let corner = |i: usize| -> [f32; 3] { std::array::from_fn(|k| fields[1 + 3 * i + k].parse().unwrap()) };
            let triangle = |first: usize| Triangle(std::array::from_fn(|k| corner(first + k)));
            (triangle(0), triangle(3), fields[20] == "1")
        })
        .collect()
}

#[test]
fn every_row_of_the_truth_file_is_decided_right_in_every_order() {
    let rows = fixture();
    assert_eq!(rows.len(), 3135);
    let orders = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
    for (a, b, truth) in rows {
        for p in orders {
            for q in orders {
                let (a, b) = (Triangle(p.map(|i| a.0[i])), Triangle(q.map(|i| b.0[i])));
                assert_eq!(triangles_meet(&a, &b), truth, "{a:?} {b:?}");
                assert_eq!(triangles_meet(&b, &a), truth, "{b:?} {a:?}");
            }
        }
    }
}
