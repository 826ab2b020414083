"""One moment of a scene that is too large for the memory of one machine, cut into slabs.

    min of scene ──────┬──────────────┬────────────── max of scene      along the longest side
          slab 0       │    slab 1    │    slab 2
        ┌──────────────┼───┐          │                                 a triangle lies in all slabs that its box meets;
        └──────────────┼───┘          │                                 a pair belongs to one: see `_owned`

First each source is read on some worker, which returns the boxes of its bodies and where their triangles lie. Slabs with about
as many triangles each follow from that. Then each slab is a task: it reads the bodies that reach into it, one source at a time,
keeps the triangles within, and returns the pairs that belong to it. A worker needs memory for one source and one slab.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ._check import Source, opened
from ._check import sources as of_files
from ._crumple import Mesh, Scene
from .errors import CrumpleError, OptionError, TaskError

_BINS = 512
"""Of the histogram of triangles along each axis, of each body. Slabs are as even as these are fine; answers do not depend on it."""

_TRIANGLES_PER_SLAB = 1_000_000
"""About 100 MB on a worker: triangles, vertices, tree and pairs."""

_OPTIONS = {"weld", "cast", "fps", "animation", "f64", "method", "threads"}
"""Those of `check` that a scene takes."""

_ROWS = np.dtype([(name, np.uint32) for name in ("a", "b", "triangle_a", "triangle_b")])

_Pairs = list[tuple[int, int, NDArray[np.uint32]]]


@dataclass
class SceneContacts:
    """What `scene` found. Bodies are numbers, in the order of `bodies`."""

    bodies: list[str]
    """The names of the bodies."""
    triangles: int
    """How many triangles they have."""
    slabs: int
    """How many slabs they were cut into."""
    contacts: list[tuple[int, int, NDArray[np.uint32]]]
    """Two bodies that meet and the triangles at which they do, (k, 2), sorted."""

    @property
    def collides(self) -> bool:
        """Whether anything meets."""
        return bool(self.contacts)

    @property
    def pairs(self) -> NDArray[np.void]:
        """Every pair of triangles: a structured array of a, b, triangle_a, triangle_b; bodies by number."""
        rows = np.zeros(sum(len(pairs) for _, _, pairs in self.contacts), _ROWS)
        at = 0
        for a, b, pairs in self.contacts:
            part = rows[at : at + len(pairs)]
            part["a"], part["b"], part["triangle_a"], part["triangle_b"] = a, b, pairs[:, 0], pairs[:, 1]
            at += len(pairs)
        return rows


@dataclass(frozen=True)
class _Measured:
    """A body as the first pass saw it."""

    name: str
    min: NDArray[Any]
    max: NDArray[Any]
    triangles: int
    bins: NDArray[np.int64]
    """Triangles by the smallest corner of their boxes, for each axis: (3, bins)."""


@dataclass(frozen=True)
class _Slab:
    """From `start`, which belongs to it, to `end`, which belongs to the next."""

    axis: int
    start: float
    end: float


def scene(
    sources: Sequence[Any] | Mapping[str, Any],
    *,
    client: Any,
    frame: int = 0,
    triangles_per_slab: int = _TRIANGLES_PER_SLAB,
    self_collision: bool = False,
    ignore: Sequence[tuple[str, str]] = (),
    **options: Any,
) -> SceneContacts:
    """Every pair of triangles that meet in one frame of a scene that need not fit into the memory of one machine.

    `sources` are paths, or functions without arguments that return what `crumple.check` takes; in a dictionary, a source has one
    body, which gets the name. Each is read on a worker of `client`, alone, so that each must fit into its memory; the scene is cut
    into slabs of about `triangles_per_slab` triangles, and each slab is a task. Every pair belongs to one slab, so none is lost or
    found twice: the answer is that of `crumple.check`. `options` are `weld`, `cast`, `fps`, `animation`, `f64`, `method` and
    `threads` of it.
    """
    if triangles_per_slab < 1:
        raise OptionError(f"triangles_per_slab is {triangles_per_slab}, but a slab has one triangle or more")
    wanted = {"threads": 1, **options, "self_collision": self_collision}
    unknown = sorted(set(options) - _OPTIONS)
    if unknown:
        raise OptionError(f"scene has no option {unknown[0]}")
    named = list(sources.items()) if isinstance(sources, Mapping) else [(None, source) for source in sources]
    measured = _all(client, _measure, [(source, wanted, frame, name) for name, source in named])
    bodies, first_of_source = _numbered(measured)
    slabs = _cut([body for found in measured for body in found], triangles_per_slab)
    names = {name: number for number, name in enumerate(bodies)}
    missing = [name for pair in ignore for name in pair if name not in names]
    if missing:
        raise OptionError(f"ignore names {missing[0]}, but there is no body of this name")
    ignored = frozenset((min(names[a], names[b]), max(names[a], names[b])) for a, b in ignore)
    tasks = []
    for slab in slabs:
        reaching = [
            (source, first)
            for (_, source), first, found in zip(named, first_of_source, measured)
            if any(body.min[slab.axis] < slab.end and body.max[slab.axis] >= slab.start for body in found)
        ]
        tasks.append((reaching, wanted, frame, slab, ignored))
    together: dict[tuple[int, int], list[NDArray[np.uint32]]] = {}
    for found in _all(client, _search, tasks):
        for a, b, pairs in found:
            together.setdefault((a, b), []).append(pairs)
    contacts = [(a, b, _sorted(np.concatenate(parts))) for (a, b), parts in sorted(together.items())]
    triangles = sum(body.triangles for found in measured for body in found)
    return SceneContacts(bodies, triangles, len(slabs), contacts)


def _all(client: Any, function: Callable[..., Any], calls: Sequence[tuple[Any, ...]]) -> list[Any]:
    """The results of calls on the workers, in order, with some under way at a time."""
    most = 2 * max(1, sum(client.nthreads().values()))
    results, waiting, submitted = [], deque[Any](), 0
    try:
        while submitted < len(calls) or waiting:
            while submitted < len(calls) and len(waiting) < most:
                waiting.append(client.submit(function, *calls[submitted], pure=False, retries=2))
                submitted += 1
            future = waiting.popleft()
            try:
                found = future.result()
            except Exception as error:
                raise TaskError(f"a part of the scene could not be checked: {type(error).__name__}: {error}") from error
            finally:
                future.release()
            if isinstance(found, CrumpleError):
                raise found
            results.append(found)
    finally:
        client.cancel(list(waiting))
    return results


def _numbered(measured: Sequence[Sequence[_Measured]]) -> tuple[list[str], list[int]]:
    """Names of the bodies, made different as `check` does, and the number of the first body of each source."""
    names: list[str] = []
    first_of_source = []
    # How many names are X or start with X#, for every X that may be asked.
    same: Counter[str] = Counter()
    for found in measured:
        first_of_source.append(len(names))
        for body in found:
            name = f"{body.name}#{same[body.name] + 1}" if same[body.name] else body.name
            names.append(name)
            same.update({name, *(name[:at] for at, letter in enumerate(name) if letter == "#")})
    return names, first_of_source


def _cut(bodies: Sequence[_Measured], triangles_per_slab: int) -> list[_Slab]:
    """Slabs across the longest side of the scene, with about as many triangles each."""
    solid = [body for body in bodies if body.triangles]
    if not solid:
        return []
    # In double precision: the difference of two float32 can be too large for float32.
    low = np.min([body.min for body in solid], axis=0).astype(float)
    high = np.max([body.max for body in solid], axis=0).astype(float)
    axis = int(np.argmax(high - low))
    count = -(-sum(body.triangles for body in solid) // triangles_per_slab)
    edges = np.concatenate([np.linspace(float(body.min[axis]), float(body.max[axis]), _BINS + 1)[:-1] for body in solid])
    weights = np.concatenate([body.bins[axis] for body in solid])
    order = np.argsort(edges, kind="stable")
    reached = np.cumsum(weights[order])
    at = np.searchsorted(reached, reached[-1] * np.arange(1, count) / count)
    # The same place twice would be a slab without width.
    between = np.unique(np.float32(edges[order][at])).astype(float).tolist()
    ends = [-np.inf, *between, np.inf]
    return [_Slab(axis, start, end) for start, end in zip(ends, ends[1:])]


@dataclass(frozen=True)
class _Body:
    """A body of a source in the frame that is checked."""

    name: str
    mesh: Mesh
    positions: NDArray[Any]
    first: NDArray[Any]
    """In the first frame if vertices that coincide there are connected."""
    weld: bool


def _bodies(source: Any, options: Mapping[str, Any], frame: int) -> list[_Body]:
    """The bodies of a source in a frame."""
    given = cast(Callable[[], Any], source)() if callable(source) else source
    found = []
    taken = opened(given, options)
    for body in [source for source in taken if isinstance(source, Source)] or of_files(cast("list[str]", taken), options):
        now = body.frame(frame)
        first = body.frame(0) if body.weld and frame > 0 else now
        found.append(_Body(body.name, body.mesh, now, first, body.weld))
    return found


def _boxes(mesh: Mesh, positions: NDArray[Any], axis: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """The extent of every triangle along an axis."""
    along = positions[:, axis][mesh.faces]
    return along.min(axis=1), along.max(axis=1)


def _measure(source: Any, options: Mapping[str, Any], frame: int, name: str | None) -> list[_Measured] | CrumpleError:
    """On a worker: where the bodies of a source are."""
    found = []
    try:
        bodies = _bodies(source, options, frame)
        if name is not None and len(bodies) != 1:
            raise OptionError(f"the source of {name} has {len(bodies)} bodies, but one name")
    except CrumpleError as error:
        return error
    for body in bodies:
        mesh, positions = body.mesh, body.positions
        used = positions[np.unique(mesh.faces)] if len(mesh) else np.zeros((1, 3), np.float32)
        low, high = used.min(axis=0), used.max(axis=0)
        bins = np.zeros((3, _BINS), np.int64)
        for axis in range(3):
            if len(mesh):
                starts = _boxes(mesh, positions, axis)[0].astype(float)
                width = float(high[axis]) - float(low[axis]) or 1.0
                place = np.clip((starts - float(low[axis])) / width * _BINS, 0, _BINS - 1)
                bins[axis] = np.bincount(place.astype(np.int64), minlength=_BINS)
        found.append(_Measured(name or body.name, low, high, len(mesh), bins))
    return found


def _search(
    sources: Sequence[tuple[Any, int]], options: Mapping[str, Any], frame: int, slab: _Slab, ignored: frozenset[tuple[int, int]]
) -> _Pairs | CrumpleError:
    """On a worker: the pairs that belong to a slab. `sources` come with the numbers of their first bodies."""
    scene = Scene(method=options.get("method", "wide-tree"), threads=options["threads"])
    kept: dict[int, tuple[NDArray[np.int64], NDArray[Any]]] = {}
    try:
        for source, first in sources:
            for number, body in enumerate(_bodies(source, options, frame), first):
                low, high = _boxes(body.mesh, body.positions, slab.axis)
                within = np.flatnonzero((low < slab.end) & (high >= slab.start))
                if not len(within):
                    continue
                used, faces = np.unique(body.mesh.faces[within], return_inverse=True)
                part = Mesh(faces.reshape(-1, 3).astype(np.uint32))
                own = bool(options["self_collision"]) and (number, number) not in ignored
                scene.add(part, body.first[used], name=str(number), self_collision=own, weld=body.weld)
                if body.first is not body.positions:
                    scene.set_positions(str(number), body.positions[used])
                kept[number] = (within, low[within])
        for a, b in ignored:
            if a != b and a in kept and b in kept:
                scene.ignore(str(a), str(b))
        return [found for contact in scene.update().contacts if len((found := _owned(contact, kept, slab))[2])]
    except CrumpleError as error:
        return error


def _owned(
    contact: Any, kept: Mapping[int, tuple[NDArray[np.int64], NDArray[Any]]], slab: _Slab
) -> tuple[int, int, NDArray[np.uint32]]:
    """The pairs of two bodies that belong to a slab, with the numbers that triangles have in their bodies.

    The boxes of triangles that meet overlap. Along the axis of the slabs, the overlap starts at the larger of their two smallest
    coordinates. That is one number, which lies in one slab, and both triangles reach into that slab, so it sees the pair.
    """
    a, b = int(contact.a), int(contact.b)
    (number_a, low_a), (number_b, low_b) = kept[a], kept[b]
    pairs = contact.pairs
    start = np.maximum(low_a[pairs[:, 0]], low_b[pairs[:, 1]])
    pairs = pairs[(start >= slab.start) & (start < slab.end)]
    found = np.stack([number_a[pairs[:, 0]], number_b[pairs[:, 1]]], axis=1).astype(np.uint32)
    return (a, b, found) if a <= b else (b, a, found[:, ::-1])


def _sorted(pairs: NDArray[np.uint32]) -> NDArray[np.uint32]:
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
