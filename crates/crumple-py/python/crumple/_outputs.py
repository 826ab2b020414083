"""Files that a report is written to, frame by frame, so that memory does not grow with the frames."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from ._crumple import Impact, Mesh, PageFile, ReportFile
from ._record import FrameRecord

if TYPE_CHECKING:
    from ._check import Options, Source

_Some = TypeVar("_Some", bound="Output")
_BodyRow = tuple[str, Mesh, int, NDArray[np.uint32] | None, bool]
_ImpactRow = tuple[float, float, int, int, str, list[int]]


class Output:
    """A file that appears whole, at the end of the block, or not at all."""

    def __init__(self, path: str | os.PathLike[str], sources: Sequence[Source], times: bool) -> None:
        self._target = Path(path)
        self._part = self._target.with_name(f"{self._target.name}.part")
        self._sources, self._times = sources, times
        self._numbers = {source.name: number for number, source in enumerate(sources)}

    def add(self, record: FrameRecord) -> None:
        """Adds a frame; frames must come in order."""
        raise NotImplementedError

    def _finish(self) -> None:
        raise NotImplementedError

    def _impacts(self, record: FrameRecord) -> list[_ImpactRow] | None:
        return None if record.impacts is None else [_row(impact, self._numbers) for impact in record.impacts]

    def _microseconds(self, record: FrameRecord) -> tuple[float, float]:
        return (record.update_us, record.query_us) if self._times else (0.0, 0.0)

    def __enter__(self: _Some) -> _Some:
        return self

    def __exit__(
        self, exception_type: type[BaseException] | None, exception: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            if exception_type is None:
                self._finish()
                os.replace(self._part, self._target)
        finally:
            self._part.unlink(missing_ok=True)


class JsonOutput(Output):
    """A report, one record per line."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        sources: Sequence[Source],
        options: Options,
        frames: Sequence[int],
        *,
        times: bool,
    ) -> None:
        super().__init__(path, sources, times)
        of = max((len(source.frames) for source in sources), default=1)
        # Frames with gaps are no part of a report that others could complete.
        is_part = len(frames) < of and frames[-1] - frames[0] == len(frames) - 1
        part = (frames[0], of) if is_part else None
        self._file = ReportFile(str(self._part), options.method, _bodies(sources, frames[0]), len(frames), part)

    def add(self, record: FrameRecord) -> None:
        self._file.frame(record.frame, record.contacts, self._impacts(record), self._microseconds(record))

    def _finish(self) -> None:
        self._file.finish()


class PageOutput(Output):
    """A page to look at. Reads the positions of every frame."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        sources: Sequence[Source],
        options: Options,
        frames: Sequence[int],
        *,
        title: str | None,
        times: bool,
    ) -> None:
        super().__init__(path, sources, times)
        name = title or _title([source.name for source in sources])
        bodies = _bodies(sources, frames[0])
        self._file = PageFile(str(self._part), name, options.method, bodies, len(frames), options.fps)

    def add(self, record: FrameRecord) -> None:
        positions = [source.frame(record.frame) for source in self._sources]
        times = self._microseconds(record)
        self._file.frame(record.frame, positions, record.contacts, self._impacts(record), times)

    def _finish(self) -> None:
        self._file.finish()


def _bodies(sources: Sequence[Source], first: int) -> list[_BodyRow]:
    rows: list[_BodyRow] = []
    for source in sources:
        shown = source.frame(first)
        rows.append((source.name, source.mesh, len(shown), source.face_of_triangle, shown.dtype.itemsize == 8))
    return rows


def _title(names: Sequence[str]) -> str:
    if len(names) > 3:
        return f"{names[0]}, {names[1]} and {len(names) - 2} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names) or "nothing"


def _row(impact: Impact, numbers: dict[str, int]) -> _ImpactRow:
    """An impact as the files take it: four numbers say which features, the rest are 0."""
    features: tuple[int, ...]
    if impact.kind == "vertex-face":
        features = (impact.vertex or 0, impact.triangle or 0, 0, 0)
    elif impact.kind == "edge-edge":
        features = (*(impact.edge_a or (0, 0)), *(impact.edge_b or (0, 0)))
    else:
        features = (*(impact.triangles or (0, 0)), 0, 0)
    return *impact.time, numbers[str(impact.a)], numbers[str(impact.b)], impact.kind, list(features)
