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
from ._record import FrameRecord
from ._report import Report
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


@dataclass(frozen=True)
class Options:
    """What `check` was asked; see there."""

    self_collision: bool | None = None
    method: str = "wide-tree"
    first: bool = False
    continuous: bool = False
    thickness: float = 0.0
    ignore: tuple[tuple[str, str], ...] = ()
    hold: bool = False
    weld: bool | None = None
    cast: bool = False
    threads: int | None = None
    fps: float = 30.0
    animation: str | None = None
    f64: bool = False


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
    f64: bool = False,
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
    vertices that coincide in the first frame as connected: if omitted, those of files. Arrays are float32 or float64, and answers
    exact for these numbers, unless `cast` rounds them to float32; `f64` reads files as `load` does with it. `progress` shows a bar, by tqdm if it is
    installed.

    >>> import numpy as np, crumple as cr
    >>> faces, wall = [[0, 1, 2]], np.float32([[-9, 0, -9], [9, 0, -9], [0, 0, 9]])
    >>> leaf = np.float32([[0, 0, 0], [1, 1, 0], [0, 1, 1]])
    >>> falling = np.stack([leaf + np.float32([0, y, 0]) for y in (2, 1, -0.5, -3)])
    >>> report = cr.check({"wall": (faces, wall), "leaf": (faces, falling)})
    >>> report.collides, report.pairs.tolist()
    (True, [(2, 0, 1, 0, 0)])
    """
    options = Options(
        self_collision=self_collision,
        method=method,
        first=first,
        continuous=continuous,
        thickness=thickness,
        ignore=tuple(ignore),
        hold=hold,
        weld=weld,
        cast=cast,
        threads=threads,
        fps=fps,
        animation=animation,
        f64=f64,
    )
    sources = opened(bodies, options)
    chosen = chosen_frames(sources, options, frames)
    found = records(sources, options, chosen)
    return Report(sources, list(shown(found, len(chosen), progress)), options=options)


def records(sources: Sequence[Source], options: Options, chosen: range) -> Iterator[FrameRecord]:
    """What is found in some frames, one after another."""
    own = tests_bodies_against_themselves(sources, options)
    scene = Scene(method=options.method, threads=options.threads)
    for source in sources:
        start = source.frame(0 if source.weld else chosen.start)
        thickness, weld = options.thickness, source.weld
        scene.add(source.mesh, start, name=source.name, self_collision=own, thickness=thickness, weld=weld)
    for a, b in options.ignore:
        if a == b:
            scene.set_self_collision(a, False)
        else:
            scene.ignore(a, b)
    for number in chosen:
        yield _frame(scene, sources, number, chosen, options)


def tests_bodies_against_themselves(sources: Sequence[Source], options: Options) -> bool:
    """Whether bodies are tested against themselves; refuses a check of nothing."""
    own = len(sources) == 1 if options.self_collision is None else options.self_collision
    if len(sources) < 2 and not own:
        raise OptionError("there is nothing to test: give two bodies, or self_collision=True")
    return own


def _frame(scene: Scene, sources: Sequence[Source], number: int, chosen: range, options: Options) -> FrameRecord:
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
    contacts = frame.witnesses if options.first else frame.contacts
    done = perf_counter()
    numbers = {source.name: body for body, source in enumerate(sources)}
    impacts = None
    # The first frame has no step: what bodies showed before it is not part of the answer.
    if options.continuous and number != chosen.start:
        found = [frame.first_impact()] if options.first else frame.impacts()
        impacts = [impact for impact in found if impact is not None]
    return FrameRecord(
        frame=number,
        contacts=[(numbers[contact.a], numbers[contact.b], contact.pairs) for contact in contacts],
        impacts=impacts,
        update_us=1e6 * (updated - started - reading),
        query_us=1e6 * (done - updated),
    )


def opened(bodies: Any, options: Options) -> list[Source]:
    """What a caller named, as bodies with frames."""
    weld, cast = options.weld, options.cast
    if isinstance(bodies, Mapping):
        return [_source(str(name), body, weld, cast) for name, body in bodies.items()]
    paths = [bodies] if isinstance(bodies, (str, os.PathLike)) else list(bodies)
    sources: list[Source] = []
    for path in paths:
        if not isinstance(path, (str, os.PathLike)):
            raise OptionError("bodies must be a path, a list of paths, or a dictionary of names and bodies")
        for body in load(path, fps=options.fps, animation=options.animation, f64=options.f64):
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


def frame_count(sources: Sequence[Source], hold: bool) -> int:
    """How many frames the bodies have together."""
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


def chosen_frames(sources: Sequence[Source], options: Options, frames: range | slice | None) -> range:
    """The frames to check, of those that there are."""
    tests_bodies_against_themselves(sources, options)
    count = frame_count(sources, options.hold)
    if isinstance(frames, range):
        frames = slice(frames.start, frames.stop, frames.step)
    chosen = range(count)[slice(None) if frames is None else frames]
    if len(chosen) == 0 or chosen.step < 1:
        raise OptionError(f"frames chooses none of the {count} frames, or goes backwards")
    return chosen


def shown(frames: Iterable[FrameRecord], count: int, progress: bool) -> Iterable[FrameRecord]:
    """The frames, with a bar if one is wanted."""
    if not progress:
        return frames
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _counted(frames, count)
    with_bar: Iterable[FrameRecord] = tqdm(frames, total=count, unit="frame")
    return with_bar


def _counted(frames: Iterable[FrameRecord], count: int) -> Iterator[FrameRecord]:
    """The frames, with a count on stderr that does not fill the terminal."""
    said = 0.0
    for done, frame in enumerate(frames, 1):
        yield frame
        # Ten times per second is enough to see that it moves.
        if perf_counter() - said > 0.1 or done == count:
            said = perf_counter()
            print(f"\rframe {done}/{count}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
