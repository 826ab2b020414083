"""`check` over the workers of a Dask cluster, for what outgrows one machine. Needs `pip install crumple[dask]`.

The workers need this package, and the files under the same names, as on a shared file system. Answers are those of one machine:

    from dask.distributed import Client
    import crumple.dask

    report = crumple.dask.check("shot.ply@shot.pc2", client=Client("tcp://scheduler:8786"))
    report.save_html("shot.html")
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from json import dumps, loads
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np

from . import _tasks
from ._check import Bodies, Progress, prepared
from ._crumple import Checked, plan_of_bodies, replay_bodies
from ._record import FrameRecord
from ._record import frame as record_of
from ._report import Report
from ._slabs import SceneContacts, scene
from .errors import OptionError, TaskError

__all__ = ["SceneContacts", "ShotResult", "check", "frames", "scene", "shots", "write_report"]

_SECONDS_PER_TASK = 3.0
"""Long beside the milliseconds that a scheduler needs for a task, short beside what is lost with a worker."""

_BYTES_PER_TASK = 8 << 20
"""The result of a task waits in memory, its own and the client's, until those before it have been written."""

_TASKS_PER_THREAD = 4
"""Tasks that are under way for each thread of the cluster: enough that none is idle while the next results are collected."""

_PROBED = 4
"""Frames of the first task, from which the size of the others is measured."""

_SHOTS_AT_ONCE = 8
"""Shots that are under way at a time: short ones would leave workers idle, and each takes memory for its tasks."""

_RETRIES = 2
"""How often a task is repeated whose worker reports an error that is not one of the input, such as of a file system."""


def check(
    source: Any,
    *,
    client: Any,
    frames_per_task: int | None = None,
    progress: bool = False,
    **options: Any,
) -> Report:
    """As `crumple.check`, with the frames shared among the workers of `client`, a `dask.distributed.Client`.

    `source` is a path or a list of paths, which the workers must be able to read, or a function without arguments that returns what
    `crumple.check` takes and is called once on each worker: this is how memory-mapped arrays get there. Each task reads its frames
    alone. `frames_per_task` is measured if omitted, so that a task takes some seconds. Frames of a worker that is lost are done
    again. `options` are those of `crumple.check`; `threads` is 1 if omitted, since a worker runs a task per thread.

    The report is the one that `crumple.check` returns; only its times are those of the workers.
    """
    run = _Run.begin(source, client, frames_per_task, options)
    return Report(run.bodies, run.options, run.replay(progress, keep=True))


def frames(source: Any, *, client: Any, frames_per_task: int | None = None, **options: Any) -> Iterator[FrameRecord]:
    """The frames of `check` one after another, in order, as they arrive. Memory does not grow with their number."""
    for lines in _Run.begin(source, client, frames_per_task, options).parts():
        for line in lines.splitlines():
            data = loads(line)
            pairs = [np.array(contact.pop("pairs", []), np.uint32).reshape(-1, 2) for contact in data["contacts"]]
            yield record_of(data, pairs)


def write_report(
    source: Any,
    *,
    client: Any,
    json: str | os.PathLike[str] | None = None,
    html: str | os.PathLike[str] | None = None,
    frames_per_task: int | None = None,
    progress: bool = False,
    **options: Any,
) -> dict[str, Any]:
    """Writes the report and the page of `check` while frames arrive, and returns the summary. Memory does not grow with the frames.

    The files are those that `Report.save_json` and `Report.save_html` write on one machine with `times=False`, byte by byte. The
    page holds the positions of all frames, which this process reads.
    """
    run = _Run.begin(source, client, frames_per_task, options)
    files = {name: os.fspath(file) for name, file in (("json", json), ("html", html)) if file is not None}
    found = run.replay(progress, times=False, **files)
    summary: dict[str, Any] = loads(found.summary)
    return summary


@dataclass(frozen=True)
class ShotResult:
    """What became of a shot: its summary, or why it could not be checked."""

    name: str
    summary: dict[str, Any] | None
    error: str | None


def shots(
    shots: Mapping[str, Any],
    folder: str | os.PathLike[str],
    *,
    client: Any,
    pages: bool = True,
    **options: Any,
) -> Iterator[ShotResult]:
    """Checks many shots: for each, a report `NAME.jsonl` in `folder` and, with `pages`, a page `NAME.html`.

    `shots` are names and what `check` takes as `source`. Some are under way at a time; results come in the order of `shots`. A shot
    that cannot be checked fails alone: its result has an error, and the others go on.
    """
    target = Path(folder)
    for name in shots:
        if not name or Path(name).name != name:
            raise OptionError(f"the name of a shot becomes that of a file, but {name!r} cannot")
    target.mkdir(parents=True, exist_ok=True)

    def result(name: str) -> ShotResult:
        html = target / f"{name}.html" if pages else None
        try:
            summary = write_report(shots[name], client=client, json=target / f"{name}.jsonl", html=html, **options)
        # Whatever a reader or a function of the caller raises belongs to this shot.
        except Exception as error:
            return ShotResult(name, None, str(error))
        return ShotResult(name, summary, None)

    at_once = min(_SHOTS_AT_ONCE, max(1, sum(client.nthreads().values())))
    executor = ThreadPoolExecutor(at_once)
    waiting: deque[Future[ShotResult]] = deque()
    try:
        for name in shots:
            waiting.append(executor.submit(result, name))
            if len(waiting) == 2 * at_once:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        executor.shutdown(cancel_futures=True)


@dataclass
class _Run:
    """A check that is under way."""

    client: Any
    job: _tasks.Job
    bodies: Bodies
    options: str
    """What the report is of; the options of tasks are those of the job."""
    chosen: range
    frames_per_task: int | None

    @classmethod
    def begin(cls, source: Any, client: Any, frames_per_task: int | None, options: Mapping[str, Any]) -> _Run:
        if isinstance(source, Mapping):
            raise OptionError(
                "arrays are in the memory of this process: give paths, or a function that returns the bodies on a worker"
            )
        if frames_per_task is not None and frames_per_task < 1:
            raise OptionError(f"frames_per_task is {frames_per_task}, but a task has one frame or more")
        refused = sorted(set(options) & {"html", "csv", "export", "write_baseline"})
        if refused:
            raise OptionError(f"{refused[0]} cannot be written by workers: write_report writes the report and the page")
        given = {"threads": 1, **options}
        is_list = isinstance(source, Iterable) and not isinstance(source, str)
        source = list(source) if is_list else source
        bodies, asked = prepared(source() if callable(source) else source, given)
        chosen = _range(plan_of_bodies(bodies, asked)[1])
        # What is known is judged by this process, which has all findings, and frames are said to each task.
        judged = ("frames", "slice", "every", "baseline")
        sent = dumps({name: value for name, value in loads(asked).items() if name not in judged})
        return cls(client, _tasks.Job(uuid4().hex, source, given, sent), bodies, asked, chosen, frames_per_task)

    def replay(self, progress: bool, **keywords: Any) -> Checked:
        """The records as they arrive, in order, into the report and the page. A few tasks for each thread are under way."""
        with Progress(len(self.chosen), progress) as bar:
            return replay_bodies(self.bodies, self.options, self.parts(), progress=bar.step, **keywords)

    def parts(self) -> Iterator[bytes]:
        """What tasks have found, as lines of JSON, in order."""
        threads = max(1, sum(self.client.nthreads().values()))
        waiting: deque[tuple[range, Any]] = deque()
        done, size = 0, self.frames_per_task
        try:
            if size is None:
                probed = self.chosen[:_PROBED]
                part = self._result(probed, self._submit(0, len(probed)))
                size = self._size(part, threads)
                done = len(probed)
                yield part.lines
            while done < len(self.chosen) or waiting:
                while done < len(self.chosen) and len(waiting) < _TASKS_PER_THREAD * threads:
                    end = min(done + size, len(self.chosen))
                    waiting.append((self.chosen[done:end], self._submit(done, end)))
                    done = end
                yield self._result(*waiting.popleft()).lines
        finally:
            # Of a caller who stops early, or after an error.
            self.client.cancel([future for _, future in waiting])

    def _submit(self, start: int, end: int) -> Any:
        overlap = bool(self.job.given.get("continuous") or self.job.given.get("first_contact")) and start > 0
        frames = self.chosen[start - 1 if overlap else start : end]
        return self.client.submit(_tasks.run, self.job, frames, overlap, pure=False, retries=_RETRIES)

    def _result(self, frames: range, future: Any) -> _tasks.Part:
        which = f"frames {frames[0]} to {frames[-1]}" if len(frames) > 1 else f"frame {frames[0]}"
        try:
            found: _tasks.Part | _tasks.Refused = future.result()
        except Exception as error:
            raise TaskError(f"{which} could not be checked: {type(error).__name__}: {error}") from error
        finally:
            future.release()
        if isinstance(found, _tasks.Refused):
            raise TaskError(f"{which} could not be checked: {found.error}") from found.error
        return found

    def _size(self, part: _tasks.Part, threads: int) -> int:
        """Frames per task, such that a task takes some seconds, its result fits into memory, and every thread gets some tasks."""
        by_time = _SECONDS_PER_TASK / max(part.seconds_per_frame, 1e-9)
        by_bytes = _BYTES_PER_TASK / max(part.bytes_per_frame, 1.0)
        by_share = len(self.chosen) / (_TASKS_PER_THREAD * threads)
        return max(1, int(min(by_time, by_bytes, by_share)))


def _range(frames: list[int]) -> range:
    """Positions with one distance as a range."""
    step = frames[1] - frames[0] if len(frames) > 1 else 1
    return range(frames[0], frames[-1] + 1, step)
