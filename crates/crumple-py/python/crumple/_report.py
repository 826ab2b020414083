"""What `check` found: arrays, tables, and a page to look at."""

from __future__ import annotations

import html
import json
import os
import tempfile
from bisect import bisect_left
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._crumple import ArrowTable, Checked, replay_bodies
from ._record import Finding, FrameRecord, ImpactRecord, read
from ._record import frame as record_of
from .errors import NoSuchFrameError, ReportError

if TYPE_CHECKING:
    import pandas as _pandas

    from ._check import Bodies

_PAIRS = np.dtype([(name, np.uint32) for name in ("frame", "a", "b", "triangle_a", "triangle_b")])
_CONTACTS = np.dtype([(name, np.uint32) for name in ("frame", "a", "b", "count")])

_MOST_INLINE = 64 << 20
"""A notebook keeps what it shows: a page larger than this, in bytes, is not put into it."""


class Report:
    """What `check` found, frame by frame. `report[t]` is the record of a frame, `len(report)` the number of frames.

    >>> import numpy as np, crumple as cr
    >>> tile = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    >>> report = cr.check({"floor": ([[0, 1, 2]], tile), "card": ([[0, 1, 2]], np.stack([tile + 2, tile]))})
    >>> report
    Report(2 frames of floor, card: 1 in contact, 1 pair)
    >>> report.summary["first"], report.contacts.tolist()
    (1, [(1, 0, 1, 1)])
    """

    def __init__(self, bodies: Bodies, options: str, found: Checked) -> None:
        self._bodies, self._options, self._found = bodies, options, found
        header = json.loads(found.header)
        self.method: str = header["method"]
        """The method by which pairs were found."""
        self.bodies: list[str] = [body["name"] for body in header["bodies"]]
        """The names of the bodies."""
        self.summary: dict[str, Any] = json.loads(found.summary)
        """What the command's summary record has: frames, frames in contact, the first, last and worst of them, pairs, findings."""
        self.notes: list[str] = found.notes
        """What there is to say about what was checked, in sentences."""

    @property
    def frames(self) -> list[int]:
        """The positions of the frames that were checked."""
        return self._found.frames

    @property
    def findings(self) -> list[Finding]:
        """What counts, the most severe first: without what is intended or known to the baseline."""
        found = zip(self.summary.get("findings", []), self._found.sentences)
        return [read(Finding, {**finding, "sentence": sentence}) for finding, sentence in found]

    @property
    def table(self) -> str:
        """What was found as the table that the command prints."""
        return self._found.table

    @property
    def collides(self) -> bool:
        """Whether there is a finding."""
        return bool(self.summary.get("findings"))

    @property
    def contacts(self) -> NDArray[np.void]:
        """Two bodies that meet and how many pairs of triangles: a structured array of frame, a, b, count."""
        return self._found.contacts().view(_CONTACTS).reshape(-1)

    @property
    def pairs(self) -> NDArray[np.void]:
        """Every pair of triangles: a structured array of frame, a, b, triangle_a, triangle_b; bodies by number."""
        return self._found.pairs().view(_PAIRS).reshape(-1)

    @property
    def impacts(self) -> list[tuple[int, ImpactRecord]]:
        """What meets between frames, with the frame that ends the step; empty unless `continuous` was asked."""
        return [(record.frame, impact) for record in self for impact in record.impacts or ()]

    def to_pandas(self) -> _pandas.DataFrame:
        """Every pair of triangles as a data frame, with the names of the bodies as categories. Needs pandas."""
        try:
            import pandas
        except ImportError as error:
            raise ReportError("a data frame needs pandas: pip install crumple[pandas]") from error
        pairs = self.pairs
        columns = {name: pairs[name] for name in _PAIRS.names or ()}
        for side in ("a", "b"):
            columns[side] = pandas.Categorical.from_codes(pairs[side].astype(np.int64), self.bodies)
        return pandas.DataFrame(columns)

    def to_arrow(self) -> ArrowTable:
        """Every pair of triangles as a table for Arrow: `pyarrow.table(report.to_arrow())`, polars, DuckDB. Needs none of them."""
        pairs = self.pairs
        names = {"a": self.bodies, "b": self.bodies}
        columns = [(name, np.ascontiguousarray(pairs[name]), names.get(name)) for name in _PAIRS.names or ()]
        return ArrowTable(columns)

    def save_html(self, path: str | os.PathLike[str], *, title: str | None = None, times: bool = True) -> None:
        """Writes the page of `crumple check --html`: it plays the bodies in motion, with what collides in red, in one file.

        Reads the frames again, one at a time; `check(..., html=path)` writes it without that. The file appears whole or not at all.
        Without `times`, which differ from run to run, they are written as 0, and the same input makes the same bytes.
        """
        replay_bodies(self._bodies, self._options, self._found, html=os.fspath(path), title=title, times=times)

    def save_json(self, path: str | os.PathLike[str], *, times: bool = True) -> None:
        """Writes the report that `crumple check --json --pairs` prints: one record per line, schema crumple.report/1.

        `crumple diff` and `crumple merge` read it. The file appears whole or not at all. Without `times`, which differ from run to
        run, they are written as 0, and the same input makes the same bytes.
        """
        replay_bodies(self._bodies, self._options, self._found, json=os.fspath(path), times=times)

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[FrameRecord]:
        return (self._record(index) for index in range(len(self)))

    def __getitem__(self, frame: int) -> FrameRecord:
        at = bisect_left(self.frames, frame)
        if at < len(self) and self.frames[at] == frame:
            return self._record(at)
        raise NoSuchFrameError(f"frame {frame} was not checked")

    def _record(self, index: int) -> FrameRecord:
        text, pairs = self._found.record(index)
        return record_of(json.loads(text), pairs)

    def __repr__(self) -> str:
        summary = self.summary
        frames, pairs = summary["frames"], summary["pairs"]
        bodies = ", ".join(self.bodies[:3]) + (f" and {len(self.bodies) - 3} more" if len(self.bodies) > 3 else "")
        return (
            f"Report({frames} frame{'s' * (frames != 1)} of {bodies}: {summary['frames_in_contact']} in contact, "
            f"{pairs} pair{'s' * (pairs != 1)})"
        )

    def _repr_html_(self) -> str:
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "page.html"
            self.save_html(page)
            if page.stat().st_size > _MOST_INLINE:
                return f"<p>{html.escape(repr(self))}: its page is too large for a notebook; use save_html</p>"
            text = html.escape(page.read_text(encoding="utf-8"), quote=True)
        return f'<iframe srcdoc="{text}" style="width: 100%; height: 600px; border: 0" sandbox="allow-scripts"></iframe>'
