"""Features of bodies that are near each other, as tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_BODIES = [("a", np.uint32), ("b", np.uint32)]
_VERTEX_FACE = np.dtype(
    [
        *_BODIES,
        ("vertex", np.uint32),
        ("triangle", np.uint32),
        ("distance", np.float64),
        ("barycentric", np.float64, 3),
        ("direction", np.float64, 3),
    ]
)
_EDGE_EDGE = np.dtype(
    [
        *_BODIES,
        ("edge_a", np.uint32, 2),
        ("edge_b", np.uint32, 2),
        ("distance", np.float64),
        ("along", np.float64, 2),
        ("direction", np.float64, 3),
    ]
)
_STENCIL = np.dtype(
    [
        ("points", np.uint32),
        ("kind", np.uint32),
        ("bodies", np.uint32, 4),
        ("vertices", np.uint32, 4),
        ("weights", np.float64, 4),
        ("direction", np.float64, 3),
        ("distance", np.float64),
        ("multiplicity", np.float64),
        ("sine_squared", np.float64),
    ]
)


@dataclass(frozen=True, eq=False)
class Near:
    """Pairs of features that are closer than the distance asked for. Bodies are ids. Equal if both tables are.

    >>> import numpy as np, crumple as cr
    >>> scene, tile = cr.Scene(), np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    >>> for height in (0, 0.25):
    ...     _ = scene.add([[0, 1, 2]], tile + np.float32([0, 0, height]))
    >>> near = scene.update().near(0.3)
    >>> near.vertex_face[["a", "vertex", "distance"]][0].item()
    (0, 0, 0.25)
    >>> len(near)
    15
    """

    vertex_face: NDArray[np.void]
    """A vertex of body `a` and a triangle of body `b`: a, b, vertex, triangle, distance, barycentric, direction.

    `barycentric` are the weights of the corners of the triangle, `direction` is a unit vector from the triangle to the vertex."""
    edge_edge: NDArray[np.void]
    """An edge of body `a` and one of body `b`: a, b, edge_a, edge_b, distance, along, direction.

    `along` is how far along each edge, `direction` a unit vector from the second edge to the first."""

    def __len__(self) -> int:
        return len(self.vertex_face) + len(self.edge_edge)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Near):
            return NotImplemented
        return np.array_equal(self.vertex_face, other.vertex_face) and np.array_equal(self.edge_edge, other.edge_edge)

    def __hash__(self) -> int:
        return hash((len(self.vertex_face), len(self.edge_edge)))


def tables(vertex_face: NDArray[Any], edge_edge: NDArray[Any]) -> Near:
    """Tables over the bytes of their rows."""
    return Near(vertex_face.view(_VERTEX_FACE), edge_edge.view(_EDGE_EDGE))


def stencils(rows: NDArray[Any]) -> NDArray[np.void]:
    """A table of stencils over the bytes of its rows."""
    return rows.view(_STENCIL)
