//! `--rest`: what touches in a rest pose is intended, and no finding in other poses.
//!
//! Two bodies that meet in the rest pose, or of which one lies inside the other there, belong together: a button and a shirt,
//! an arm and its shoulder. They are left out. Of one body the pairs of triangles that meet in the rest pose are left out; all
//! others still count; so it is with parts of a body that have a seam. Two bodies that are closer than the clearance in the rest pose may be so later.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsString;
use std::sync::Arc;

use anyhow::{Context, Result};
use crumple::{Body, BodyId, Mesh, Scene};
use crumple_io::report::{ContactRecord, FrameName};
use crumple_io::words::counted;

use crate::bodies::timeline::{self, Timeline};
use crate::bodies::{self, FileBody, Motion};
use crate::error::hinted;
use crate::options::ReadingOptions;
use crate::plan::Plan;
use crate::question::containment::Containment;
use crate::question::near;

/// Which pose is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Pose {
    /// A frame of what is checked.
    Frame(usize),
    /// A frame of an animation, checked or not.
    Animation { name: String, frame: usize },
}

/// Pairs of triangles of one body, or of two parts of it that have a seam, the smaller number first.
type OwnPairs = HashMap<(u32, u32), HashSet<[u32; 2]>>;

/// What touches in the rest pose.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rest {
    /// Two bodies that meet, or of which one is inside the other; the smaller number first.
    pub(crate) bodies: BTreeSet<(u32, u32)>,
    own: Arc<OwnPairs>,
    /// Two bodies that are closer than the clearance; the smaller number first.
    near: BTreeSet<(u32, u32)>,
}

impl Rest {
    /// Whether nothing touches.
    pub(crate) fn is_empty(&self) -> bool {
        self.bodies.is_empty() && self.own.is_empty() && self.near.is_empty()
    }

    /// Whether the rest pose excuses all contacts of two bodies.
    pub(crate) fn excuses(&self, a: u32, b: u32) -> bool {
        a != b && self.bodies.contains(&(a.min(b), a.max(b)))
    }

    /// Whether the rest pose excuses that two bodies are close.
    pub(crate) fn excuses_near(&self, a: u32, b: u32) -> bool {
        self.near.contains(&(a.min(b), a.max(b)))
    }

    /// Whether the rest pose excuses that two triangles of a body meet.
    pub(crate) fn excuses_pair(&self, body: u32, [i, j]: [u32; 2]) -> bool {
        self.own.get(&(body, body)).is_some_and(|pairs| pairs.contains(&[i.min(j), i.max(j)]))
    }

    /// Makes a scene leave out what touches.
    pub(crate) fn apply(&self, scene: &mut Scene, ids: &[BodyId]) -> Result<()> {
        for &(a, b) in &self.bodies {
            scene.ignore(ids[a as usize], ids[b as usize])?;
        }
        if !self.own.is_empty() {
            let own = Arc::clone(&self.own);
            let number_of: HashMap<BodyId, u32> = ids.iter().copied().zip(0..).collect();
            scene.set_pair_filter(move |a, b, pair| {
                let bodies = number_of.get(&a).copied().zip(number_of.get(&b).copied());
                let pairs = bodies.and_then(|bodies| own.get(&bodies));
                !pairs.is_some_and(|pairs| pairs.contains(&[pair.a.0, pair.b.0]))
            });
        }
        Ok(())
    }

    /// What it leaves out, in words.
    pub(crate) fn text(&self) -> String {
        let own: usize = self.own.values().map(HashSet::len).sum();
        let bodies = counted(self.bodies.len() as u64, "pair");
        let own = match own {
            0 => String::new(),
            own => format!(" and {} of triangles of one body", counted(own as u64, "pair")),
        };
        format!("the rest pose leaves out {bodies} of bodies{own}")
    }
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
    let mut own = OwnPairs::new();
    let mut rest = Rest::default();
    let contacts: Vec<ContactRecord<'_>> = contacts.iter().filter_map(|contact| plan.seams.judge(contact)).collect();
    for contact in &contacts {
        if contact.a == contact.b || plan.seams.join(contact.a, contact.b) {
            own.insert((contact.a, contact.b), contact.listed().iter().copied().collect());
        } else {
            rest.bodies.insert((contact.a.min(contact.b), contact.a.max(contact.b)));
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
    rest.own = Arc::new(own);
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
        rest.own = Arc::new(OwnPairs::from([((2, 2), HashSet::from([[0, 1], [4, 5]]))]));
        let expected = "the rest pose leaves out 1 pair of bodies and 2 pairs of triangles of one body";
        assert_eq!(rest.text(), expected);
        assert!(rest.excuses(1, 0) && !rest.excuses(0, 0) && rest.excuses_pair(2, [5, 4]));
    }
}
