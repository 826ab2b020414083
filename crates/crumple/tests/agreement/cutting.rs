//! Experiment CR5 at a small size: a sheet is cut frame by frame, parts in two and falls on a ball. Every method finds
//! what brute force finds, in every frame.

use std::collections::BTreeMap;

use crate::support::methods::methods_that_keep_more;
use crumple::{Body, BodyId, Edit, Mesh, Renumbering, Scene, TriangleId, TrianglePair, VertexId};
use crumple_methods::Method;
use crumple_scenes::{Cutting, cutting};

/// One method's scene of the cutting, and who is who in it.
struct Run {
    scene: Scene,
    /// Whole at first, then two halves, each with the numbers its triangles and vertices had in the whole.
    sheets: Vec<(BodyId, Option<Renumbering>)>,
    others: Vec<BodyId>,
}

impl Run {
    /// Ids are compared across runs: all scenes are `empty` under another method.
    fn new(empty: &Scene, method: Method, cutting: &Cutting) -> Self {
        let mut scene = method.of(empty);
        let mut positions = Vec::new();
        cutting.positions(0, &mut positions);
        let mesh = Mesh::new(positions.len(), cutting.triangles().to_vec()).unwrap();
        let sheet = scene.add(Body::new(mesh, &positions).unwrap());
        scene.set_self_collision(sheet, true).unwrap();
        let others = cutting.others().bodies().iter().map(|body| {
            let mesh = Mesh::new(body.vertex_count(), body.triangles().to_vec()).unwrap();
            scene.add(Body::new(mesh, &body.positions_at(0)).unwrap())
        });
        let others = others.collect();
        Self { scene, sheets: vec![(sheet, None)], others }
    }

    /// Goes on to a frame: the edit of the frame, then the positions of all vertices.
    fn frame(&mut self, frame: usize, cutting: &Cutting) {
        let mut positions = Vec::new();
        cutting.positions(frame, &mut positions);
        if frame < cutting.parted_at() {
            self.edit(frame, cutting);
        } else if let [(sheet, None)] = self.sheets[..] {
            self.edit(frame, cutting);
            let [_, right] = cutting.halves();
            let split = self.scene.split(sheet, &right.into_iter().map(TriangleId).collect::<Vec<_>>()).unwrap();
            self.sheets = vec![(split.rest, Some(split.rest_numbers)), (split.off, Some(split.off_numbers))];
        }
        for (sheet, numbers) in &self.sheets {
            let old = |numbers: &Renumbering| -> Vec<_> {
                numbers.old_vertices().iter().map(|&VertexId(old)| positions[old as usize]).collect()
            };
            let own = numbers.as_ref().map_or_else(|| positions.clone(), old);
            self.scene.set_positions(*sheet, &own).unwrap();
        }
        for (&id, body) in self.others.iter().zip(cutting.others().bodies()) {
            self.scene.set_positions(id, &body.positions_at(frame)).unwrap();
        }
    }

    fn edit(&mut self, frame: usize, cutting: &Cutting) {
        let edit = &cutting.edits()[frame];
        let edit = Edit {
            remove: edit.remove.iter().copied().map(TriangleId).collect(),
            add_vertices: edit.add_vertices.clone(),
            add_triangles: edit.add_triangles.iter().map(|corners| corners.map(VertexId)).collect(),
            ..Edit::default()
        };
        self.scene.edit(self.sheets[0].0, &edit).unwrap();
    }

    fn contacts(&mut self) -> Vec<(BodyId, BodyId, Vec<TrianglePair>)> {
        let contacts = self.scene.update().unwrap().contacts();
        contacts.iter().map(|contact| (contact.a, contact.b, contact.pairs.to_vec())).collect()
    }
}

#[test]
fn every_method_agrees_with_brute_force_in_every_frame_of_the_cutting() {
    let cutting = cutting(14).unwrap();
    let methods = methods_that_keep_more();
    assert_eq!(methods[0], Method::BruteForce);
    let empty = Scene::new();
    let mut runs: Vec<Run> = methods.iter().map(|&method| Run::new(&empty, method, &cutting)).collect();
    let mut frames_with = BTreeMap::new();
    for frame in 0..cutting.frame_count() {
        let mut truth = None;
        for (method, run) in methods.iter().zip(&mut runs) {
            run.frame(frame, &cutting);
            let found = run.contacts();
            let truth = truth.get_or_insert_with(|| found.clone());
            assert!(found == *truth, "{method:?}, frame {frame}");
        }
        // Who met whom, as places in the scene's story: 0 the sheet or its halves, 1 all others.
        let run = &runs[0];
        for (a, b, _) in truth.unwrap() {
            let is_sheet = |id| run.sheets.iter().any(|&(sheet, _)| sheet == id);
            *frames_with.entry((is_sheet(a), is_sheet(b))).or_insert(0) += 1;
        }
        // The triangles are those the scene says there are, by their first numbers.
        let live: Vec<u32> = match &run.sheets[..] {
            [(sheet, None)] => {
                run.scene.body(*sheet).unwrap().mesh().live_triangles().map(|(TriangleId(number), _)| number).collect()
            }
            halves => {
                let numbers = halves.iter().flat_map(|(_, numbers)| numbers.as_ref().unwrap().old_triangles());
                let mut numbers: Vec<u32> = numbers.map(|&TriangleId(number)| number).collect();
                numbers.sort_unstable();
                numbers
            }
        };
        let said: Vec<u32> = cutting.triangles_at(frame).into_iter().map(|(number, _)| number).collect();
        assert_eq!(live, said, "frame {frame}");
    }
    assert_eq!(runs[0].sheets.len(), 2, "the sheet has come apart");
    let met: usize = frames_with.iter().filter(|((a, b), _)| a != b).map(|(_, times)| times).sum();
    assert!(met > 40, "blade and ball met the sheet: {frames_with:?}");
}
