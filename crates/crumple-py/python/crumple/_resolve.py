"""Moves the vertices of closed bodies until no triangles meet: steps against the gradient of the overlap, then a margin.

A step moves every region of the overlap by about its own depth, since volumes differ by orders of magnitude and one step length for all
would only ever end the largest. The directions are smoothed over the surface: without that, single vertices move and creases remain.
Limbs that go right through each other are sent to two sides. Where triangles still meet although nothing overlaps, or steps no longer
help, the surface around them is made fair instead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrays import positions as _positions
from ._crumple import Mesh, Scene
from ._overlap import SelfRegion
from .errors import OptionError, PositionsError, VolumeError

Progress = Callable[[int, int, float], object]

_SMOOTHNESS = 30.0
"""How much the difference of two neighbours weighs against their displacement, for `stay` 1."""
_OVERSHOOT = 1.2
"""How much more than the volume of a region a step should take from it, so that it ends."""
_FURTHEST = 100.0
"""The most that a step aims at before it is shortened, in mean lengths of the edges."""
_ONE_SIDED = 0.7
"""The share of the gradient of a region that pushes in one direction from which on two sheets know where to go."""
_SHARED = 0.05
"""How much of a direction the normals of two sheets must share to be parted along it; 0.5 where limbs cross at right angles."""
_TRIES = 5
"""How often a step is halved."""
_PATIENCE = 4
"""How many steps may pass without progress."""
_MOST_RINGS = 3
"""How far around contact the surface is made fair, in edges."""


@dataclass(frozen=True, eq=False)
class Resolved:
    """What `resolve` found: where the vertices are now, and what that took."""

    vertices: NDArray[Any]
    """The vertices, of the type that was given; of several bodies, one after the other."""
    bodies: list[NDArray[Any]]
    """The vertices of every body; one for a single mesh."""
    moved: NDArray[np.float64]
    """By how much every vertex moved: (n, 3), in the order of `vertices`."""
    largest_move: float
    """The largest of these distances, in mean lengths of the edges."""
    turned: int
    """Triangles whose normal turned by more than 90 degrees."""
    pairs_left: int
    """Pairs of triangles that still meet; 0 if it succeeded."""
    overlap_left: float
    """The volume that is still covered twice. Without pairs it is 0, unless one surface lies wholly inside another one, which stays so."""
    near_left: int
    """Pairs of features that are still closer than the margin; 0 while pairs are left, since the margin comes after them."""
    steps: int
    """Steps taken, those for the margin included."""

    @property
    def succeeded(self) -> bool:
        """Whether no triangles meet."""
        return self.pairs_left == 0


def resolve(
    v: Any,
    f: Any,
    *,
    margin: float | None = None,
    steps: int = 100,
    stay: float = 1.0,
    weld: bool = False,
    progress: Progress | None = None,
) -> Resolved:
    """Moves the vertices of a closed mesh until it no longer meets itself, or of several until they do not meet each other.

    `v` and `f` are positions and faces of one mesh, or a list of each: then only what is between bodies is resolved. The answer is
    of the precision that was given, and its pairs are counted exactly: `pairs_left` is 0, or `steps` were not enough. Each step
    moves no vertex further than the edges around it are long. Afterwards, features nearer than `margin` that are not neighbours on
    the surface are pushed apart (None: 1 % of the mean length of edges; 0: not at all). `stay` is what moving costs against bending:
    with more, fewer vertices around an overlap move along. With `weld`, vertices at equal positions are one vertex.
    `progress` is called after every step with the number of steps, the pairs, and the overlap.

    >>> import numpy as np, crumple as cr
    >>> corner = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    >>> V = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> found = cr.resolve([V, V + np.float32([0.25, 0.25, 0.25])], [corner, corner])
    >>> found.pairs_left, len(cr.pairs((corner, found.bodies[0]), (corner, found.bodies[1]))), found.turned
    (0, 0, 0)
    """
    if not (steps >= 0 and stay > 0 and np.isfinite(stay)):
        raise OptionError(f"steps is {steps} and stay is {stay}: steps must not be negative, and stay must be positive")
    bodies = _Bodies(v, f, weld)
    if margin is None:
        margin = 0.01 * bodies.surface.edge
    if not 0 <= margin < np.inf:
        raise OptionError(f"margin is {margin}, but it must be a distance")
    descent = _Descent(bodies, stay, steps, progress)
    descent.part()
    if margin > 0 and not descent.now.pairs:
        descent.keep_apart(margin)
    return bodies.resolved(descent)


class _Bodies:
    """One mesh of all bodies, without the vertices that weld to others."""

    def __init__(self, v: Any, f: Any, weld: bool) -> None:
        is_list = isinstance(v, (list, tuple)) and isinstance(f, (list, tuple)) and len(v) > 0 and np.ndim(v[0]) == 2
        if is_list and len(v) != len(f):
            raise PositionsError(f"there are positions of {len(v)} bodies, but faces of {len(f)}")
        given = list(zip(v, f)) if is_list else [(v, f)]
        arrays = [_positions(at) for at, _ in given]
        dtype = np.result_type(*arrays)
        self.ends = np.cumsum([len(at) for at in arrays])
        parts, faces_of, start = [], [], 0
        for number, (at, (_, triangles)) in enumerate(zip(arrays, given)):
            points, faces, same = _solid(at, triangles, weld, f"body {number}" if is_list else "the mesh")
            parts.append((points.astype(dtype), same + start))
            faces_of.append(faces + np.uint32(start))
            start += len(points)
        self.at = np.concatenate([points for points, _ in parts])
        self.same = np.concatenate([same for _, same in parts])
        faces = np.concatenate(faces_of)
        counts = [len(faces) for faces in faces_of]
        self.body_of_triangle = np.repeat(np.arange(len(counts)), counts) if is_list else None
        self.surface = _Surface(faces, self.at.astype(np.float64))
        self.scene = Scene()
        self.body_of_vertex = np.repeat(np.arange(len(parts)), [len(points) for points, _ in parts]) if is_list else None
        self.body = self.scene.add(Mesh(faces, vertex_count=len(self.at)), self.at, self_collision=True)

    def between(self, pairs: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """The pairs that are to be resolved."""
        if self.body_of_triangle is None or not len(pairs):
            return pairs
        of = self.body_of_triangle[pairs]
        chosen: NDArray[np.uint32] = pairs[of[:, 0] != of[:, 1]]
        return chosen

    def resolved(self, descent: _Descent) -> Resolved:
        """What a descent came to."""
        surface, now = self.surface, descent.now
        moved = (now.at.astype(np.float64) - self.at.astype(np.float64))[self.same]
        before, after = surface.normals(self.at.astype(np.float64)), surface.normals(now.at.astype(np.float64))
        vertices = now.at[self.same]
        return Resolved(
            vertices=vertices,
            bodies=np.split(vertices, self.ends[:-1]),
            moved=moved,
            largest_move=float(np.linalg.norm(moved, axis=1).max(initial=0)) / surface.edge,
            turned=int((np.einsum("ij,ij->i", before, after) < 0).sum()),
            pairs_left=now.pairs,
            overlap_left=now.volume,
            near_left=descent.near_left,
            steps=descent.taken,
        )


def _solid(
    at: NDArray[Any], faces: Any, weld: bool, name: str
) -> tuple[NDArray[Any], NDArray[np.uint32], NDArray[np.intp]]:
    """A body that can be resolved, finite, closed and not inside out: its points, triangles, and which point every vertex is at."""
    bad = np.flatnonzero(~np.isfinite(at).all(axis=1))
    if len(bad):
        raise PositionsError(f"vertex {bad[0]} of {name} is at {tuple(at[bad[0]].tolist())}, which is not finite")
    mesh = faces if isinstance(faces, Mesh) else Mesh(faces)
    triangles, same = np.asarray(mesh.faces, np.uint32), np.arange(len(at))
    if int(triangles.max(initial=0)) >= max(len(at), 1):
        raise PositionsError(f"{name} has {len(at)} positions, but its faces name vertex {triangles.max()}")
    if weld:
        # 0 and -0 are equal.
        at, same = np.unique(at + at.dtype.type(0), axis=0, return_inverse=True)
        same = same.reshape(-1)
        triangles = same[triangles].astype(np.uint32)
        a, b, c = triangles.T
        triangles = triangles[(a != b) & (b != c) & (c != a)]
        mesh = Mesh(triangles)
    if not mesh.is_closed:
        raise VolumeError(f"{name} is open, but only of closed surfaces is known what overlaps (weld=True closes seams)")
    corners = (at.astype(np.float64) - at[:1])[triangles]
    if np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) < 0:
        raise VolumeError(f"{name} is inside out: turn its triangles over, faces[:, ::-1]")
    return at, triangles, same


class _Surface:
    """What follows from the triangles and where the vertices were: neighbours, areas, lengths."""

    def __init__(self, faces: NDArray[np.uint32], at: NDArray[np.float64]) -> None:
        self.faces, self.count = faces.astype(np.intp), len(at)
        half = np.concatenate([self.faces[:, [0, 1]], self.faces[:, [1, 2]], self.faces[:, [2, 0]]])
        half = np.unique(np.concatenate([half, half[:, ::-1]]), axis=0)
        self.first, self.second = half[half[:, 0] != half[:, 1]].T
        # In ascending order, since `unique` sorts.
        self.edges = self.first.astype(np.int64) * self.count + self.second
        self.degree = np.maximum(np.bincount(self.first, minlength=self.count), 1).astype(np.float64)[:, None]
        lengths = np.linalg.norm(at[self.first] - at[self.second], axis=1)
        # Of a body that has come down to a point, any length will do.
        self.edge = float(lengths.sum()) / max(len(lengths), 1) or 1.0
        self.lengths = np.bincount(self.first, lengths, self.count)[:, None] / self.degree
        corners = at[self.faces]
        twice = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
        areas = np.bincount(self.faces.ravel(), np.repeat(twice / 6, 3), self.count)
        # Of vertices whose triangles have no area, the gradient is small as well, and its direction is what counts.
        self.areas = np.maximum(areas, 1e-9 * float(areas.max(initial=0)) or 1.0)[:, None]

    def around(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """The sum over the neighbours of every vertex."""
        return np.stack([np.bincount(self.first, x[self.second, k], self.count) for k in range(x.shape[1])], axis=1)

    def smoothed(self, x: NDArray[np.float64], stay: float) -> NDArray[np.float64]:
        """Solves (stay + 30 L) u = x, with the Laplacian of the graph, by conjugate gradients."""
        diagonal = (stay + _SMOOTHNESS) * self.degree
        u = np.zeros_like(x)
        residual = self.degree * x
        scaled = residual / diagonal
        direction, rest = scaled.copy(), float((residual * scaled).sum())
        enough = 1e-6 * rest
        for _ in range(60):
            if rest <= enough:
                break
            image = diagonal * direction - _SMOOTHNESS * self.around(direction)
            step = rest / float((direction * image).sum())
            u += step * direction
            residual -= step * image
            scaled = residual / diagonal
            before, rest = rest, float((residual * scaled).sum())
            direction = scaled + rest / before * direction
        return u

    def fairer(self, at: NDArray[np.float64], vertices: NDArray[np.intp]) -> NDArray[np.float64]:
        """Half the way of some vertices to the mean of their neighbours."""
        u = np.zeros_like(at)
        u[vertices] = 0.5 * (self.around(at) / self.degree - at)[vertices]
        return u

    def has_neighbours(self, a: NDArray[np.intp], b: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which rows of two lists of vertices have two that are the same or joined by an edge."""
        found = np.zeros(len(a), bool)
        for i in range(a.shape[1]):
            for j in range(b.shape[1]):
                key = a[:, i].astype(np.int64) * self.count + b[:, j]
                at = np.minimum(np.searchsorted(self.edges, key), len(self.edges) - 1)
                found |= (self.edges[at] == key) | (a[:, i] == b[:, j])
        return found

    def sheets(self, vertices: NDArray[np.uint32]) -> NDArray[np.intp]:
        """The number of the connected part of the surface that each of some vertices is in, if only these are there."""
        place = np.full(self.count, -1)
        place[vertices] = np.arange(len(vertices))
        a, b = place[self.first], place[self.second]
        a, b = a[(a >= 0) & (b >= 0)], b[(a >= 0) & (b >= 0)]
        least = np.arange(len(vertices))
        while True:
            lower = least.copy()
            np.minimum.at(lower, a, least[b])
            lower = lower[lower]
            if np.array_equal(lower, least):
                return np.unique(least, return_inverse=True)[1].reshape(-1)
            least = lower

    def rings(self, vertices: NDArray[np.intp], rings: int) -> NDArray[np.intp]:
        """Some vertices and those at most so many edges away."""
        inside = np.zeros(self.count, bool)
        inside[vertices] = True
        for _ in range(rings):
            inside[self.second[inside[self.first]]] = True
        return np.flatnonzero(inside)

    def normals(self, at: NDArray[np.float64]) -> NDArray[np.float64]:
        """The normals of the triangles, as long as twice their areas."""
        corners = at[self.faces]
        return np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])


@dataclass(frozen=True, eq=False)
class _State:
    """A moment of the descent."""

    at: NDArray[Any]
    volume: float
    regions: list[SelfRegion]
    touching: NDArray[np.uint32]

    @property
    def pairs(self) -> int:
        return len(self.touching)


class _Descent:
    def __init__(self, bodies: _Bodies, stay: float, steps: int, progress: Progress | None) -> None:
        self.bodies, self.surface, self.stay, self.steps, self.progress = bodies, bodies.surface, stay, steps, progress
        self.taken, self.near_left = 0, 0
        self.now = self._state(bodies.at)

    def part(self) -> None:
        """Steps until no triangles meet."""
        fewest, least, waited, rings = self.now, self.now.volume, 0, 0
        while self.now.pairs and self.taken < self.steps:
            is_stuck = waited >= _PATIENCE or not self.now.regions
            reached = None if is_stuck else self._step(self._push(), self._improves)
            if reached is None:
                # The descent has come to a rest among creases: grazing contact, which the overlap does not see.
                touching = self.surface.faces[self.now.touching].ravel()
                around = self.surface.rings(touching, min(rings, _MOST_RINGS))
                at = self.now.at.astype(np.float64)
                reached = self._state(self._rounded(at + self.surface.fairer(at, around)))
                rings, waited = rings + 1, 0
                if rings > _MOST_RINGS and np.array_equal(reached.at, self.now.at):
                    break
            self._reach(reached)
            if reached.pairs < fewest.pairs or reached.volume < 0.9 * least:
                waited = 0
            else:
                waited += 1
            least = min(least, reached.volume)
            fewest = reached if reached.pairs < fewest.pairs else fewest
        self.now = fewest

    def keep_apart(self, margin: float) -> None:
        """Steps that push what is nearer than the margin apart, none of which lets triangles meet."""
        push, self.near_left = self._apart(margin)
        best, waited = (self.near_left, self.now), 0
        while self.near_left and self.taken < self.steps and waited < _PATIENCE:
            reached = self._step(push, lambda state: not state.pairs)
            if reached is None:
                break
            self._reach(reached)
            push, self.near_left = self._apart(margin)
            waited = 0 if self.near_left < best[0] else waited + 1
            best = (self.near_left, self.now) if waited == 0 else best
        self.near_left, self.now = best

    def _reach(self, state: _State) -> None:
        self.now = state
        self.taken += 1
        if self.progress is not None:
            self.progress(self.taken, state.pairs, state.volume)

    def _improves(self, state: _State) -> bool:
        return state.volume < self.now.volume or state.volume == self.now.volume and state.pairs < self.now.pairs

    def _step(self, push: NDArray[np.float64], is_better: Callable[[_State], bool]) -> _State | None:
        """A step along a displacement, or along a part of it; None if none of them is better."""
        length = np.linalg.norm(push, axis=1, keepdims=True)
        push = push * np.minimum(1, self.surface.lengths / np.maximum(length, 1e-300))
        for shorter in range(_TRIES):
            at = self._rounded(self.now.at.astype(np.float64) + 0.5**shorter * push)
            state = self._state(at)
            if is_better(state):
                return state
        return None

    def _push(self) -> NDArray[np.float64]:
        """Where the vertices should go for every region to end."""
        surface, regions = self.surface, self.now.regions
        aims = [self._aim(region) for region in regions]
        # As far as a region is thick, and never further than steps may go by much.
        most = [_FURTHEST * surface.edge / max(float(np.linalg.norm(aim, axis=1).max(initial=0)), 1e-300) for aim in aims]
        weights = [min(region.volume / max(region.area, 1e-300), limit) for region, limit in zip(regions, most)]
        push = np.zeros((surface.count, 3))
        for _ in range(3):
            rough = np.zeros_like(push)
            for region, aim, weight in zip(regions, aims, weights):
                rough[region.vertices] += weight * aim
            push = surface.smoothed(rough, self.stay)
            for k, region in enumerate(regions):
                falls = -float((region.gradient * push[region.vertices]).sum())
                # A volume is about quadratic in what is left of its depth.
                wanted = _OVERSHOOT * 2 * region.volume
                grows = min(max(wanted / falls, 0.25), 16.0) if falls > 0 else 4.0
                weights[k] = min(grows * weights[k], most[k])
        return push

    def _aim(self, region: SelfRegion) -> NDArray[np.float64]:
        """Where the vertices of a region should go: against the gradient, by less where a vertex is only partly in it.

        Where two limbs go right through each other, the gradient has no side to send them to: it would only make both thin. They are
        sent to two sides as a whole, along the direction that normals of both have most of.
        """
        aim: NDArray[np.float64] = -region.gradient / self.surface.areas[region.vertices]
        if region.volume < self.surface.edge**3:
            return aim
        sheet = self.surface.sheets(region.vertices)
        sizes = np.bincount(sheet)
        if len(sizes) < 2:
            return aim
        a, b = (sheet == number for number in np.argsort(-sizes, kind="stable")[:2])
        if 3 * b.sum() < a.sum():
            return aim
        lengths = np.linalg.norm(region.gradient, axis=1)
        pushed = region.gradient[a].sum(axis=0) - region.gradient[b].sum(axis=0)
        if np.linalg.norm(pushed) > _ONE_SIDED * lengths.sum():
            return aim
        unit = region.gradient / np.sqrt(np.maximum(lengths, 1e-300))[:, None]
        of_a, of_b = (unit[of].T @ unit[of] / max(float(lengths[of].sum()), 1e-300) for of in (a, b))
        shared, directions = np.linalg.eigh(of_a @ of_b + of_b @ of_a)
        if shared[-1] < _SHARED:
            return aim
        side = directions[:, -1] if pushed @ directions[:, -1] <= 0 else -directions[:, -1]
        aim[a], aim[b] = side, -side
        return aim

    def _apart(self, margin: float) -> tuple[NDArray[np.float64], int]:
        """Where the vertices should go for what is near, and how many pairs of features are."""
        bodies, surface = self.bodies, self.surface
        bodies.scene.set_positions(bodies.body, self.now.at)
        near = bodies.scene.update().near(margin)
        push, share, count = np.zeros((surface.count, 3)), np.zeros(surface.count), 0
        faces_of, edges = near.vertex_face, near.edge_edge
        corners = np.column_stack([faces_of["vertex"], surface.faces[faces_of["triangle"]]])
        of_corners = np.column_stack([np.ones(len(faces_of)), -faces_of["barycentric"]])
        ends, along = np.column_stack([edges["edge_a"], edges["edge_b"]]), edges["along"]
        of_ends = np.column_stack([1 - along[:, 0], along[:, 0], along[:, 1] - 1, -along[:, 1]])
        # Of each pair of features: its vertices, how much of each is in the nearest points, and how many belong to the first.
        for table, vertices, weights, split in ((faces_of, corners, of_corners, 1), (edges, ends, of_ends, 2)):
            sides = slice(0, split), slice(split, 4)
            chosen = ~surface.has_neighbours(vertices[:, sides[0]], vertices[:, sides[1]])
            if bodies.body_of_vertex is not None:
                chosen &= bodies.body_of_vertex[vertices[:, 0]] != bodies.body_of_vertex[vertices[:, 3]]
            table, vertices, weights = table[chosen], vertices[chosen], weights[chosen]
            count += len(table)
            # Both sides go half of the way, each vertex according to its weight.
            half = 0.5 * (_OVERSHOOT * margin - table["distance"])
            for side in sides:
                for k in range(side.start, side.stop):
                    reach = half * weights[:, k] / np.maximum((weights[:, side] ** 2).sum(axis=1), 1e-300)
                    weight = np.abs(weights[:, k])
                    np.add.at(push, vertices[:, k], (weight * reach)[:, None] * table["direction"])
                    np.add.at(share, vertices[:, k], weight)
        return push / np.maximum(share, 1e-300)[:, None], count

    def _rounded(self, at: NDArray[np.float64]) -> NDArray[Any]:
        return at.astype(self.bodies.at.dtype)

    def _state(self, at: NDArray[Any]) -> _State:
        bodies = self.bodies
        bodies.scene.set_positions(bodies.body, at)
        frame = bodies.scene.update()
        contacts = frame.contacts
        touching = bodies.between(contacts[0].pairs) if contacts else np.zeros((0, 2), np.uint32)
        regions = [
            region
            for region in frame.self_overlap(bodies.body).regions
            if region.volume > 0 and (not len(region.pairs) or len(bodies.between(region.pairs)))
        ]
        return _State(at, sum(region.volume for region in regions), regions, touching)
