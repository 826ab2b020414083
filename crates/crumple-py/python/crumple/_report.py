"""What `check` found: arrays, tables, and a page to look at."""

from __future__ import annotations

import html
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._crumple import ArrowTable, Impact, PageFile
from .errors import NoSuchFrameError, ReportError

if TYPE_CHECKING:
    import pandas as _pandas

    from ._check import Source

_PAIRS = np.dtype([(name, np.uint32) for name in ("frame", "a", "b", "triangle_a", "triangle_b")])
_CONTACTS = np.dtype([(name, np.uint32) for name in ("frame", "a", "b", "count")])

_MOST_INLINE = 64 << 20
"""A notebook keeps what it shows: a page larger than this, in bytes, is not put into it."""


@dataclass
class FrameRecord:
    """What was found in a frame. Bodies are numbers, in the order of `Report.bodies`."""

    frame: int
    """Its number, counted from 0."""
    contacts: list[tuple[int, int, NDArray[np.uint32]]]
    """Two bodies that meet, and the triangles at which they do: (k, 2)."""
    impacts: list[Impact] | None
    """What meets in the step from the frame before; None where that was not asked."""
    update_us: float
    """Microseconds from the new vertices to a scene that can be asked."""
    query_us: float
    """Microseconds from the question to the sorted list of pairs."""


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
        method: str,
        fps: float,
        continuous: bool,
        first: bool,
    ) -> None:
        self._sources, self._records = list(sources), records
        self._fps, self._continuous, self._first = fps, continuous, first
        self.method = method
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
        counts = {record.frame: sum(len(pairs) for _, _, pairs in record.contacts) for record in self._records}
        meeting = [frame for frame, count in counts.items() if count]
        worst = max(meeting, key=lambda frame: counts[frame], default=None)
        summary = {
            "frames": len(self._records),
            "frames_in_contact": len(meeting),
            "first": meeting[0] if meeting else None,
            "last": meeting[-1] if meeting else None,
            "worst": None if worst is None else {"frame": worst, "count": counts[worst]},
            "pairs": sum(counts.values()),
        }
        return summary | ({"impacts": len(self.impacts)} if self._continuous else {})

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

    def save_html(self, path: str | os.PathLike[str], *, title: str | None = None) -> None:
        """Writes a page that plays the bodies in motion, with what collides in red. It is one file and opens from disk.

        Reads the frames again, one at a time. The file appears whole or not at all.
        """
        target = Path(path)
        part = target.with_name(f"{target.name}.part")
        try:
            self._write_page(str(part), title or _title(self.bodies))
            os.replace(part, target)
        finally:
            part.unlink(missing_ok=True)

    def _write_page(self, path: str, title: str) -> None:
        numbers = {name: number for number, name in enumerate(self.bodies)}
        first = self._records[0].frame
        bodies = [
            (source.name, source.mesh, len(source.frame(first)), source.face_of_triangle) for source in self._sources
        ]
        page = PageFile(path, title, self.method, bodies, len(self._records), self._fps)
        for record in self._records:
            positions = [source.frame(record.frame) for source in self._sources]
            impacts = None if record.impacts is None else [_row(impact, numbers) for impact in record.impacts]
            page.frame(record.frame, positions, record.contacts, impacts, (record.update_us, record.query_us))
        page.finish()

    def __len__(self) -> int:
        return len(self._records)

    def __getitem__(self, frame: int) -> FrameRecord:
        for record in self._records:
            if record.frame == frame:
                return record
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


def _title(names: Sequence[str]) -> str:
    if len(names) > 3:
        return f"{names[0]}, {names[1]} and {len(names) - 2} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names) or "nothing"


def _row(impact: Impact, numbers: dict[str, int]) -> tuple[float, float, int, int, str, list[int]]:
    """An impact as the page takes it: four numbers say which features, the rest are 0."""
    features: tuple[int, ...]
    if impact.kind == "vertex-face":
        features = (impact.vertex or 0, impact.triangle or 0, 0, 0)
    elif impact.kind == "edge-edge":
        features = (*(impact.edge_a or (0, 0)), *(impact.edge_b or (0, 0)))
    else:
        features = (*(impact.triangles or (0, 0)), 0, 0)
    return *impact.time, numbers[str(impact.a)], numbers[str(impact.b)], impact.kind, list(features)
