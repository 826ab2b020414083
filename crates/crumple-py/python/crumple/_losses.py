"""Values to make small, with their gradients, over arrays: what `crumple.torch` and `crumple.jax` wrap."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._crumple import Frame, Mesh, Scene
from ._overlap import SelfRegion
from .errors import OptionError, PositionsError

Ask = Callable[[NDArray[Any]], tuple[NDArray[np.float64], NDArray[np.float64]]]
"""Positions (n, 3) or (batch, n, 3) to values () or (batch,) and gradients of the shape of the positions."""

_TINY = 1e-30

class _Topology:
    """A mesh and scenes of it that calls take turns with, so that trees and lists stay from pose to pose."""

    def __init__(self, faces: NDArray[np.uint32]) -> None:
        self.faces, self.mesh = faces, Mesh(faces)
        self._idle: tuple[object, list[tuple[Scene, int]]] = None, []

    @contextmanager
    def frame(self, positions: NDArray[Any]) -> Iterator[tuple[Frame, int]]:
        """A frame in which the mesh is at these positions, and which body it is."""
        wanted = positions.dtype, positions.shape
        kind, idle = self._idle
        if kind != wanted:
            # Calls in other threads still use the list that this replaces.
            idle = []
            self._idle = wanted, idle
        try:
            scene, body = idle.pop()
        except IndexError:
            scene = Scene(threads=1)
            body = scene.add(self.mesh, positions, self_collision=True)
        else:
            scene.set_positions(body, positions)
        yield scene.update(), body
        # Not where an error was raised: then the scene goes.
        idle.append((scene, body))


# What was asked about last; the first one goes if there are too many.
_topologies: dict[tuple[tuple[int, ...], bytes], _Topology] = {}
_MOST_TOPOLOGIES = 8


def self_overlap(
    faces: ArrayLike,
    *,
    parts: Sequence[Hashable] | None = None,
    ignore_parts: Iterable[tuple[Hashable, Hashable]] = (),
    cap_holes: bool = False,
    between: int | None = None,
) -> Ask:
    """Asks for the regions with a positive volume in which a body overlaps itself, all or those that are not ignored.

    A region is ignored if each of its pairs of triangles joins two parts that `ignore_parts` names; `parts` has a label per vertex.
    With `between`, vertices from that number on are another body, and what each has to do with itself alone is ignored.
    """
    topology = _topology(faces)
    triangles = topology.faces
    ignored = {frozenset(pair) for pair in ignore_parts}
    if ignored and parts is None:
        raise OptionError("ignore_parts names parts of the body: pass parts as well, a label per vertex")
    labels = None if parts is None else list(parts)

    def joins_ignored(pair: NDArray[np.uint32]) -> bool:
        if labels is None:
            return False
        a, b = ({labels[vertex] for vertex in triangles[triangle]} for triangle in pair)
        return any(frozenset((p, q)) in ignored for p in a for q in b)

    def keep(region: SelfRegion) -> bool:
        pairs = region.pairs
        if between is not None and len(pairs):
            second = triangles[pairs][:, :, 0] >= between
            if not (second[:, 0] != second[:, 1]).any():
                return False
        return not (ignored and len(pairs) and all(joins_ignored(pair) for pair in pairs))

    def one(positions: NDArray[Any]) -> tuple[float, NDArray[np.float64]]:
        if labels is not None and len(labels) != len(positions):
            raise OptionError(f"parts has {len(labels)} labels for {len(positions)} vertices")
        with topology.frame(positions) as (frame, body):
            return frame.self_overlap(body, cap_holes=cap_holes).loss(keep)

    return _each(one)


def near_barrier(faces: ArrayLike, distance: float) -> Ask:
    """Asks for the sum of a smooth barrier over all pairs of features of a body that are closer than a distance and share nothing.

    For a pair that is d apart it is -(1 - x)² log x with x = d / distance: 0 at the distance, with slope 0, and without bound at 0.
    """
    topology = _topology(faces)
    if not 0 < distance < np.inf:
        raise OptionError(f"the distance is {distance}, but it must be a positive number")

    def one(positions: NDArray[Any]) -> tuple[float, NDArray[np.float64]]:
        with topology.frame(positions) as (frame, _):
            near = frame.near(distance)
        gradient = np.zeros((len(positions), 3))
        value = 0.0
        faces_of, edges = near.vertex_face, near.edge_edge
        for table in (faces_of, edges):
            x = np.maximum(table["distance"] / distance, _TINY)
            value += float(np.sum(-((1 - x) ** 2) * np.log(x)))
            slope = (2 * (1 - x) * np.log(x) - (1 - x) ** 2 / x) / distance
            push = slope[:, None] * table["direction"]
            if table is faces_of:
                np.add.at(gradient, table["vertex"], push)
                corners = topology.faces[table["triangle"]]
                for k in range(3):
                    np.add.at(gradient, corners[:, k], -table["barycentric"][:, k, None] * push)
            else:
                for side, sign in (("edge_a", 1.0), ("edge_b", -1.0)):
                    along = table["along"][:, 0 if side == "edge_a" else 1, None]
                    np.add.at(gradient, table[side][:, 0], sign * (1 - along) * push)
                    np.add.at(gradient, table[side][:, 1], sign * along * push)
        return value, gradient

    return _each(one)


def penetration_depth(va: ArrayLike, fa: ArrayLike, vb: ArrayLike, fb: ArrayLike) -> float:
    """The length of the smallest translation found that parts two bodies: a metric, without a gradient. 0 if they are apart."""
    scene = Scene()
    a, b = (scene.add(_topology(f).mesh, np.ascontiguousarray(v)) for v, f in ((va, fa), (vb, fb)))
    parted = scene.update().separation(a, b)
    return 0.0 if parted is None else parted.depth


def joined(fa: ArrayLike, fb: ArrayLike, vertices_of_a: int) -> NDArray[np.uint32]:
    """The faces of two bodies whose vertices are put one after the other."""
    return np.vstack([_topology(fa).faces, _topology(fb).faces + np.uint32(vertices_of_a)])


def _topology(faces: ArrayLike) -> _Topology:
    array = np.ascontiguousarray(faces, np.uint32)
    key = array.shape, array.tobytes()
    found = _topologies.get(key)
    if found is None:
        found = _topologies[key] = _Topology(array)
        if len(_topologies) > _MOST_TOPOLOGIES:
            _topologies.pop(next(iter(_topologies)), None)
    return found


def _each(one: Callable[[NDArray[Any]], tuple[float, NDArray[np.float64]]]) -> Ask:
    def ask(positions: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        positions = np.ascontiguousarray(positions)
        if positions.dtype not in (np.float32, np.float64):
            raise OptionError(f"positions are {positions.dtype}, but they must be float32 or float64")
        if positions.ndim < 2 or positions.shape[-1] != 3:
            raise PositionsError(f"positions have the shape {positions.shape}: (vertices, 3) or (poses, vertices, 3) is needed")
        poses = positions.reshape(-1, *positions.shape[-2:])
        if len(poses) == 1:
            found = [one(poses[0])]
        else:
            with ThreadPoolExecutor(min(len(poses), os.cpu_count() or 1)) as pool:
                found = list(pool.map(one, poses))
        values = np.array([value for value, _ in found], np.float64).reshape(positions.shape[:-2])
        gradients = np.array([gradient for _, gradient in found], np.float64).reshape(positions.shape)
        return values, gradients

    return ask
