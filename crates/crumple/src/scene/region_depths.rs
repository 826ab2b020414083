//! How deep bodies of a frame are in each other, or in themselves, region by region.

use super::jobs::Job;
use super::{BodyId, Frame, SceneError};
use crate::contact::{ContactRegion, CutOffFinder, Holes, Known, RegionDepth};
use crate::probe;

impl Frame<'_> {
    /// How deep each region of a contact is, and the area of surface inside there; `found` is overwritten, with one for each region.
    /// `a` and `b` are the bodies of the contact in its order; the same one twice for a body that meets itself.
    ///
    /// The curves along which surfaces cross cut parts off of both. Where the other surface is closed, the part inside of it counts; where
    /// both are open, the smaller part, if there is one: of a flap that hangs through a sheet, the flap. A region is as deep as the
    /// vertex of its parts that is farthest from the other surface, which of a body in itself is all but the part; an edge that passes
    /// through counts with its middle.
    ///
    /// Parts that are bounded by several regions belong to each of them. Where a limit or a filter left out some pairs of a region, the area
    /// lacks what only these cut, what is left may reach the part of one side alone, and of an open body with itself nothing is cut off.
    /// Not kept: a second call computes it again, and allocates nothing.
    ///
    /// ```
    /// use crumple::{Body, Mesh, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let table = [[-9.0, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]];
    /// let table = scene.add(Body::new(Mesh::new(3, vec![[0, 2, 1]])?, &table)?);
    /// // A corner of the cloth hangs through.
    /// let cloth = [[0.0, -0.25, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 1.0]];
    /// let cloth = scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &cloth)?);
    /// let frame = scene.update()?;
    /// let mut found = Vec::new();
    /// frame.region_depths(table, cloth, frame.contact_regions().map(|region| region.of), &mut found)?;
    /// assert_eq!(found[0].depth, Some(0.25));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such body, or one is known only by its loose box.
    #[doc(alias = "penetration depth")]
    pub fn region_depths<'r>(
        &self,
        a: BodyId,
        b: BodyId,
        regions: impl IntoIterator<Item = ContactRegion<'r>>,
        found: &mut Vec<RegionDepth>,
    ) -> Result<(), SceneError> {
        let bodies = [self.known_body(a)?, self.known_body(b)?];
        self.scene.answers.cut_off_finders.lend(|finder: &mut CutOffFinder| {
            let known = match a == b {
                false => self.scene.cuts().get(Job { a, b }).map(Known::Cuts),
                // What is not closed overlaps nothing, and is found by its pairs.
                true if bodies[0].mesh().topology().is_solid() => {
                    self.scene.self_overlap(a, Holes::Refuse).ok().map(|answer| Known::Itself(&answer.finder))
                }
                true => None,
            };
            finder.find(bodies, a == b, regions, known.unwrap_or(Known::Nothing));
            let of_surface = |finder: &CutOffFinder, surface: usize| {
                let pieces = (0..finder.piece_count()).map(|number| finder.piece(number));
                pieces.filter(|(of, _)| *of == surface).map(|(_, points)| points.len()).sum::<usize>()
            };
            for (surface, other) in [(0, if a == b { a } else { b }), (1, a)] {
                let count = of_surface(finder, surface);
                if count == 0 {
                    continue;
                }
                self.scene.with_view(other, bodies[if other == a { 0 } else { 1 }], count, |simd, view| {
                    for number in 0..finder.piece_count() {
                        if finder.piece(number).0 != surface {
                            continue;
                        }
                        let depth = if a == b {
                            finder.mark(number);
                            let others = probe::AllBut(|triangle| finder.is_marked(triangle));
                            probe::farthest_from(simd, view, finder.piece(number).1, &others)
                        } else {
                            probe::farthest_from(simd, view, finder.piece(number).1, &probe::All)
                        };
                        finder.measured(number, depth);
                    }
                });
            }
            found.clear();
            found.extend(finder.depths());
        });
        Ok(())
    }
}
