"""How much two bodies overlap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Overlap:
    """How much two bodies overlap: exactly, up to rounding, or sampled."""

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

    @property
    def collides(self) -> bool:
        """Whether there is an overlap."""
        return self.volume != 0
