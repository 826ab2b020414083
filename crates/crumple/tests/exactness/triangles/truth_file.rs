//! `fixtures/tri_tri.csv`: answers by CGAL.

use crumple::Triangle;

use super::meet_in_every_order;

fn rows() -> Vec<(Triangle, Triangle, bool)> {
    let text = include_str!("../../../../../fixtures/tri_tri.csv");
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
    let rows = rows();
    assert_eq!(rows.len(), 3135);
    for (a, b, truth) in rows {
        assert_eq!(meet_in_every_order(&a, &b), truth, "{a:?} {b:?}");
    }
}

#[test]
fn both_references_agree_with_the_truth_file() {
    for (a, b, truth) in rows() {
        let [a, b] = [a, b].map(|t| t.0.map(|corner| corner.map(|x| x as i64)));
        assert_eq!(super::reference::share_a_point(&a, &b), truth, "{a:?} {b:?}");
        assert_eq!(super::second_reference::share_a_point(&a, &b), truth, "{a:?} {b:?}");
    }
}
