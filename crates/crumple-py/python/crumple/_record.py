"""What was found in one frame, and what all frames come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._crumple import Impact


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


class Summary:
    """What the frames come to that were added so far; frames must come in order. Needs no memory for them."""

    def __init__(self, continuous: bool) -> None:
        self._continuous = continuous
        self._frames = self._meeting = self._pairs = self._impacts = 0
        self._first: int | None = None
        self._last: int | None = None
        self._worst: dict[str, int] | None = None

    def add(self, record: FrameRecord) -> None:
        """Takes one more frame in. Of equally bad frames the first counts as the worst."""
        count = sum(len(pairs) for _, _, pairs in record.contacts)
        self._frames += 1
        self._pairs += count
        self._impacts += len(record.impacts or ())
        if count:
            self._meeting += 1
            self._first = record.frame if self._first is None else self._first
            self._last = record.frame
            if self._worst is None or count > self._worst["count"]:
                self._worst = {"frame": record.frame, "count": count}

    def as_dict(self) -> dict[str, Any]:
        """Frames, frames in contact, the first, last and worst of them, pairs; impacts where they were looked for."""
        summary = {
            "frames": self._frames,
            "frames_in_contact": self._meeting,
            "first": self._first,
            "last": self._last,
            "worst": self._worst,
            "pairs": self._pairs,
        }
        return summary | ({"impacts": self._impacts} if self._continuous else {})
