"""How much two bodies overlap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Overlap:
    """How much two bodies overlap: exactly, up to rounding, or sampled. Equal if all its numbers are."""

    volume: float
    """The volume of the overlap."""
    centroid: NDArray[np.float64] | None
    """The centre of the overlap; None if there is none."""
    error: float = 0.0
    """An estimate of the error of a sampled volume; 0 for an exact one, which is only rounded."""
    area: float | None = None
    """The area of the surface of the overlap; None if it was sampled."""
    gradient_a: NDArray[np.float64] | None = None
    """How the volume changes with every vertex of the first body: (n, 3); None if it was sampled."""
    gradient_b: NDArray[np.float64] | None = None
    """The same for the second body."""

    def _numbers(self) -> tuple[float, float, float | None, tuple[float, ...] | None]:
        centroid = None if self.centroid is None else tuple(self.centroid.tolist())
        return self.volume, self.error, self.area, centroid

    def __eq__(self, other: object) -> bool:
        # Not the comparison of a dataclass, which asks arrays for a truth they do not have.
        if not isinstance(other, Overlap):
            return NotImplemented
        gradients = ((self.gradient_a, other.gradient_a), (self.gradient_b, other.gradient_b))
        return self._numbers() == other._numbers() and all(_is_same(a, b) for a, b in gradients)

    def __hash__(self) -> int:
        return hash(self._numbers())

    @property
    def collides(self) -> bool:
        """Whether there is an overlap."""
        return self.volume != 0


def _is_same(a: NDArray[np.float64] | None, b: NDArray[np.float64] | None) -> bool:
    return a is b if a is None or b is None else np.array_equal(a, b)


@dataclass(frozen=True, eq=False)
class SelfRegion:
    """A connected part of the overlap of a body with itself."""

    volume: float
    """Its volume; negative for a hollow within others."""
    area: float
    """The area of its surface."""
    centroid: NDArray[np.float64]
    """Its centre of mass."""
    normal: NDArray[np.float64]
    """The direction in which the largest of the sheets that meet in it comes out fastest, of length 1; 0 if no translation changes
    the volume at first."""
    triangles: NDArray[np.uint32]
    """The triangles that are at least partly in its surface, sorted."""
    pairs: NDArray[np.uint32]
    """The pairs of triangles that cross in it, sorted: (k, 2)."""
    vertices: NDArray[np.uint32]
    """The vertices that its volume depends on, sorted."""
    gradient: NDArray[np.float64]
    """How its volume changes with each of these: (m, 3)."""


@dataclass(frozen=True, eq=False)
class SelfOverlap:
    """How much a closed body overlaps itself, exact up to rounding."""

    volume: float
    """With w the winding number, the integral of w (w - 1) / 2: what is covered twice counts once, what is covered three times three
    times, what is inside out once. Never negative, up to rounding."""
    is_inside_out: bool
    """Whether the body is inside out where it is seen from outside; the volume then counts all of it."""
    gradient: NDArray[np.float64]
    """How the volume changes with every vertex: (n, 3)."""
    regions: list[SelfRegion]
    """The connected parts, whose volumes add up to the volume."""

    @property
    def collides(self) -> bool:
        """Whether it overlaps itself by more than rounding."""
        return bool(self.regions)

    def loss(self, keep: Callable[[SelfRegion], bool] | None = None) -> tuple[float, NDArray[np.float64]]:
        """A value to make small and its gradient, (n, 3): the regions with a positive volume, of these only those that `keep` keeps.

        It is 0 only where nothing overlaps that is kept. A region counts as a whole: where one that is left out and one that is kept
        become one, the value jumps.
        """
        value, gradient = 0.0, np.zeros_like(self.gradient)
        for region in self.regions:
            if region.volume > 0 and (keep is None or keep(region)):
                value += region.volume
                gradient[region.vertices] += region.gradient
        return value, gradient
