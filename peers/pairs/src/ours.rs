//! crumple, as its users call it.

use std::sync::Arc;

use anyhow::Result;
use crumple::{Body, BodyId, Mesh, Scene};
use crumple_methods::Method;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::contestant::{Contestant, Pair, Pass, Positions, Question};

/// A method of crumple's in a pool of so many threads.
pub(crate) struct Ours {
    label: String,
    pool: Arc<ThreadPool>,
    scene: Scene,
    ids: Vec<BodyId>,
}

impl Ours {
    pub(crate) fn new(
        method: Method,
        threads: usize,
        scene: &crumple_scenes::Scene,
        question: Question,
        start: usize,
    ) -> Result<Self> {
        let mut staged = method.scene();
        let mut ids = Vec::new();
        for body in scene.bodies() {
            let mesh = Mesh::new(body.vertex_count(), body.triangles().to_vec())?;
            let id = staged.add(Body::new(mesh, &body.positions_at(start))?);
            staged.set_self_collision(id, question == Question::Own)?;
            ids.push(id);
        }
        let label = match threads {
            1 => format!("crumple {method}"),
            _ => format!("crumple {method}, {threads} threads"),
        };
        Ok(Self { label, pool: Arc::new(ThreadPoolBuilder::new().num_threads(threads).build()?), scene: staged, ids })
    }
}

impl Contestant for Ours {
    fn label(&self) -> &str {
        &self.label
    }

    fn update(&mut self, positions: &Positions) -> Result<()> {
        for (&id, positions) in self.ids.iter().zip(positions) {
            self.scene.set_positions(id, positions)?;
        }
        self.scene.update()?;
        Ok(())
    }

    fn query(&mut self) -> Result<()> {
        // Nothing has moved since the last update: another one costs nothing.
        self.scene.update()?.contacts();
        Ok(())
    }

    fn within(&mut self, pass: Pass<'_>) -> Result<()> {
        let pool = Arc::clone(&self.pool);
        pool.install(|| pass(self))
    }

    fn found(&mut self) -> Result<Vec<Pair>> {
        let mut found = Vec::new();
        for contact in self.scene.update()?.contacts() {
            let (a, b) = (contact.a.index() as u32, contact.b.index() as u32);
            found.extend(contact.pairs.iter().map(|pair| [a, b, pair.a.0, pair.b.0]));
        }
        Ok(found)
    }
}
