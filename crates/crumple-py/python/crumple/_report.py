"""What `check` found: arrays, tables, and a page to look at."""

from __future__ import annotations

import html
import os
import tempfile
from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._crumple import ArrowTable, Impact
from ._outputs import JsonOutput, PageOutput
from ._record import FrameRecord, Summary
from .errors import NoSuchFrameError, ReportError

if TYPE_CHECKING:
    import pandas as _pandas

    from ._check import Options, Source

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

    def __init__(
        self,
        sources: Sequence[Source],
        records: list[FrameRecord],
        *,
        options: Options,
    ) -> None:
        self._sources, self._records, self._options = list(sources), records, options
        self.method = options.method
        """The method by which pairs were found."""
        self.bodies: list[str] = [source.name for source in sources]
        """The names of the bodies."""

    @property
    def frames(self) -> list[int]:
        """The frames that were checked."""
        return [record.frame for record in self._records]

    @property
    def collides(self) -> bool:
        """Whether anything meets, in a frame or, where that was asked, between two."""
        return any(record.contacts or record.impacts for record in self._records)

    @property
    def contacts(self) -> NDArray[np.void]:
        """Two bodies that meet and how many pairs of triangles: a structured array of frame, a, b, count."""
        rows = [(record.frame, a, b, len(pairs)) for record in self._records for a, b, pairs in record.contacts]
        return np.array(rows, _CONTACTS)

    @property
    def pairs(self) -> NDArray[np.void]:
        """Every pair of triangles: a structured array of frame, a, b, triangle_a, triangle_b; bodies by number."""
        contacts = self.contacts
        all_pairs = np.zeros(int(contacts["count"].sum()), _PAIRS)
        for name in ("frame", "a", "b"):
            all_pairs[name] = np.repeat(contacts[name], contacts["count"])
        lists = [pairs for record in self._records for _, _, pairs in record.contacts]
        if lists:
            triangles = np.concatenate(lists)
            all_pairs["triangle_a"], all_pairs["triangle_b"] = triangles[:, 0], triangles[:, 1]
        return all_pairs

    @property
    def impacts(self) -> list[tuple[int, Impact]]:
        """What meets between frames, with the frame that ends the step; empty unless `continuous` was asked."""
        return [(record.frame, impact) for record in self._records for impact in record.impacts or ()]

    @property
    def summary(self) -> dict[str, Any]:
        """Frames, frames in contact, the first, last and worst of them, pairs; impacts where they were looked for."""
        summary = Summary(self._options.continuous)
        for record in self._records:
            summary.add(record)
        return summary.as_dict()

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
        """Writes a page that plays the bodies in motion, with what collides in red. It is one file and opens from disk.

        Reads the frames again, one at a time. The file appears whole or not at all. Without `times`, which differ from run to run,
        they are written as 0, and the same input makes the same bytes.
        """
        with PageOutput(path, self._sources, self._options, self.frames, title=title, times=times) as page:
            for record in self._records:
                page.add(record)

    def save_json(self, path: str | os.PathLike[str], *, times: bool = True) -> None:
        """Writes the report that `crumple check --json --pairs` prints: one record per line, schema crumple.report/1.

        `crumple diff` and `crumple merge` read it. The file appears whole or not at all. Without `times`, which differ from run to
        run, they are written as 0, and the same input makes the same bytes.
        """
        with JsonOutput(path, self._sources, self._options, self.frames, times=times) as output:
            for record in self._records:
                output.add(record)

    def __len__(self) -> int:
        return len(self._records)

    def __getitem__(self, frame: int) -> FrameRecord:
        at = bisect_left(self._records, frame, key=lambda record: record.frame)
        if at < len(self._records) and self._records[at].frame == frame:
            return self._records[at]
        raise NoSuchFrameError(f"frame {frame} was not checked")

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
