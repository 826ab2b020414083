"""How much two bodies overlap."""

from __future__ import annotations

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
