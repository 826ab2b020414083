"""Which triangles of two bodies are closer than the clearance, from the features that are."""

from __future__ import annotations

import numpy as np

from .bodies import Body


def nearest(frame, clearance: float, bodies: list[Body]) -> dict:  # type: ignore[no-untyped-def, type-arg]
    """For every two bodies that are too close, `{(a, b): (distance, (triangles of a, triangles of b))}`.

    `frame` is a `crumple.Frame` whose bodies were added in the order of `bodies`.
    """
    near = frame.near(clearance)
    found: dict[tuple[int, int], tuple[float, list[np.ndarray]]] = {}
    for table, first, second in ((near.vertex_face, _of_vertices, _themselves), (near.edge_edge, _of_edges, _of_edges)):
        columns = ("vertex", "triangle") if first is _of_vertices else ("edge_a", "edge_b")
        for a, b in np.unique(np.stack([table["a"], table["b"]], axis=1), axis=0).tolist():
            rows = table[(table["a"] == a) & (table["b"] == b)]
            sides = [first(bodies[a], rows[columns[0]]), second(bodies[b], rows[columns[1]])]
            # The vertex may be of either body; the finding names the smaller number first.
            key, sides = ((a, b), sides) if a <= b else ((b, a), sides[::-1])
            distance, before = found.get(key, (np.inf, [np.empty(0, np.int64)] * 2))
            together = [np.union1d(*side) for side in zip(before, sides)]
            found[key] = (min(distance, float(rows["distance"].min())), together)
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
