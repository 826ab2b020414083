"""Values to make small, with their gradients, over arrays: what `crumple.torch` and `crumple.jax` wrap."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _crumple
from ._crumple import Mesh, Scene
from ._overlap import SelfRegion
from .errors import OptionError, PositionsError

Ask = Callable[[NDArray[Any]], tuple[NDArray[np.float64], NDArray[np.float64]]]
"""Positions (n, 3) or (batch, n, 3) to values () or (batch,) and gradients of the shape of the positions."""

_TINY = 1e-30

# One mesh per topology, with what follows from it: neighbours, trees of edges, fans. The first one goes if there are too many.
_meshes: dict[tuple[tuple[int, ...], bytes], Mesh] = {}
_MOST_MESHES = 32


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
    mesh, triangles = _mesh(faces)
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
        return _crumple.self_overlap_of_body(mesh, positions, False, cap_holes).loss(keep)

    return _each(one)


def near_barrier(faces: ArrayLike, distance: float) -> Ask:
    """Asks for the sum of a smooth barrier over all pairs of features of a body that are closer than a distance and share nothing.

    For a pair that is d apart it is -(1 - x)² log x with x = d / distance: 0 at the distance, with slope 0, and without bound at 0.
    """
    mesh, _ = _mesh(faces)
    if not 0 < distance < np.inf:
        raise OptionError(f"the distance is {distance}, but it must be a positive number")

    def one(positions: NDArray[Any]) -> tuple[float, NDArray[np.float64]]:
        scene = Scene(threads=1)
        body = scene.add(mesh, positions)
        scene.set_self_collision(body, True)
        near = scene.update().near(distance)
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
                corners = triangles_of(mesh)[table["triangle"]]
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
    a, b = (scene.add(_mesh(f)[0], np.ascontiguousarray(v)) for v, f in ((va, fa), (vb, fb)))
    parted = scene.update().separation(a, b)
    return 0.0 if parted is None else parted.depth


def joined(fa: ArrayLike, fb: ArrayLike, vertices_of_a: int) -> NDArray[np.uint32]:
    """The faces of two bodies whose vertices are put one after the other."""
    return np.vstack([_mesh(fa)[1], _mesh(fb)[1] + np.uint32(vertices_of_a)])


def triangles_of(mesh: Mesh) -> NDArray[np.uint32]:
    """The triangles of a mesh."""
    return np.asarray(mesh.faces, np.uint32)


def _mesh(faces: ArrayLike) -> tuple[Mesh, NDArray[np.uint32]]:
    array = np.ascontiguousarray(faces, np.uint32)
    key = array.shape, array.tobytes()
    mesh = _meshes.get(key)
    if mesh is None:
        mesh = _meshes[key] = Mesh(array)
        if len(_meshes) > _MOST_MESHES:
            _meshes.pop(next(iter(_meshes)), None)
    return mesh, array


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
            with ThreadPoolExecutor() as pool:
                found = list(pool.map(one, poses))
        values = np.array([value for value, _ in found], np.float64).reshape(positions.shape[:-2])
        gradients = np.array([gradient for _, gradient in found], np.float64).reshape(positions.shape)
        return values, gradients

    return ask
