//! `--rest`: where surfaces touch in a rest pose, they may in other poses, which is no finding there.
//!
//! What is excused is a region of the contact in the rest pose, and its neighbourhood: pairs whose triangles are at most so many rings
//! (`--rest-rings`) from those of the region, each on its side. So a crease may slide, and a collar that touches the neck does not
//! excuse a shirt in the belly. Two bodies of which one lies inside the other in the rest pose, or of which the neighbourhood has all
//! triangles, belong together and are left out. Two bodies that are closer than the clearance in the rest pose may be so later.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::sync::Arc;

use anyhow::{Context, Result};
use crumple::contact::ContactRegionFinder;
use crumple::{Body, BodyId, Mesh, Scene, TriangleId};
use crumple_io::report::{ContactRecord, FeaturesRecord, FrameName, ImpactRecord};
use crumple_io::words::counted;

use crate::bodies::timeline::{self, Timeline};
use crate::bodies::{self, FileBody, Motion};
use crate::error::hinted;
use crate::options::ReadingOptions;
use crate::plan::Plan;
use crate::question::containment::Containment;
use crate::question::near;

/// How many rings of triangles around a region of the rest pose are excused if `--rest-rings` is omitted. Of the 4,444 pairs of the
/// walking CesiumMan, held against its first frame, 3,057 are left with 0 rings, 1,220 with 1, 742 with 2, 544 with 3, and 521 with 4 or
/// more: those are arms in the body, which no neighbourhood has. Of the running fox none are left with 3, 216 with 2.
const RINGS: u32 = 3;

/// Which pose is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Pose {
    /// A frame of what is checked.
    Frame(usize),
    /// A frame of an animation, checked or not.
    Animation { name: String, frame: usize },
}

/// What touches in the rest pose.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rest {
    /// Two bodies that are left out; the smaller number first.
    pub(crate) bodies: BTreeSet<(u32, u32)>,
    /// Of two bodies, or one twice, the regions of their contact; the smaller number first.
    contacts: Arc<HashMap<(u32, u32), RestContact>>,
    /// Two bodies that are closer than the clearance; the smaller number first.
    near: BTreeSet<(u32, u32)>,
}

/// The regions of a contact in the rest pose, with their neighbourhoods.
#[derive(Clone, Debug, Default)]
struct RestContact {
    regions: u32,
    /// Of each side: the regions that a triangle is in, sorted.
    of_triangle: [HashMap<u32, Vec<u32>>; 2],
    /// The same of vertices.
    of_vertex: [HashMap<u32, Vec<u32>>; 2],
}

impl RestContact {
    /// Adds a region, given the triangles of each side with their neighbourhoods.
    fn add(&mut self, sides: [&BTreeSet<u32>; 2], meshes: [&Mesh; 2]) {
        for ((side, triangles), mesh) in sides.into_iter().enumerate().zip(meshes) {
            for &triangle in triangles {
                self.of_triangle[side].entry(triangle).or_default().push(self.regions);
                for vertex in mesh.indices()[triangle as usize] {
                    let regions = self.of_vertex[side].entry(vertex).or_default();
                    if regions.last() != Some(&self.regions) {
                        regions.push(self.regions);
                    }
                }
            }
        }
        self.regions += 1;
    }

    /// Whether one region has something of each side, given the regions that each is in.
    fn has_both(of: [Option<&Vec<u32>>; 2]) -> bool {
        let [Some(one), Some(other)] = of else { return false };
        one.iter().any(|region| other.binary_search(region).is_ok())
    }

    /// Whether two triangles may meet; of one body, either may be on either side.
    fn excuses(&self, is_self: bool, [i, j]: [u32; 2]) -> bool {
        let is_in = |i: u32, j: u32| Self::has_both([self.of_triangle[0].get(&i), self.of_triangle[1].get(&j)]);
        is_in(i, j) || is_self && is_in(j, i)
    }
}

impl Rest {
    /// Whether nothing touches.
    pub(crate) fn is_empty(&self) -> bool {
        self.bodies.is_empty() && self.contacts.is_empty() && self.near.is_empty()
    }

    /// Whether two bodies are left out.
    pub(crate) fn leaves_out(&self, a: u32, b: u32) -> bool {
        a != b && self.bodies.contains(&(a.min(b), a.max(b)))
    }

    /// Whether the rest pose excuses that two bodies are close, or one inside the other: they meet there, or are left out.
    pub(crate) fn excuses(&self, a: u32, b: u32) -> bool {
        self.leaves_out(a, b) || a != b && self.contacts.contains_key(&(a.min(b), a.max(b)))
    }

    /// Whether the rest pose excuses that two bodies are close.
    pub(crate) fn excuses_near(&self, a: u32, b: u32) -> bool {
        self.near.contains(&(a.min(b), a.max(b)))
    }

    /// Whether the rest pose excuses an impact, given the triangles of its bodies: its features belong to triangles that may meet.
    pub(crate) fn excuses_impact(&self, impact: &ImpactRecord, triangles: &[&[[u32; 3]]]) -> bool {
        let (a, b) = (impact.a, impact.b);
        let Some(contact) = self.contacts.get(&(a.min(b), a.max(b))) else { return false };
        // The record's `a` may be the larger number: then its features are on the other side.
        let orders: &[[usize; 2]] = match a.cmp(&b) {
            Ordering::Less => &[[0, 1]],
            Ordering::Greater => &[[1, 0]],
            Ordering::Equal => &[[0, 1], [1, 0]],
        };
        let vertices = |own: &[u32], other: &[u32]| {
            let regions = |side: usize, vertex: &u32| contact.of_vertex[side].get(vertex);
            orders.iter().any(|&[first, second]| {
                let of_own = own.iter().map(|vertex| regions(first, vertex));
                let of_other: Vec<_> = other.iter().map(|vertex| regions(second, vertex)).collect();
                of_own.into_iter().all(|one| of_other.iter().all(|&two| RestContact::has_both([one, two])))
            })
        };
        match &impact.features {
            FeaturesRecord::Already { triangles: [i, j] } => {
                let pair = if a > b { [*j, *i] } else { [*i, *j] };
                contact.excuses(a == b, pair)
            }
            FeaturesRecord::VertexFace { vertex, triangle } => {
                vertices(&[*vertex], &triangles[b as usize][*triangle as usize])
            }
            FeaturesRecord::EdgeEdge { edge_a, edge_b } => vertices(edge_a, edge_b),
            _ => false,
        }
    }

    /// Makes a scene leave out what touches.
    pub(crate) fn apply(&self, scene: &mut Scene, ids: &[BodyId]) -> Result<()> {
        for &(a, b) in &self.bodies {
            scene.ignore(ids[a as usize], ids[b as usize])?;
        }
        if !self.contacts.is_empty() {
            let contacts = Arc::clone(&self.contacts);
            let number_of: HashMap<BodyId, u32> = ids.iter().copied().zip(0..).collect();
            scene.set_pair_filter(move |a, b, pair| {
                let bodies = number_of.get(&a).copied().zip(number_of.get(&b).copied());
                let contact = bodies.and_then(|bodies| contacts.get(&bodies));
                !contact.is_some_and(|contact| contact.excuses(a == b, [pair.a.0, pair.b.0]))
            });
        }
        Ok(())
    }

    /// What it leaves out, in words.
    pub(crate) fn text(&self) -> String {
        let regions: u64 = self.contacts.values().map(|contact| u64::from(contact.regions)).sum();
        let bodies = counted(self.bodies.len() as u64, "pair");
        let regions = match regions {
            0 => String::new(),
            regions => format!(" and {} in which surfaces meet there", counted(regions, "region")),
        };
        format!("the rest pose leaves out {bodies} of bodies{regions}")
    }
}

/// The triangles around each vertex, of vertices that coincide the same.
struct Around(Vec<Vec<u32>>);

impl Around {
    fn of(mesh: &Mesh) -> Self {
        let mut around = vec![Vec::new(); mesh.vertex_count()];
        for (triangle, corners) in (0..).zip(mesh.welded_triangles()) {
            corners.iter().for_each(|corner| around[corner.index()].push(triangle));
        }
        Self(around)
    }

    /// Triangles with this many rings around them.
    fn grown(&self, mesh: &Mesh, triangles: &[TriangleId], rings: u32) -> BTreeSet<u32> {
        let mut grown: BTreeSet<u32> = triangles.iter().map(|triangle| triangle.0).collect();
        let mut last: Vec<u32> = grown.iter().copied().collect();
        for _ in 0..rings {
            let corners = last.iter().flat_map(|&triangle| mesh.welded_triangles()[triangle as usize]);
            let around: BTreeSet<u32> = corners.flat_map(|corner| self.0[corner.index()].iter().copied()).collect();
            last = around.into_iter().filter(|&triangle| grown.insert(triangle)).collect();
            if last.is_empty() {
                break;
            }
        }
        grown
    }
}

/// The regions of a contact in the rest pose with their neighbourhoods; `None` where one of these has all triangles of two bodies.
fn around_contact(
    contact: &ContactRecord<'_>,
    bodies: [&Body; 2],
    rings: u32,
    around: &mut HashMap<u32, Around>,
) -> Option<RestContact> {
    let (numbers, meshes) = ([contact.a, contact.b], bodies.map(|body| &**body.mesh()));
    for (number, mesh) in numbers.into_iter().zip(meshes) {
        around.entry(number).or_insert_with(|| Around::of(mesh));
    }
    let (mut finder, mut found) = (ContactRegionFinder::default(), RestContact::default());
    let regions = match contact.a == contact.b {
        true => finder.find_self(bodies[0], contact.triangle_pairs()),
        false => finder.find(bodies[0], bodies[1], contact.triangle_pairs()),
    };
    for region in regions.iter() {
        let grown =
            |side: usize, triangles: &[TriangleId]| around[&numbers[side]].grown(meshes[side], triangles, rings);
        let sides = [grown(0, region.triangles_a), grown(1, region.triangles_b)];
        let is_whole = (0..2).all(|side| sides[side].len() == meshes[side].triangles().len());
        if is_whole && contact.a != contact.b {
            return None;
        }
        found.add(sides.each_ref(), meshes);
    }
    Some(found)
}

/// The pose that `--rest` names: a number is a frame; `NAME` or `NAME:FRAME` is an animation.
fn pose(text: &str, names: &[String]) -> Pose {
    if let Ok(frame) = text.parse() {
        return Pose::Frame(frame);
    }
    // The name of an animation may hold a colon itself.
    let parts = text.rsplit_once(':').and_then(|(name, frame)| Some((name, frame.parse().ok()?)));
    match parts {
        Some((name, frame)) if !names.iter().any(|other| other == text) => {
            Pose::Animation { name: name.to_owned(), frame }
        }
        _ => Pose::Animation { name: text.to_owned(), frame: 0 },
    }
}

/// The named animations of files, of glTF alone.
fn animation_names(files: &[OsString]) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for file in files {
        names.extend(bodies::files::animations_of(file)?.into_iter().map(|animation| animation.name));
    }
    Ok(names)
}

/// The bodies of the same files with another animation.
fn with_animation(name: &str, text: &str, files: &[OsString], plan: &Plan) -> Result<Vec<FileBody>> {
    let reading = ReadingOptions { animation: Some(name.to_owned()), ..plan.options.motion.reading.clone() };
    bodies::read(files, &reading).with_context(|| format!("--rest {text}"))
}

/// What touches in the pose that `--rest` names. The meshes are those of what is checked, so that triangles are neighbours in
/// one as in the other.
pub(crate) fn find(
    text: &str,
    files: &[OsString],
    bodies: &mut [(Motion, Body)],
    timeline: &Timeline,
    plan: &Plan,
) -> Result<Rest> {
    let names = animation_names(files)?;
    let meshes: Vec<Arc<Mesh>> = bodies.iter().map(|(_, body)| Arc::clone(body.mesh())).collect();
    let (mut others, of_others);
    let (mut posed, timeline, number): (Vec<&mut FileBody>, &Timeline, usize) = match pose(text, &names) {
        Pose::Frame(number) => (bodies.iter_mut().map(|(motion, _)| motion.file_mut()).collect(), timeline, number),
        Pose::Animation { .. } if names.is_empty() => {
            let what = format!("--rest {text}: no file has an animation of that name");
            return Err(hinted(what, "write the number of a frame; only glTF files have named animations"));
        }
        Pose::Animation { name, frame } => {
            others = with_animation(&name, text, files, plan)?;
            let mut posed: Vec<&mut FileBody> = others.iter_mut().collect();
            of_others = Timeline::of(&mut posed, true, plan.options.motion.by_position)?;
            (posed, &of_others, frame)
        }
    };
    let Some(frame) = timeline.index_of(number) else {
        let ([first, last], frames) = (timeline.ends(), counted(timeline.frames as u64, "frame"));
        let hint = format!("there are {frames}, {first} to {last}");
        return Err(hinted(format!("--rest {text}: there is no frame {number}"), hint));
    };
    timeline::check_numbers(&posed, &(frame..frame + 1))?;
    // Vertices that coincide connect loose parts, and where they do so may depend on the animation.
    let triangles = posed.iter().map(|body| body.triangles().len());
    if !triangles.eq(meshes.iter().map(|mesh| mesh.triangles().len())) {
        let what = format!("--rest {text}: the bodies have other loose parts in this pose");
        return Err(hinted(what, "leave --split parts out, or choose a frame of the animation that is checked"));
    }
    let mut scene = plan.options.method.scene();
    scene.set_max_pairs(Some(plan.memory.pairs()));
    let mut ids = Vec::new();
    for (number, (file, mesh)) in (0..).zip(posed.iter_mut().zip(&meshes)) {
        let shown = file.frame_shown_in(frame);
        let id = scene.add(file.body(shown, Some(mesh), false)?);
        scene.set_self_collision(id, plan.own && plan.selection.tests(number, number))?;
        ids.push(id);
    }
    plan.selection.apply(&mut scene, &ids)?;
    let now = scene.update()?;
    let contacts = plan.options.motion.max_work.frame(frame, || Ok(now.contacts()))?;
    plan.check_room(FrameName { number: number as u64, animation: None }, contacts)?;
    let (mut regions, mut around) = (HashMap::new(), HashMap::new());
    let mut rest = Rest::default();
    let contacts: Vec<ContactRecord<'_>> = contacts.iter().filter_map(|contact| plan.seams.judge(contact)).collect();
    for contact in &contacts {
        let numbers = [contact.a, contact.b];
        let [a, b] = numbers.map(|body| now.body(ids[body as usize]));
        let rings = plan.options.rest_rings.unwrap_or(RINGS);
        match around_contact(contact, [a?, b?], rings, &mut around) {
            Some(found) => drop(regions.insert((contact.a, contact.b), found)),
            None => drop(rest.bodies.insert((contact.a.min(contact.b), contact.a.max(contact.b)))),
        }
    }
    if plan.options.needs_containment() {
        let tests = |a, b| plan.selection.tests(a, b) && !plan.seams.join(a, b);
        let found = Containment::new(&meshes).find(now, &ids, &contacts, tests)?;
        rest.bodies.extend(found.iter().map(|found| (found.inner.min(found.outer), found.inner.max(found.outer))));
    }
    if let Some(distance) = plan.options.clearance {
        let found =
            near::find(now, &ids, distance, plan.own, |a, b| plan.selection.tests(a, b) && !plan.seams.join(a, b))?;
        rest.near.extend(found.iter().map(|near| (near.a, near.b)));
    }
    rest.contacts = Arc::new(regions);
    Ok(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pose_is_a_frame_or_an_animation_with_a_frame() {
        let names = ["idle", "mixamo:0", "a:1"].map(str::to_owned);
        let animation = |name: &str, frame| Pose::Animation { name: name.to_owned(), frame };
        assert_eq!(pose("12", &names), Pose::Frame(12));
        assert_eq!(pose("idle", &names), animation("idle", 0));
        assert_eq!(pose("idle:7", &names), animation("idle", 7));
        assert_eq!(pose("mixamo:0", &names), animation("mixamo:0", 0));
        assert_eq!(pose("a:1:5", &names), animation("a:1", 5));
        assert_eq!(pose("x:y", &names), animation("x:y", 0));
    }

    #[test]
    fn what_is_left_out_is_counted() {
        let mut rest = Rest::default();
        assert_eq!(rest.text(), "the rest pose leaves out 0 pairs of bodies");
        rest.bodies.insert((0, 1));
        // Two strips of triangles; the first of each meet.
        let strip = |first: u32| (0..5).map(move |k| [first + k, first + k + 1, first + k + 2]);
        let mesh = Mesh::new(20, strip(0).chain(strip(10)).collect()).unwrap();
        let mut contact = RestContact::default();
        let around = Around::of(&mesh);
        let grown = |triangle: u32, rings| around.grown(&mesh, &[TriangleId(triangle)], rings);
        assert_eq!(grown(0, 0), BTreeSet::from([0]));
        assert_eq!(grown(0, 1), BTreeSet::from([0, 1, 2]));
        contact.add([&grown(0, 1), &grown(5, 0)], [&mesh, &mesh]);
        contact.add([&grown(4, 0), &grown(9, 0)], [&mesh, &mesh]);
        rest.contacts = Arc::new(HashMap::from([((2, 2), contact)]));
        let expected = "the rest pose leaves out 1 pair of bodies and 2 regions in which surfaces meet there";
        assert_eq!(rest.text(), expected);
        assert!(rest.excuses(1, 0) && !rest.excuses(0, 0));
        let is_excused = |pair| rest.contacts[&(2, 2)].excuses(true, pair);
        assert!([[0, 5], [5, 2], [4, 9]].into_iter().all(is_excused));
        // Each pair has one region of the rest pose: its sides are not mixed with those of another.
        assert!(![[0, 9], [4, 5], [0, 1], [3, 5]].into_iter().any(is_excused));
        let indices: Vec<[u32; 3]> = mesh.indices().to_vec();
        let triangles = [&indices[..0], &indices[..0], &indices[..]];
        let impact = |vertex, triangle| ImpactRecord {
            t: [0.5; 2],
            a: 2,
            b: 2,
            features: FeaturesRecord::VertexFace { vertex, triangle },
        };
        assert!(rest.excuses_impact(&impact(1, 5), &triangles) && !rest.excuses_impact(&impact(1, 9), &triangles));
    }
}
