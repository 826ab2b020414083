"""What a solver acts on: regions, curves, separations, and tables of depths, closest points and rays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_DEPTHS = np.dtype(
    [
        ("vertex", np.uint32),
        ("triangle", np.uint32),
        ("depth", np.float64),
        ("point", np.float64, 3),
        ("normal", np.float64, 3),
        ("barycentric", np.float64, 3),
    ],
    align=True,
)
_CLOSEST = np.dtype(
    [
        ("distance", np.float64),
        ("point", np.float64, 3),
        ("barycentric", np.float64, 3),
        ("triangle", np.uint32),
    ],
    align=True,
)
_HITS = np.dtype(
    [
        ("body", np.int32),
        ("triangle", np.uint32),
        ("t", np.float64),
        ("barycentric", np.float64, 3),
        ("normal", np.float64, 3),
    ],
    align=True,
)


@dataclass(frozen=True, eq=False)
class Region:
    """A connected part of the overlap of two closed bodies; see `Frame.regions`."""

    a: Any
    """The body that was added first: its name, or its id if it has none."""
    b: Any
    """The other body."""
    id: int
    """What names the region from frame to frame, as long as it shares triangles with itself in the frame before."""
    volume: float
    """Its volume."""
    area: float
    """The area of its surface, the parts of both bodies."""
    contact_area: float
    """The area of the region as seen along the normal: how fast the volume changes when `a` moves along it."""
    centroid: NDArray[np.float64]
    """Its centre of mass."""
    normal: NDArray[np.float64]
    """The direction in which `a` comes out fastest, of length 1; 0 if no translation changes the volume at first."""
    surface_centroid: NDArray[np.float64]
    """The centre of its surface."""
    surface_moments: NDArray[np.float64]
    """The second moments of its surface about that centre: (3, 3)."""
    triangles_a: NDArray[np.uint32]
    """The triangles of `a` that are at least partly in its surface, sorted."""
    triangles_b: NDArray[np.uint32]
    """Those of `b`."""
    vertices_a: NDArray[np.uint32]
    """The vertices of `a` on its surface, sorted: those inside `b`."""
    vertices_b: NDArray[np.uint32]
    """Those of `b`, inside `a`."""


@dataclass(frozen=True, eq=False)
class Curve:
    """A polyline along which the surfaces of two bodies cross; see `Frame.curves`."""

    a: Any
    """The body that was added first: its name, or its id if it has none."""
    b: Any
    """The other body."""
    points: NDArray[np.float64]
    """Its points in order: (k, 3). Seen from above a triangle of `a`, the inside of `b` is on the left."""
    triangles: NDArray[np.uint32]
    """The triangles of `a` and `b` that each point lies on: (k, 2)."""
    barycentric: NDArray[np.float64]
    """Where on these triangles: (k, 2, 3)."""
    is_closed: bool
    """Whether it goes on from its last point to its first."""

    def __len__(self) -> int:
        return len(self.points)


@dataclass(frozen=True, eq=False)
class Separation:
    """The translation that parts two bodies; see `Frame.separation`."""

    depth: float
    """How far the first body has to move; 0 if the two only touch."""
    direction: NDArray[np.float64]
    """In which direction, of length 1."""

    @property
    def translation(self) -> NDArray[np.float64]:
        """The translation of the first body; that of the second is its negative."""
        return self.depth * self.direction


def depths(rows: NDArray[Any]) -> NDArray[np.void]:
    """The table of `Frame.depths` over the memory of its rows."""
    return rows.view(_DEPTHS)


def closest(rows: NDArray[Any]) -> NDArray[np.void]:
    """The table of `Frame.closest_points`."""
    return rows.view(_CLOSEST)


def hits(rows: NDArray[Any]) -> NDArray[np.void]:
    """The table of `Frame.cast_rays`."""
    return rows.view(_HITS)
