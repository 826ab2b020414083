//! New positions: given, written in place or corrected, in f32 or f64; checked before they count.

use super::positions::{check_within, take_in};
use super::wide::{Wide, check_range, take_in_wide};
use super::{Body, BodyError, TakenIn, Vertices};
use crate::geom::{Aabb, Given, Precision, VertexId};

/// What new positions are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// The end of a new step, which starts where the body is now.
    Step,
    /// Another end of the same step.
    Correction,
}

impl Body {
    /// Moves every vertex to its position in the next frame, in the order of the vertices. The positions until now become
    /// the previous ones.
    ///
    /// # Errors
    /// If the number of positions is not the number of vertices, or a position is refused, as by [`new`](Self::new) or
    /// since it is no f32 number but the body was made with them. The body then stays as it was.
    pub fn set_positions(&mut self, positions: &[[f32; 3]]) -> Result<(), BodyError> {
        self.move_to(Given::F32(positions), Move::Step)
    }

    /// As [`set_positions`](Self::set_positions), with f64 numbers. A body that was made with f32 positions takes them if they are
    /// f32 numbers.
    ///
    /// # Errors
    /// As there.
    pub fn set_positions_f64(&mut self, positions: &[[f64; 3]]) -> Result<(), BodyError> {
        self.move_to(Given::F64(positions), Move::Step)
    }

    /// Moves every vertex again within the same step: the previous positions stay what they are.
    ///
    /// # Errors
    /// As for [`set_positions`](Self::set_positions).
    pub fn correct_positions(&mut self, positions: &[[f32; 3]]) -> Result<(), BodyError> {
        self.move_to(Given::F32(positions), Move::Correction)
    }

    /// As [`correct_positions`](Self::correct_positions), with f64 numbers; see [`set_positions_f64`](Self::set_positions_f64).
    ///
    /// # Errors
    /// As there.
    pub fn correct_positions_f64(&mut self, positions: &[[f64; 3]]) -> Result<(), BodyError> {
        self.move_to(Given::F64(positions), Move::Correction)
    }

    pub(super) fn move_to(&mut self, given: Given<'_>, kind: Move) -> Result<(), BodyError> {
        let taken = self.take_in(given, None)?;
        self.accept(&taken, kind);
        Ok(())
    }

    /// Moves every vertex without a copy: `write(old, new)` must write every position of `new`, whose contents are
    /// undefined before; `old` holds the positions as they are now.
    ///
    /// ```
    /// use crumple::{Body, Mesh};
    ///
    /// let mut body = Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &[[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?;
    /// body.write_positions(|old, new| {
    ///     for (new, [x, y, z]) in new.iter_mut().zip(old) {
    ///         *new = [x + 1.0, *y, *z];
    ///     }
    /// })?;
    /// assert_eq!(body.bounds().max(), [2.0, 1.0, 0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a position is not finite, or the body was made with f64 positions. The body then stays as it was.
    pub fn write_positions(&mut self, write: impl FnOnce(&[[f32; 3]], &mut [[f32; 3]])) -> Result<(), BodyError> {
        let taken = self.write_next(write)?;
        self.accept(&taken, Move::Step);
        Ok(())
    }

    /// As [`write_positions`](Self::write_positions), for a body that was made with f64 positions.
    ///
    /// # Errors
    /// If a position is refused, as by [`new`](Self::new), or the body was made with f32 positions. The body then
    /// stays as it was.
    pub fn write_positions_f64(&mut self, write: impl FnOnce(&[[f64; 3]], &mut [[f64; 3]])) -> Result<(), BodyError> {
        let taken = self.write_next_f64(write)?;
        self.accept(&taken, Move::Step);
        Ok(())
    }

    /// Checks new positions and takes them in, to be [accepted](Self::accept) or forgotten; refuses positions outside the
    /// box that was promised to hold them.
    pub(crate) fn take_in(&mut self, given: Given<'_>, promised: Option<Aabb>) -> Result<TakenIn, BodyError> {
        if given.len() != self.mesh.vertex_count() {
            return Err(BodyError::WrongNumberOfPositions { given: given.len(), expected: self.mesh.vertex_count() });
        }
        if !self.has_written {
            return self.stream(given, promised);
        }
        // What was written in place is set aside: if the new positions are refused, it must still be there.
        let next = std::mem::take(&mut self.next);
        let next_wide = self.wide.as_mut().map(|wide| std::mem::take(&mut wide.next));
        let taken = self.stream(given, promised);
        if taken.is_ok() {
            self.has_written = false;
        } else {
            self.next = next;
            if let (Some(wide), Some(next)) = (&mut self.wide, next_wide) {
                wide.next = next;
            }
        }
        taken
    }

    /// Checks positions, one per vertex, while it copies them to where they are taken in.
    fn stream(&mut self, given: Given<'_>, promised: Option<Aabb>) -> Result<TakenIn, BodyError> {
        let Self { now, next, wide, .. } = self;
        let taken = match (given, wide_mut(wide)) {
            (Given::F32(positions), None) => take_in(Some(positions), now, next)?,
            (Given::F32(positions), Some(wide)) => {
                let taken = take_in(Some(positions), now, next)?;
                wide.next.widen(next.as_slice());
                taken
            }
            (Given::F64(positions), None) => {
                narrow(positions, next)?;
                take_in(None, now, next)?
            }
            (Given::F64(positions), Some(wide)) => take_in_wide(Some(positions), now, next, &mut wide.next)?,
        };
        if let Some(promised) = promised {
            check_within(given, &self.next, taken.bounds, promised)?;
        }
        Ok(taken)
    }

    /// As [`take_in`](Self::take_in), of positions that `write` writes into the body's own memory.
    pub(crate) fn write_next(
        &mut self,
        write: impl FnOnce(&[[f32; 3]], &mut [[f32; 3]]),
    ) -> Result<TakenIn, BodyError> {
        self.check_precision(Precision::F32)?;
        self.has_written = false;
        self.next.resize(self.now.len());
        write(self.now.as_slice(), self.next.as_mut_slice());
        take_in(None, &self.now, &mut self.next)
    }

    /// As [`write_next`](Self::write_next), of f64 positions.
    pub(crate) fn write_next_f64(
        &mut self,
        write: impl FnOnce(&[[f64; 3]], &mut [[f64; 3]]),
    ) -> Result<TakenIn, BodyError> {
        let Some(wide) = &mut self.wide else { return Err(BodyError::OtherPrecision { precision: Precision::F32 }) };
        self.has_written = false;
        wide.next.resize(self.now.len());
        write(&wide.now.positions, &mut wide.next.positions);
        take_in_wide(None, &self.now, &mut self.next, &mut wide.next)
    }

    /// The positions to be taken in next, to be changed in place; at first the positions as they are now.
    pub(crate) fn next_positions_mut(&mut self) -> Result<&mut [[f32; 3]], BodyError> {
        self.check_precision(Precision::F32)?;
        if !std::mem::replace(&mut self.has_written, true) {
            self.next.clone_from(&self.now);
        }
        Ok(self.next.as_mut_slice())
    }

    /// As [`next_positions_mut`](Self::next_positions_mut), of f64 positions.
    pub(crate) fn next_positions_mut_f64(&mut self) -> Result<&mut [[f64; 3]], BodyError> {
        let Some(wide) = &mut self.wide else { return Err(BodyError::OtherPrecision { precision: Precision::F32 }) };
        if !std::mem::replace(&mut self.has_written, true) {
            wide.next.clone_from(&wide.now);
        }
        Ok(&mut wide.next.positions)
    }

    /// Refuses a position that a vertex of this body cannot be at.
    pub(super) fn check_position(&self, vertex: VertexId, position: [f64; 3]) -> Result<(), BodyError> {
        match () {
            _ if self.is_wide() => check_range(vertex, position),
            _ if !position.iter().all(|x| x.is_finite()) => Err(BodyError::NotFinite { vertex, position }),
            _ if position.map(|x| f64::from(x as f32)) != position => Err(BodyError::NotF32 { vertex, position }),
            _ => Ok(()),
        }
    }

    fn check_precision(&self, needed: Precision) -> Result<(), BodyError> {
        let precision = self.precision();
        if precision == needed { Ok(()) } else { Err(BodyError::OtherPrecision { precision }) }
    }

    /// Whether [`next_positions_mut`](Self::next_positions_mut) has lent positions that were not taken in yet.
    pub(crate) fn has_written_positions(&self) -> bool {
        self.has_written
    }

    /// Forgets positions that were written in place and not taken in.
    pub(crate) fn drop_written(&mut self) {
        self.has_written = false;
    }

    /// As [`take_in`](Self::take_in), of the positions changed by [`next_positions_mut`](Self::next_positions_mut), if
    /// there are any. Refused ones stay, to be put right.
    pub(crate) fn take_in_written(&mut self) -> Result<Option<TakenIn>, BodyError> {
        if !self.has_written {
            return Ok(None);
        }
        let taken = match wide_mut(&mut self.wide) {
            None => take_in(None, &self.now, &mut self.next)?,
            Some(wide) => take_in_wide(None, &self.now, &mut self.next, &mut wide.next)?,
        };
        self.has_written = false;
        Ok(Some(taken))
    }

    /// Makes the positions that were taken in last the current ones.
    pub(crate) fn accept(&mut self, taken: &TakenIn, kind: Move) {
        let (bounds, drift) = (self.bounds, self.drift);
        self.bounds = taken.bounds;
        self.drift.add(&taken.moved);
        if kind == Move::Step || self.stands_still {
            (self.start_bounds, self.start_drift) = (bounds, drift);
            std::mem::swap(&mut self.start, &mut self.next);
            std::mem::swap(&mut self.start, &mut self.now);
            if let Some(wide) = &mut self.wide {
                std::mem::swap(&mut wide.start, &mut wide.next);
                std::mem::swap(&mut wide.start, &mut wide.now);
            }
            self.stands_still = false;
        } else {
            std::mem::swap(&mut self.now, &mut self.next);
            if let Some(wide) = &mut self.wide {
                std::mem::swap(&mut wide.now, &mut wide.next);
            }
        }
        self.version += 1;
    }

    /// Whether the body has not moved in this step.
    pub(crate) fn stands_still(&self) -> bool {
        self.stands_still
    }

    /// Begins a step in which the body has not moved.
    pub(crate) fn hold_still(&mut self) {
        self.stands_still = true;
    }
}

/// Copies f64 positions into f32 memory if all of them are f32 numbers; whether they are finite is checked after.
fn narrow(positions: &[[f64; 3]], kept: &mut Vertices) -> Result<(), BodyError> {
    kept.resize(positions.len());
    for ((vertex, &position), kept) in (0..).map(VertexId).zip(positions).zip(kept.as_mut_slice()) {
        *kept = position.map(|x| x as f32);
        if kept.map(f64::from) != position && position.iter().all(|x| x.is_finite()) {
            return Err(BodyError::NotF32 { vertex, position });
        }
    }
    Ok(())
}

/// What `Body::wide` is, to be changed.
#[inline(always)]
fn wide_mut(wide: &mut Option<Box<Wide>>) -> Option<&mut Wide> {
    if cfg!(not(feature = "f64")) { None } else { wide.as_deref_mut() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Mesh;

    fn body() -> Body {
        let mesh = Mesh::new(3, vec![[0, 1, 2]]).unwrap();
        Body::new(mesh, &[[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, -0.0]]).unwrap()
    }

    #[test]
    fn a_refused_update_leaves_the_body_as_it_was() {
        let mut body = body();
        body.set_positions(&[[0.0; 3], [1.0; 3], [2.0; 3]]).unwrap();
        let (now, before) = (body.positions().to_vec(), body.previous_positions().to_vec());
        let bounds = body.bounds();
        for (bad, message) in [
            (vec![[0.0; 3]; 2], "2 positions were given, but the body has 3 vertices"),
            (vec![[0.0; 3], [9.0, f32::NAN, 9.0], [f32::NAN; 3]], "vertex 1 is at [9.0, NaN, 9.0]: not finite"),
            (vec![[0.0; 3], [0.0; 3], [0.0, 0.0, f32::NEG_INFINITY]], "vertex 2 is at [0.0, 0.0, -inf]: not finite"),
        ] {
            assert_eq!(body.set_positions(&bad).unwrap_err().to_string(), message);
            assert_eq!(body.positions(), now);
            assert_eq!(body.previous_positions(), before);
            assert_eq!((body.bounds(), body.version()), (bounds, 2));
        }
    }

    #[test]
    fn negative_zero_becomes_positive_zero_at_the_door() {
        assert!(body().positions().as_flattened().iter().all(|x| x.to_bits() != (-0.0f32).to_bits()));
    }

    #[test]
    fn the_box_follows_the_vertices_and_the_last_frame_is_kept() {
        let mut body = body();
        body.set_positions(&[[5.0; 3], [6.0; 3], [7.0; 3]]).unwrap();
        assert_eq!(body.bounds(), Aabb::new([5.0; 3], [7.0; 3]));
        assert_eq!(body.previous_positions()[1], [1.0, 0.0, 0.0]);
    }

    #[test]
    fn a_correction_keeps_where_the_step_began_and_a_new_step_does_not() {
        let mut body = body();
        assert_eq!(body.previous_positions(), body.positions());
        body.set_positions(&[[1.0; 3]; 3]).unwrap();
        body.correct_positions(&[[2.0; 3]; 3]).unwrap();
        assert_eq!((body.previous_positions()[1], body.positions()[1]), ([1.0, 0.0, 0.0], [2.0; 3]));
        body.set_positions(&[[3.0; 3]; 3]).unwrap();
        assert_eq!((body.previous_positions()[1], body.positions()[1]), ([2.0; 3], [3.0; 3]));
        body.hold_still();
        assert_eq!(body.previous_positions()[1], [3.0; 3]);
        body.correct_positions(&[[4.0; 3]; 3]).unwrap();
        assert_eq!((body.previous_positions()[1], body.positions()[1]), ([3.0; 3], [4.0; 3]));
    }

    #[test]
    fn positions_written_in_place_start_from_the_current_ones_and_can_be_put_right() {
        let mut body = body();
        body.set_positions(&[[5.0; 3]; 3]).unwrap();
        body.next_positions_mut().unwrap()[2][1] -= 0.5;
        assert_eq!(body.next_positions_mut().unwrap(), [[5.0; 3], [5.0; 3], [5.0, 4.5, 5.0]]);
        body.next_positions_mut().unwrap()[0][0] = f32::NAN;
        assert!(matches!(body.take_in_written(), Err(BodyError::NotFinite { .. })));
        assert_eq!(body.positions(), [[5.0; 3]; 3]);
        body.next_positions_mut().unwrap()[0][0] = 1.0;
        let taken = body.take_in_written().unwrap().unwrap();
        body.accept(&taken, Move::Step);
        assert_eq!(body.positions(), [[1.0, 5.0, 5.0], [5.0; 3], [5.0, 4.5, 5.0]]);
        assert!(body.take_in_written().unwrap().is_none());
    }
}
