//! The regions of contacts: against every two pairs compared, for bodies in many places, and for bodies that meet themselves.

use std::collections::BTreeSet;

use crate::support::playback::bodies;
use crate::support::shapes::{Shape, cuboid};
use crumple::contact::ContactRegionFinder;
use crumple::{Body, BodyId, Contact, Mesh, Scene, TriangleId, TrianglePair};

/// The regions of a contact, by comparing every two pairs: lists of indices of pairs.
fn by_comparing(contact: Contact<'_>) -> Vec<Vec<usize>> {
    let meet = |body: &Body, one: TriangleId, other: TriangleId| {
        let corners = |triangle: TriangleId| body.mesh().welded_triangles()[triangle.index()];
        corners(one).iter().any(|corner| corners(other).contains(corner))
    };
    let (a, b) = (contact.body_a(), contact.body_b());
    let are_joined = |one: TrianglePair, other: TrianglePair| {
        let straight = meet(a, one.a, other.a) && meet(b, one.b, other.b);
        straight || contact.is_self() && meet(a, one.a, other.b) && meet(a, one.b, other.a)
    };
    let mut region_of: Vec<usize> = (0..contact.pairs.len()).collect();
    for (one, &first) in contact.pairs.iter().enumerate() {
        for other in 0..one {
            if region_of[one] != region_of[other] && are_joined(first, contact.pairs[other]) {
                let (from, to) = (region_of[one].max(region_of[other]), region_of[one].min(region_of[other]));
                region_of.iter_mut().filter(|region| **region == from).for_each(|region| *region = to);
            }
        }
    }
    let firsts: BTreeSet<usize> = region_of.iter().copied().collect();
    let of = |first: &usize| (0..contact.pairs.len()).filter(|&pair| region_of[pair] == *first).collect();
    firsts.iter().map(of).collect()
}

/// Area and centre of a triangle.
fn measured(body: &Body, triangle: TriangleId) -> (f64, [f64; 3]) {
    let [p, q, r] = body.triangle_f64(triangle).unwrap();
    let side = |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt();
    let (u, v, w) = (side(p, q), side(q, r), side(r, p));
    // Heron's formula: another way than the library's.
    let half = 0.5 * (u + v + w);
    let square = half * (half - u) * (half - v) * (half - w);
    (square.max(0.0).sqrt(), [0, 1, 2].map(|k| (p[k] + q[k] + r[k]) / 3.0))
}

/// Compares the regions of a frame with those by comparing; returns how many there are, and how many are of bodies with themselves.
fn assert_as_compared(frame: crumple::Frame<'_>) -> (usize, usize) {
    let (mut found, mut counts, mut clear) = (frame.contact_regions(), (0, 0), 0);
    for contact in frame.contacts() {
        for expected in by_comparing(contact) {
            let region = found.next().expect("there is one more region");
            assert_eq!((region.a, region.b), (contact.a, contact.b));
            let pairs: Vec<TrianglePair> = expected.iter().map(|&pair| contact.pairs[pair]).collect();
            assert_eq!(region.pairs, pairs);
            counts.0 += 1;
            counts.1 += usize::from(contact.is_self());
            // Every triangle is on a side, and every pair has one on each.
            let on_side = |side: &[TriangleId], triangle| side.binary_search(&triangle).is_ok();
            for pair in &pairs {
                let [a, b] = [region.triangles_a, region.triangles_b];
                let straight = on_side(a, pair.a) && on_side(b, pair.b);
                assert!(straight || contact.is_self() && on_side(a, pair.b) && on_side(b, pair.a));
            }
            let mut listed: Vec<TriangleId> = region.triangles_a.iter().chain(region.triangles_b).copied().collect();
            assert!(region.triangles_a.is_sorted_by(|p, q| p < q) && region.triangles_b.is_sorted_by(|p, q| p < q));
            let mut of_pairs: Vec<TriangleId> = pairs.iter().flat_map(|pair| [pair.a, pair.b]).collect();
            if contact.is_self() {
                [&mut listed, &mut of_pairs].into_iter().for_each(|list| {
                    list.sort_unstable();
                    list.dedup();
                });
                assert_eq!(listed, of_pairs);
            }
            let area: f64 = match contact.is_self() {
                true => listed.iter().map(|&triangle| measured(contact.body_a(), triangle).0).sum(),
                false => {
                    let of_a = region.triangles_a.iter().map(|&triangle| measured(contact.body_a(), triangle).0);
                    of_a.chain(region.triangles_b.iter().map(|&triangle| measured(contact.body_b(), triangle).0)).sum()
                }
            };
            assert!((region.area - area).abs() < 1e-5 * area.max(1e-9), "{} is not {area}", region.area);
            let mut centroid = [0.0; 3];
            for pair in &pairs {
                let of = [measured(contact.body_a(), pair.a), measured(contact.body_b(), pair.b)];
                let smaller = if of[1].0 < of[0].0 { of[1] } else { of[0] };
                (0..3).for_each(|k| centroid[k] += smaller.1[k] / pairs.len() as f64);
            }
            // Of two triangles of about the same size either may be the smaller one.
            let is_clear = |pair: &TrianglePair| {
                let [a, b] = [measured(contact.body_a(), pair.a).0, measured(contact.body_b(), pair.b).0];
                (a - b).abs() > 1e-5 * a.max(b)
            };
            if pairs.iter().all(is_clear) {
                clear += 1;
                (0..3).for_each(|k| assert!((region.centroid[k] - centroid[k]).abs() < 1e-9));
            }
        }
    }
    assert_eq!(found.next(), None);
    assert!(clear > 0 || counts.0 < 9, "no place was compared");
    counts
}

/// Contacts with more pairs take too long to compare.
const MOST_PAIRS: usize = 600;

#[test]
fn regions_are_those_of_every_two_pairs_compared() {
    let mut most = (0, 0);
    for scene in crumple_scenes::small() {
        let mut played = Scene::new();
        let ids: Vec<BodyId> = bodies(&scene).into_iter().map(|body| played.add(body)).collect();
        ids.iter().for_each(|&id| played.set_self_collision(id, true).unwrap());
        let last = scene.frame_count() - 1;
        for frame in [0, last / 2, last] {
            for (&id, positions) in ids.iter().zip(scene.frame(frame)) {
                played.set_positions(id, &positions).unwrap();
            }
            let now = played.update().unwrap();
            // Every two pairs are compared.
            if now.contacts().iter().any(|contact| contact.pairs.len() > MOST_PAIRS) {
                continue;
            }
            let counts = assert_as_compared(now);
            most = (most.0.max(counts.0), most.1.max(counts.1));
        }
    }
    assert!(most.0 > 20 && most.1 > 3, "{most:?} regions: the scenes show nothing");
}

/// A floor, and a table on four legs as one mesh.
fn table_on_floor() -> (Shape, Shape) {
    let leg = |x: f32, z: f32| cuboid([x, -0.5, z], [x + 0.5, 3.0, z + 0.5]);
    let legs = leg(-2.0, -2.0).with(&leg(2.0, -2.0)).with(&leg(-2.0, 2.0)).with(&leg(2.0, 2.0));
    (cuboid([-9.0, -9.0, -9.0], [9.0, 0.0, 9.0]), legs)
}

#[test]
fn four_legs_on_a_floor_are_four_regions_where_they_stand() {
    let (floor, table) = table_on_floor();
    let mut scene = Scene::new();
    let ids = [floor.body(), table.body()].map(|body| scene.add(body));
    let frame = scene.update().unwrap();
    let places: Vec<[f64; 3]> = frame.contact_regions().map(|region| region.centroid).collect();
    assert_eq!(frame.contact_regions().map(|region| (region.a, region.b)).collect::<BTreeSet<_>>().len(), 1);
    for [x, z] in [[-1.75, -1.75], [-1.75, 2.25], [2.25, -1.75], [2.25, 2.25]] {
        let is_there = |place: &&[f64; 3]| (place[0] - x).abs() < 0.3 && (place[2] - z).abs() < 0.3;
        assert_eq!(places.iter().filter(is_there).count(), 1, "{places:?}");
    }
    assert_eq!(places.len(), 4);
    let contact = frame.contact(ids[0], ids[1]).unwrap();
    let mut finder = ContactRegionFinder::default();
    assert_eq!(finder.find(contact.body_a(), contact.body_b(), contact.pairs).len(), 4);
    // Pairs of triangles that are not there are left out.
    let absent = [contact.pairs[0], TrianglePair::new(9_999, 0), TrianglePair::new(0, 9_999)];
    assert_eq!(finder.find(contact.body_a(), contact.body_b(), &absent).len(), 1);
    assert!(finder.find(contact.body_a(), contact.body_b(), &[]).is_empty());
}

#[test]
fn a_sheet_through_itself_has_two_sides_whatever_its_triangles_are_numbered() {
    // Two strips of quads that cross, with triangles numbered in turns, so that either side has the smaller number.
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for strip in 0..2u32 {
        for k in 0..9u32 {
            let along = k as f32 - 4.0;
            positions.extend(match strip {
                0 => [[along, -0.5, 0.1], [along, 0.5, 0.1]],
                _ => [[along + 0.3, 0.1, -0.5], [along + 0.3, 0.1, 0.5]],
            });
        }
    }
    for k in 0..8 {
        let quad = |first: u32| [[first, first + 1, first + 2], [first + 2, first + 1, first + 3]];
        let quads = [quad(2 * k), quad(18 + 2 * k)];
        triangles.extend(if k % 2 == 0 { [quads[0], quads[1]] } else { [quads[1], quads[0]] }.concat());
    }
    let strip_of = |triangle: TriangleId| u32::from(triangles[triangle.index()][0] >= 18);
    let body = Body::new(Mesh::new(positions.len(), triangles.clone()).unwrap(), &positions).unwrap();
    let mut scene = Scene::new();
    let id = scene.add(body);
    scene.set_self_collision(id, true).unwrap();
    let frame = scene.update().unwrap();
    assert_eq!(assert_as_compared(frame), (1, 1));
    let region = frame.contact_regions().next().unwrap();
    for side in [region.triangles_a, region.triangles_b] {
        assert_eq!(side.iter().map(|&triangle| strip_of(triangle)).collect::<BTreeSet<_>>().len(), 1);
    }
}
