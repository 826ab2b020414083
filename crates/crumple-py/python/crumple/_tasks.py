"""What runs on the workers of a cluster: some frames of a source, and how long one of them took."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from threading import Lock
from time import perf_counter
from typing import Any, cast

from ._check import Options, Source, opened, records
from ._crumple import Impact
from ._record import FrameRecord
from .errors import CrumpleError

_MOST_OPEN = 2
"""Sources that a worker keeps open: the one it works on, and the one before, of which tasks may be left."""


@dataclass(frozen=True)
class Job:
    """What all tasks of a run have in common."""

    key: str
    """Differs from run to run: a worker outlives a run, and files may change in between."""
    source: Any
    """A path, a list of paths, or a function that returns what `check` takes."""
    options: Options

    def opened(self) -> list[Source]:
        """The bodies, in this process."""
        is_function = callable(self.source)
        return opened(cast(Callable[[], Any], self.source)() if is_function else self.source, self.options)


@dataclass
class Part:
    """What a task found in its frames."""

    records: list[FrameRecord]
    seconds_per_frame: float
    bytes_per_frame: float


@dataclass(frozen=True)
class Refused:
    """An error of the input, which another attempt would not mend, so it is a result and no failure of the task."""

    error: CrumpleError


@dataclass(frozen=True)
class SentImpact:
    """A copy of an `Impact` that can be sent from one process to another."""

    time: tuple[float, float]
    a: str
    b: str
    kind: str
    vertex: int | None
    triangle: int | None
    edge_a: tuple[int, int] | None
    edge_b: tuple[int, int] | None
    triangles: tuple[int, int] | None
    point: tuple[float, float, float]
    normal: tuple[float, float, float]
    barycentric: tuple[float, float, float]
    slack: float


_open: OrderedDict[str, list[Source]] = OrderedDict()
_lock = Lock()


def run(job: Job, chosen: range, overlap: bool) -> Part | Refused:
    """The frames `chosen`. With `overlap`, the first is only where the step to the second begins, and is left out."""
    try:
        sources = _sources(job)
        found, started, first_done = [], perf_counter(), 0.0
        for record in records(sources, job.options, chosen):
            # The first frame also builds the trees, which a longer task does not do again.
            first_done = first_done or perf_counter()
            found.append(_sent(record))
    except CrumpleError as error:
        return Refused(error)
    rest = perf_counter() - first_done
    per_frame = rest / (len(found) - 1) if len(found) > 1 else first_done - started
    return Part(found[1:] if overlap else found, per_frame, sum(map(_size, found)) / len(found))


def _sources(job: Job) -> list[Source]:
    """The bodies of a job, opened once per worker."""
    with _lock:
        if job.key not in _open:
            _open[job.key] = job.opened()
        _open.move_to_end(job.key)
        while len(_open) > _MOST_OPEN:
            _open.popitem(last=False)
        return _open[job.key]


def _sent(record: FrameRecord) -> FrameRecord:
    if record.impacts:
        record.impacts = cast("list[Impact]", _copies(record.impacts))
    return record


def _copies(impacts: Sequence[Impact]) -> list[SentImpact]:
    names = [field.name for field in fields(SentImpact)]
    return [SentImpact(**{name: getattr(impact, name) for name in names}) for impact in impacts]


def _size(record: FrameRecord) -> int:
    """About how many bytes a record takes on its way."""
    return 300 + sum(100 + pairs.nbytes for _, _, pairs in record.contacts) + 500 * len(record.impacts or ())
