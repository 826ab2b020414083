//! What a frame answers, with bodies named by their place in the list, so that two scenes can be compared.

use crumple::contact::{CurvePoint, VertexGradient};
use crumple::distance::{Closest, NearPair};
use crumple::motion::Impact;
use crumple::probe::{ClosestPoint, Ray, RayHit};
use crumple::{Body, BodyId, Edit, Frame, Mesh, Scene, TriangleId, TrianglePair};
use crumple_methods::Method;

use super::state::{Model, ModelBody, Point};

type Two<T> = (usize, usize, T);

/// A region without its id.
#[derive(Debug, PartialEq)]
pub(super) struct RegionSeen {
    sizes: [f64; 3],
    points: [[f64; 3]; 3],
    triangles: [Vec<TriangleId>; 2],
}

#[derive(Debug, Default, PartialEq)]
pub(super) struct Answers {
    positions: Vec<[Vec<Point>; 2]>,
    contacts: Vec<Two<(u64, Vec<TrianglePair>)>>,
    witnesses: Vec<Two<usize>>,
    impacts: Vec<Two<Impact>>,
    first_impact: Option<Two<Impact>>,
    safe_step: f64,
    near: Vec<Two<NearPair>>,
    distances: Vec<Two<Option<Closest>>>,
    overlaps: Vec<Two<(f64, [Vec<VertexGradient>; 2])>>,
    regions: Vec<Two<RegionSeen>>,
    curves: Vec<Two<Vec<CurvePoint>>>,
    points: Vec<Option<ClosestPoint>>,
    hits: Vec<Option<(usize, RayHit)>>,
    depths: Vec<Two<Option<f64>>>,
}

/// Bits of questions.
pub(super) const CONTACTS: u32 = 1;
const WITNESSES: u32 = 2;
const IMPACTS: u32 = 4;
const FIRST_IMPACT: u32 = 8;
const NEAR: u32 = 16;
const DISTANCES: u32 = 32;
const OVERLAPS: u32 = 64;
const REGIONS: u32 = 128;
const CURVES: u32 = 256;
const PROBES: u32 = 512;
const DEPTHS: u32 = 1024;
/// Contacts are asked for after all else instead of before.
const CONTACTS_LAST: u32 = 2048;

impl Answers {
    /// Asks the questions whose bits are set.
    pub(super) fn of(frame: Frame<'_>, ids: &[BodyId], questions: u32) -> Self {
        let place = |id: BodyId| ids.iter().position(|&other| other == id).expect("a body of the scene");
        let wants = |question: u32| questions & question != 0;
        let mut answers = Self::default();
        let contacts = |answers: &mut Self| {
            let seen = frame.contacts();
            answers.contacts = seen.iter().map(|c| (place(c.a), place(c.b), (c.count, c.pairs.to_vec()))).collect();
        };
        for &id in ids {
            let body = frame.body(id).unwrap();
            let wide = |f64s: Option<&[Point]>, f32s: &[[f32; 3]]| {
                f64s.map_or_else(|| f32s.iter().map(|p| p.map(f64::from)).collect(), <[Point]>::to_vec)
            };
            let now = wide(body.positions_f64(), body.positions());
            answers.positions.push([wide(body.previous_positions_f64(), body.previous_positions()), now]);
        }
        if wants(CONTACTS) && !wants(CONTACTS_LAST) {
            contacts(&mut answers);
        }
        if wants(WITNESSES) {
            answers.witnesses = frame.witnesses().iter().map(|c| (place(c.a), place(c.b), c.pairs.len())).collect();
        }
        if wants(FIRST_IMPACT) {
            answers.first_impact = frame.first_impact().map(|i| (place(i.a), place(i.b), i.of));
            answers.safe_step = frame.safe_step();
        }
        if wants(IMPACTS) {
            answers.impacts = frame.impacts().iter().map(|i| (place(i.a), place(i.b), i.of)).collect();
            assert_eq!(frame.first_impact(), frame.impacts().first());
        }
        if wants(NEAR) {
            answers.near = frame.near(0.6).iter().map(|n| (place(n.a), place(n.b), n.of)).collect();
        }
        let every_two = || (0..ids.len()).flat_map(|a| (a + 1..ids.len()).map(move |b| (a, b)));
        if wants(DISTANCES) {
            answers.distances = every_two().map(|(a, b)| (a, b, frame.distance(ids[a], ids[b]).ok())).collect();
        }
        if wants(OVERLAPS) {
            let seen = frame.overlaps();
            let of = |o: crumple::Between<&crumple::Overlap>| {
                (place(o.a), place(o.b), (o.volume(), [o.gradient_a().to_vec(), o.gradient_b().to_vec()]))
            };
            answers.overlaps = seen.iter().map(of).collect();
        }
        if wants(REGIONS) {
            let of = |r: crumple::Between<crumple::Region<'_>>| {
                let seen = RegionSeen {
                    sizes: [r.volume, r.area, r.contact_area],
                    points: [r.centroid, r.normal, r.surface_centroid],
                    triangles: [r.triangles_a.to_vec(), r.triangles_b.to_vec()],
                };
                (place(r.a), place(r.b), seen)
            };
            answers.regions = frame.regions().map(of).collect();
        }
        if wants(CURVES) {
            for of in frame.curves() {
                answers.curves.extend(of.iter().map(|curve| (place(of.a), place(of.b), curve.points.to_vec())));
            }
        }
        if wants(PROBES) {
            answers.points = ids.iter().map(|&id| frame.closest_point(id, [1.25f32, 0.5, 2.0]).ok()).collect();
            let rays = [Ray::new([-1.0, 1.25, 1.5], [1.0, 0.0, 0.125]), Ray::new([1.0, 9.0, 1.0], [0.0, -1.0, 0.0])];
            let hit = |ray: &Ray| frame.cast_ray(ray).ok().flatten().map(|seen| (place(seen.body), seen.hit));
            answers.hits = rays.iter().map(hit).collect();
        }
        if wants(DEPTHS) {
            answers.depths = every_two().map(|(a, b)| (a, b, frame.deepest(ids[a], ids[b]).ok().flatten())).collect();
        }
        if wants(CONTACTS) && wants(CONTACTS_LAST) {
            contacts(&mut answers);
        }
        answers
    }
}

/// A scene without history that is in the state of a model: bodies at the start of the step, then at its end.
pub(super) fn fresh(model: &Model, method: Method) -> (Scene, Vec<BodyId>) {
    let mut scene = method.scene();
    let ids: Vec<BodyId> = model.bodies.iter().map(|body| put(&mut scene, body)).collect();
    for (a, b) in &model.ignored {
        let [a, b] = [a, b].map(|&id| ids[model.at(id).expect("ignored bodies are there")]);
        scene.ignore(a, b).unwrap();
    }
    model.ignored_groups.iter().for_each(|&(a, b)| scene.ignore_groups(a, b));
    scene.set_max_pairs(model.limit);
    if model.has_filter {
        scene.set_pair_filter(|_, _, pair| super::keeps(pair));
    }
    // Where the step begins nothing is asked, and no body is known by a box only.
    scene.update().unwrap();
    for (body, &id) in model.bodies.iter().zip(&ids) {
        if body.start.is_some() {
            super::set(&mut scene, id, &body.now, body.in_f64).unwrap();
        }
        if let Some((promised, _)) = body.loose {
            scene.set_loose_box(id, promised).unwrap();
        }
    }
    (scene, ids)
}

fn put(scene: &mut Scene, body: &ModelBody) -> BodyId {
    // A thickness is compared with the size of a body when it is set; the body may have shrunk since.
    let large = [[0.0, 0.0, 0.0], [100.0, 0.0, 0.0], [0.0, 100.0, 0.0]];
    let one = Mesh::new(3, vec![[0, 1, 2]]).unwrap();
    let first = if body.in_f64 {
        Body::new_f64(one, &large)
    } else {
        Body::new(one, &large.map(|point: Point| point.map(|x| x as f32)))
    };
    let id = scene.add(first.unwrap());
    scene.set_thickness(id, body.thickness).unwrap();
    let mesh = Mesh::new(body.now.len(), body.triangles.clone()).unwrap();
    let start = body.start.as_ref().unwrap_or(&body.now);
    if body.in_f64 {
        scene.swap_mesh(id, mesh, start).unwrap();
    } else {
        scene.swap_mesh(id, mesh, &super::rounded(start)).unwrap();
    }
    let dead = (0..).map(TriangleId).zip(&body.live).filter(|(_, live)| !**live).map(|(triangle, _)| triangle);
    scene.edit(id, &Edit { remove: dead.collect(), ..Edit::default() }).unwrap();
    scene.set_self_collision(id, body.asks_itself).unwrap();
    scene.set_group(id, body.group).unwrap();
    scene.set_collision_mask(id, body.membership, body.mask).unwrap();
    id
}
