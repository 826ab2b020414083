"""Every pair of triangles that meet, frame by frame, of arrays or files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ._arrays import body as _body
from ._arrays import positions as _positions
from ._crumple import LoadedBody, Mesh, Scene
from ._files import load
from ._report import FrameRecord, Report
from .errors import OptionError, PositionsError


class Frames(Protocol):
    """Anything that hands out the positions of a frame by its number."""

    def __len__(self) -> int: ...

    def __getitem__(self, frame: int, /) -> Any: ...


@dataclass
class Source:
    """A body to check: its triangles, and its positions in every frame."""

    name: str
    mesh: Mesh
    frames: Frames
    weld: bool
    cast: bool

    @property
    def face_of_triangle(self) -> NDArray[np.uint32] | None:
        """The face of the file that each triangle was cut from, where it had polygons."""
        faces: NDArray[np.uint32] | None = getattr(self.frames, "face_of_triangle", None)
        return faces

    def frame(self, number: int) -> Any:
        """The positions shown in a frame: a body that has no more keeps its last ones."""
        return _positions(self.frames[min(number, len(self.frames) - 1)], self.cast, f"positions of {self.name}")


def check(
    bodies: Any,
    *,
    self_collision: bool | None = None,
    method: str = "wide-tree",
    frames: range | slice | None = None,
    first: bool = False,
    continuous: bool = False,
    thickness: float = 0.0,
    ignore: Iterable[tuple[str, str]] = (),
    hold: bool = False,
    weld: bool | None = None,
    cast: bool = False,
    threads: int | None = None,
    fps: float = 30.0,
    animation: str | None = None,
    progress: bool = False,
) -> Report:
    """Every pair of triangles that meet, in every frame.

    `bodies` is a path or a list of paths, as `load` takes them, or a dictionary of names and bodies: `(mesh, frames)` with frames
    of shape (T, n, 3) or (n, 3), a body from `load`, or an object of trimesh, meshio or PyVista. Frames are read one at a time, so a
    memory-mapped array needs the memory of one frame. A body with one frame stands still; other numbers of frames must agree,
    unless `hold` lets the shorter keep its last frame.

    `self_collision` also finds where bodies meet themselves; if omitted, only a single body is checked against itself. `frames`
    chooses some of the frames. `first` stops at one pair for each two bodies. `continuous` also finds what meets or passes
    through between two frames, with `thickness` for surfaces that have one. `ignore` names bodies that may touch. `weld` treats
    vertices that coincide in the first frame as connected: if omitted, those of files. `progress` shows a bar, by tqdm if it is
    installed.

    >>> import numpy as np, crumple as cr
    >>> faces, wall = [[0, 1, 2]], np.float32([[-9, 0, -9], [9, 0, -9], [0, 0, 9]])
    >>> leaf = np.float32([[0, 0, 0], [1, 1, 0], [0, 1, 1]])
    >>> falling = np.stack([leaf + np.float32([0, y, 0]) for y in (2, 1, -0.5, -3)])
    >>> report = cr.check({"wall": (faces, wall), "leaf": (faces, falling)})
    >>> report.collides, report.pairs.tolist()
    (True, [(2, 0, 1, 0, 0)])
    """
    sources = _sources(bodies, weld, cast, fps, animation)
    own = len(sources) == 1 if self_collision is None else self_collision
    if len(sources) < 2 and not own:
        raise OptionError("there is nothing to test: give two bodies, or self_collision=True")
    chosen = _chosen(frames, _frame_count(sources, hold))
    scene = Scene(method=method, threads=threads)
    for source in sources:
        start = source.frame(0 if source.weld else chosen.start)
        scene.add(source.mesh, start, name=source.name, self_collision=own, thickness=thickness, weld=source.weld)
    for a, b in ignore:
        if a == b:
            scene.set_self_collision(a, False)
        else:
            scene.ignore(a, b)
    records = [_frame(scene, sources, number, chosen, first, continuous) for number in _shown(chosen, progress)]
    return Report(sources, records, method=method, fps=fps, continuous=continuous, first=first)


def _frame(
    scene: Scene, sources: Sequence[Source], number: int, chosen: range, first: bool, continuous: bool
) -> FrameRecord:
    """Moves the bodies to a frame and records what meets."""
    started, reading = perf_counter(), 0.0
    for body, source in enumerate(sources):
        is_first = number == chosen.start
        if not is_first and min(number, len(source.frames) - 1) == min(number - chosen.step, len(source.frames) - 1):
            continue
        before = perf_counter()
        now = source.frame(number)
        reading += perf_counter() - before
        scene.set_positions(body, now)
    frame = scene.update()
    updated = perf_counter()
    contacts = frame.witnesses if first else frame.contacts
    done = perf_counter()
    numbers = {source.name: body for body, source in enumerate(sources)}
    impacts = None
    # The first frame has no step: what bodies showed before it is not part of the answer.
    if continuous and number != chosen.start:
        found = [frame.first_impact()] if first else frame.impacts()
        impacts = [impact for impact in found if impact is not None]
    return FrameRecord(
        frame=number,
        contacts=[(numbers[contact.a], numbers[contact.b], contact.pairs) for contact in contacts],
        impacts=impacts,
        update_us=1e6 * (updated - started - reading),
        query_us=1e6 * (done - updated),
    )


def _sources(bodies: Any, weld: bool | None, cast: bool, fps: float, animation: str | None) -> list[Source]:
    """What a caller named, as bodies with frames."""
    if isinstance(bodies, Mapping):
        return [_source(str(name), body, weld, cast) for name, body in bodies.items()]
    paths = [bodies] if isinstance(bodies, (str, os.PathLike)) else list(bodies)
    sources: list[Source] = []
    for path in paths:
        if not isinstance(path, (str, os.PathLike)):
            raise OptionError("bodies must be a path, a list of paths, or a dictionary of names and bodies")
        for body in load(path, fps=fps, animation=animation):
            same = sum(source.name == body.name or source.name.startswith(f"{body.name}#") for source in sources)
            name = f"{body.name}#{same + 1}" if same else body.name
            sources.append(Source(name, body.mesh, body, weld is not False, cast))
    return sources


def _source(name: str, body: Any, weld: bool | None, cast: bool) -> Source:
    if isinstance(body, LoadedBody) or (hasattr(body, "mesh") and hasattr(body, "shape") and hasattr(body, "__getitem__")):
        return Source(name, body.mesh, body, weld is not False, cast)
    if isinstance(body, tuple) and len(body) == 2:
        faces, frames = body
        mesh = faces if isinstance(faces, Mesh) else Mesh(faces)
        return Source(name, mesh, _frames(name, frames), bool(weld), cast)
    mesh, still = _body(body, None, cast)
    return Source(name, mesh, [still], bool(weld), cast)


def _frames(name: str, frames: Any) -> Frames:
    """Positions as a sequence of frames; one frame of a body that stands still."""
    if isinstance(frames, (list, tuple)):
        is_several = len(frames) > 0 and np.ndim(frames[0]) == 2
        return frames if is_several else [frames]
    shape = getattr(frames, "shape", None)
    if shape is None:
        frames = np.asarray(frames)
        shape = frames.shape
    if len(shape) == 2:
        return [frames]
    if len(shape) == 3 and shape[0] > 0:
        several: Frames = frames
        return several
    raise PositionsError(f"positions of {name} have shape {tuple(shape)}, but (T, n, 3) with a frame or more, or (n, 3), is needed")


def _frame_count(sources: Sequence[Source], hold: bool) -> int:
    longest = max((source for source in sources), key=lambda source: len(source.frames), default=None)
    if longest is None:
        return 1
    for source in sources:
        if not hold and 1 < len(source.frames) < len(longest.frames):
            raise OptionError(
                f"{longest.name} has {len(longest.frames)} frames, but {source.name} has {len(source.frames)}: hold=True lets "
                "the shorter keep its last frame"
            )
    return len(longest.frames)


def _chosen(frames: range | slice | None, count: int) -> range:
    if isinstance(frames, range):
        frames = slice(frames.start, frames.stop, frames.step)
    chosen = range(count)[slice(None) if frames is None else frames]
    if len(chosen) == 0 or chosen.step < 1:
        raise OptionError(f"frames chooses none of the {count} frames, or goes backwards")
    return chosen


def _shown(chosen: range, progress: bool) -> Iterable[int]:
    """The frames, with a bar if one is wanted."""
    if not progress:
        return chosen
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _counted(chosen)
    shown: Iterable[int] = tqdm(chosen, unit="frame")
    return shown


def _counted(chosen: range) -> Iterator[int]:
    """The frames, with a count on stderr that does not fill the terminal."""
    for done, number in enumerate(chosen):
        yield number
        print(f"\rframe {done + 1}/{len(chosen)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
