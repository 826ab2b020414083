"""Which triangles of two bodies are closer than the clearance, from the features that are."""

from __future__ import annotations

import numpy as np

from .bodies import Body


def nearest(frame, clearance: float, bodies: list[Body]) -> list[list[np.ndarray]]:  # type: ignore[no-untyped-def]
    """Triangles of the first body and of the last that are too close, once per kind of features.

    `frame` is a `crumple.Frame` of these bodies: two, or one that is asked about itself.
    """
    near = frame.near(clearance)
    found = []
    for table, first, second in ((near.vertex_face, _of_vertices, _themselves), (near.edge_edge, _of_edges, _of_edges)):
        columns = ("vertex", "triangle") if first is _of_vertices else ("edge_a", "edge_b")
        for a, b in np.unique(np.stack([table["a"], table["b"]], axis=1), axis=0).tolist():
            rows = table[(table["a"] == a) & (table["b"] == b)]
            sides = [first(bodies[a], rows[columns[0]]), second(bodies[b], rows[columns[1]])]
            # The vertex may be of either body; the finding names the smaller number first.
            found.append(sides if a <= b else sides[::-1])
    return found


def _themselves(body: Body, triangles: np.ndarray) -> np.ndarray:
    return np.unique(triangles)


def _of_vertices(body: Body, vertices: np.ndarray) -> np.ndarray:
    """The triangles that have one of these vertices."""
    return np.flatnonzero(np.isin(body.faces, vertices).any(axis=1))


def _of_edges(body: Body, edges: np.ndarray) -> np.ndarray:
    """The triangles that have one of these edges."""
    sides = np.stack([body.faces, np.roll(body.faces, -1, axis=1)], axis=2)
    return np.flatnonzero(np.isin(_keys(body, sides), _keys(body, edges)).any(axis=1))


def _keys(body: Body, edges: np.ndarray) -> np.ndarray:
    """One number per edge, whichever end comes first."""
    edges = np.sort(edges.astype(np.int64), axis=-1)
    return edges[..., 0] * body.vertex_count + edges[..., 1]
