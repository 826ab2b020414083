"""What runs on the workers of a cluster: some frames of a source, and how long one of them took."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from time import perf_counter
from typing import Any, cast

from ._check import Bodies, opened
from ._crumple import check_bodies
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
    given: dict[str, Any]
    """The keywords of `check`."""
    options: str
    """The same as JSON, without frames and files to be written."""

    def opened(self) -> Bodies:
        """The bodies, in this process."""
        is_function = callable(self.source)
        return opened(cast(Callable[[], Any], self.source)() if is_function else self.source, self.given)

    def of_frames(self, chosen: range, overlap: bool) -> str:
        """The options for some frames, which are positions."""
        frames = {"slice": [chosen.start, chosen.stop, chosen.step], "continued": overlap}
        return json.dumps({**json.loads(self.options), **frames})


@dataclass
class Part:
    """What a task found in its frames."""

    lines: bytes
    """The records as lines of JSON."""
    seconds_per_frame: float
    bytes_per_frame: float


@dataclass(frozen=True)
class Refused:
    """An error of the input, which another attempt would not mend, so it is a result and no failure of the task."""

    error: CrumpleError


_open: OrderedDict[str, Bodies] = OrderedDict()
_lock = Lock()


def run(job: Job, chosen: range, overlap: bool) -> Part | Refused:
    """The frames `chosen`. With `overlap`, the first is only where the step to the second begins, and is left out."""
    started, ends = perf_counter(), []
    try:
        found = check_bodies(_bodies(job), job.of_frames(chosen, overlap), lambda: ends.append(perf_counter()))
    except CrumpleError as error:
        return Refused(error)
    # The first frame also builds the trees, which a longer task does not do again.
    per_frame = (ends[-1] - ends[0]) / (len(ends) - 1) if len(ends) > 1 else ends[0] - started
    lines = found.lines(int(overlap))
    return Part(lines, per_frame, len(lines) / max(1, len(chosen) - overlap))


def _bodies(job: Job) -> Bodies:
    """The bodies of a job, opened once per worker."""
    with _lock:
        if job.key not in _open:
            _open[job.key] = job.opened()
        _open.move_to_end(job.key)
        while len(_open) > _MOST_OPEN:
            _open.popitem(last=False)
        return _open[job.key]
