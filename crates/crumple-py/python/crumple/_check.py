"""Every pair of triangles that meet, frame by frame, of arrays or files: the check of the command, with arrays as bodies."""

from __future__ import annotations

import inspect
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from time import perf_counter
from typing import Any, Protocol, Union

import numpy as np
from numpy.typing import NDArray

from ._arrays import body as _body
from ._arrays import positions as _positions
from ._crumple import LoadedBody, Mesh, check_bodies, plan_of_bodies
from ._files import USD, load
from ._report import Report
from .errors import OptionError, PositionsError


class Frames(Protocol):
    """Anything that hands out the positions of a frame by its number."""

    def __len__(self) -> int: ...

    def __getitem__(self, frame: int, /) -> Any: ...


class Source:
    """A body to check: its triangles, and its positions in every frame, which are asked for one at a time."""

    def __init__(self, name: str, mesh: Mesh, frames: Frames, weld: bool, cast: bool) -> None:
        self.name, self.mesh, self.frames, self.weld, self.cast = name, mesh, frames, weld, cast
        self.count = len(frames)
        self.first_number: int | None = getattr(frames, "first_number", None)
        self.face_of_triangle: NDArray[np.uint32] | None = getattr(frames, "face_of_triangle", None)
        shape, dtype = getattr(frames, "shape", None), getattr(frames, "dtype", None)
        if shape is None or dtype is None or np.dtype(dtype).kind != "f":
            # The first frame says how many vertices there are and in which precision; others have to be like it.
            first = self.frame(0)
            shape, dtype = (self.count, *first.shape), first.dtype
        self.vertices = int(shape[1])
        self.is_f64 = np.dtype(dtype).itemsize == 8 and not cast

    def frame(self, number: int) -> Any:
        """The positions shown in a frame: a body that has no more keeps its last ones."""
        return _positions(self.frames[min(number, self.count - 1)], self.cast, f"positions of {self.name}")


Bodies = Union[list[str], list[Source]]
"""What the library checks: files as the command takes them, or bodies of Python."""


def check(
    bodies: Any,
    *,
    self_collision: bool | None = None,
    first: bool = False,
    proper: bool = False,
    method: str = "wide-tree",
    ignore: Iterable[str | tuple[str, str]] = (),
    only: Iterable[str | tuple[str, str]] = (),
    joint_distance: int | None = None,
    rest: int | str | None = None,
    rest_rings: int | None = None,
    baseline: str | os.PathLike[str] | None = None,
    write_baseline: str | os.PathLike[str] | None = None,
    max_depth: float | None = None,
    containment: bool = False,
    continuous: bool = False,
    thickness: float | None = None,
    first_contact: bool = False,
    clearance: float | None = None,
    depth: bool = False,
    volume: bool = False,
    max_volume: float | None = None,
    max_pairs: int | None = None,
    html: str | os.PathLike[str] | None = None,
    title: str | None = None,
    csv: str | os.PathLike[str] | None = None,
    export: str | os.PathLike[str] | None = None,
    export_format: str = "ply",
    frames: range | slice | str | None = None,
    every: int | None = None,
    by_position: bool = False,
    hold: bool = False,
    threads: int | None = None,
    max_memory: int | str | None = None,
    max_work: float | str | None = None,
    fps: float = 30.0,
    animation: str | None = None,
    obj_bodies: str = "file",
    split: str = "none",
    mask: Iterable[str] = (),
    f64: bool = False,
    weld: bool | None = None,
    cast: bool = False,
    progress: bool | Callable[[], object] = False,
) -> Report:
    """Every pair of triangles that meet, in every frame, and what that comes to: the check of `crumple check`.

    `bodies` is a path or a list of paths, as `load` takes them, or a dictionary of names and bodies: `(mesh, frames)` with frames
    of shape (T, n, 3) or (n, 3), a body from `load`, or an object of trimesh, meshio or PyVista. Frames are read one at a time and
    once, so a memory-mapped array needs the memory of one frame. A body with one frame stands still; other numbers of frames must
    agree, unless `hold` lets the shorter keep its last frame.

    Options have the names that they have on the command line, where `crumple check --help` describes them: what to find
    (`self_collision`, which is `--self`, `proper`, `continuous`, `thickness`, `first_contact`, `clearance`, `containment`, `depth`,
    `volume`), what is intended (`ignore`, `only`, `joint_distance`, `rest`, `rest_rings`, `max_depth`, `max_volume`, `baseline`), which frames (`frames` as a range of their numbers, as on the
    command line, or a slice of their positions; `every`, `by_position`, `hold`), how files are read (`fps`, `animation`,
    `obj_bodies`, `split`, `mask`, `f64`), and files that are written while frames are checked (`html`, `csv`, `export`,
    `write_baseline`). `weld` treats vertices that coincide in the first frame as connected: if omitted, those of files. Arrays are
    float32 or float64, and answers exact for these numbers, unless `cast` rounds them to float32. `progress` shows a bar, by tqdm
    if it is installed, or is called after every frame.

    >>> import numpy as np, crumple as cr
    >>> faces, wall = [[0, 1, 2]], np.float32([[-9, 0, -9], [9, 0, -9], [0, 0, 9]])
    >>> leaf = np.float32([[0, 0, 0], [1, 1, 0], [0, 1, 1]])
    >>> falling = np.stack([leaf + np.float32([0, y, 0]) for y in (2, 1, -0.5, -3)])
    >>> report = cr.check({"wall": (faces, wall), "leaf": (faces, falling)})
    >>> report.collides, report.pairs.tolist()
    (True, [(2, 0, 1, 0, 0)])
    """
    given = {name: value for name, value in locals().items() if name not in ("bodies", "progress")}
    taken, options = prepared(bodies, given)
    if callable(progress):
        return Report(taken, options, check_bodies(taken, options, progress))
    count = len(plan_of_bodies(taken, options)[1]) if progress else 0
    with Progress(count, progress) as bar:
        return Report(taken, options, check_bodies(taken, options, bar.step))


_NOT_SENT = ("weld", "cast")
"""Keywords that say how bodies are made, not what is asked about them."""

OPTIONS = frozenset(inspect.signature(check).parameters) - {"bodies", "progress"}
"""The keywords of `check`."""


def prepared(bodies: Any, given: Mapping[str, Any]) -> tuple[Bodies, str]:
    """Bodies as the library takes them, and options as JSON."""
    unknown = sorted(set(given) - OPTIONS)
    if unknown:
        raise OptionError(f"check has no option {unknown[0]}")
    taken = opened(bodies, given)
    sent: dict[str, Any] = {}
    for name, value in given.items():
        if name not in _NOT_SENT and value is not None and value is not False:
            sent["self" if name == "self_collision" else name.replace("_", "-")] = _plain(name, value)
    if given.get("self_collision") is False:
        sent["self"] = False
    frames = sent.pop("frames", None)
    if isinstance(frames, list):
        sent["slice"] = frames
    elif frames is not None:
        sent["frames"] = frames
    if given.get("weld") is False:
        sent["no-weld"] = True
    if isinstance(given.get("frames"), range) and given["frames"].step != 1:
        if given["frames"].step < 1:
            raise OptionError("frames goes backwards")
        sent["every"] = given["frames"].step * (given.get("every") or 1)
    return taken, json.dumps(sent)


def _plain(name: str, value: Any) -> Any:
    """An option as JSON has it."""
    if isinstance(value, range):
        return f"{value.start}..{value.stop}"
    if isinstance(value, slice):
        return [value.start, value.stop, value.step]
    if name in ("ignore", "only", "mask"):
        items = [value] if isinstance(value, str) else value
        return [item if isinstance(item, str) else ",".join(item) for item in items]
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def opened(bodies: Any, given: Mapping[str, Any]) -> Bodies:
    """What a caller named: files as they are named, where the library reads all of them, or bodies with frames."""
    weld, cast = given.get("weld"), bool(given.get("cast"))
    if isinstance(bodies, Mapping):
        return [_source(str(name), body, weld, cast) for name, body in bodies.items()]
    paths = [bodies] if isinstance(bodies, (str, os.PathLike)) else list(bodies)
    if not all(isinstance(path, (str, os.PathLike)) for path in paths):
        raise OptionError("bodies must be a path, a list of paths, or a dictionary of names and bodies")
    names = [os.fspath(path) for path in paths]
    if not any(name.lower().endswith(USD) for name in names):
        return names
    return sources(names, given)


def sources(paths: Sequence[str], given: Mapping[str, Any]) -> list[Source]:
    """The bodies of files, with frames that Python can read."""
    found: list[Source] = []
    reading = {name: given[name] for name in ("fps", "animation", "obj_bodies", "f64") if given.get(name) is not None}
    for path in paths:
        for body in load(path, **reading):
            same = sum(source.name == body.name or source.name.startswith(f"{body.name}#") for source in found)
            name = f"{body.name}#{same + 1}" if same else body.name
            found.append(Source(name, body.mesh, body, given.get("weld") is not False, bool(given.get("cast"))))
    return found


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


class Progress:
    """A bar over frames, by tqdm if that is installed, else a count on stderr; nothing unless it is wanted."""

    def __init__(self, count: int, wanted: bool) -> None:
        self._count, self._done, self._said, self._bar = count, 0, 0.0, None
        self.step: Callable[[], None] | None = self._step if wanted else None
        if wanted:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            self._bar = tqdm(total=count, unit="frame")

    def _step(self) -> None:
        self._done += 1
        if self._bar is not None:
            self._bar.update()
        # Ten times per second is enough to see that it moves.
        elif perf_counter() - self._said > 0.1 or self._done == self._count:
            self._said = perf_counter()
            print(f"\rframe {self._done}/{self._count}", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self._done:
            print(file=sys.stderr)
