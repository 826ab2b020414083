"""The records of a report: the fields are those of the schema crumple.report/1."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

_Some = TypeVar("_Some")


@dataclass
class ContactRecord:
    """Two bodies that meet, or one that meets itself (`a == b`). Bodies are numbers, in the order of `Report.bodies`."""

    a: int
    b: int
    count: int
    """How many pairs of triangles meet."""
    pairs: NDArray[np.uint32] = field(repr=False)
    """The pairs, as far as they were kept: (k, 2)."""
    depth: float | None = None
    """How deep the deepest vertex of one body is inside the other, or its deepest region; None where that was not asked or is not known."""
    area: float | None = None
    """The area of the surface of each body inside the other."""
    volume: float | None = None
    """The volume that both share, exactly; None where that was not asked or a body is open."""


@dataclass
class ContainedRecord:
    """A body that lies inside a closed one without meeting it."""

    inner: int
    outer: int
    volume: float | None = None


@dataclass
class ImpactRecord:
    """Two features that meet in the step to a frame, at a time between 0 and 1."""

    t: tuple[float, float]
    """The time lies between these two."""
    a: int
    b: int
    kind: str
    """"vertex-face", "edge-edge" or "already"."""
    vertex: int | None = None
    """Of "vertex-face", the vertex, of body `a`."""
    triangle: int | None = None
    """Of "vertex-face", the triangle, of body `b`."""
    edge_a: tuple[int, int] | None = None
    """Of "edge-edge", the ends of the edge of body `a`."""
    edge_b: tuple[int, int] | None = None
    """The same of body `b`."""
    triangles: tuple[int, int] | None = None
    """Of "already", two triangles that meet when the step starts."""


@dataclass
class OnsetRecord:
    """Two bodies that came into contact in the step to a frame."""

    a: int
    b: int
    t: tuple[float, float]
    """The time lies between these two, in steps."""
    triangles: tuple[int, int]


@dataclass
class NearRecord:
    """Two bodies, or parts of one, that are closer than the clearance."""

    a: int
    b: int
    distance: float


@dataclass
class ContactRegionRecord:
    """A place in which two bodies meet, or one meets itself: pairs of triangles that are neighbours on both sides."""

    a: int
    b: int
    count: int
    """How many pairs meet here."""
    centroid: tuple[float, float, float]
    """Where it is in this frame."""
    rest: list[list[float]]
    """Where each side is in the rest pose."""
    reach: tuple[float, float]
    """How far the triangles of each side reach from there."""
    area: float
    """The area of the triangles."""
    triangles: list[list[int]]
    """Triangles of each side: all, or of many a sample that is chosen alike in every frame."""
    carriers: list[str] | None = None
    """What carries the triangles of each side, bones or materials."""
    apart: int | None = None
    """How many bones these are apart in the skeleton."""
    depth: float | None = None
    """How far the deepest vertex of what is cut off is from the other surface; None where that was not asked or nothing is cut off."""
    area_inside: float | None = None
    """The area of what is cut off."""


@dataclass
class FrameRecord:
    """What was found in a frame."""

    frame: int
    """Its position, counted from 0."""
    contacts: list[ContactRecord]
    update_us: float
    """Microseconds from the new vertices to a scene that can be asked."""
    query_us: float
    """Microseconds from the question to the sorted list of pairs."""
    number: int | None = None
    """The number that the files give it, where they give one."""
    animation: str | None = None
    """The animation that it belongs to, where several are played."""
    regions: list[ContactRegionRecord] = field(default_factory=list)
    """The places in which bodies meet; none of contacts of which pairs were left out."""
    joined_regions: int = 0
    """How many regions `joint_distance` left out."""
    contained: list[ContainedRecord] = field(default_factory=list)
    impacts: list[ImpactRecord] | None = None
    """What meets in the step from the frame before; None where that was not asked."""
    onsets: list[OnsetRecord] | None = None
    near: list[NearRecord] | None = None
    regions_us: float | None = None
    impacts_us: float | None = None
    onsets_us: float | None = None
    near_us: float | None = None
    depth_us: float | None = None
    volume_us: float | None = None


@dataclass
class Finding:
    """An episode of a region: something found in consecutive frames. Most severe first in `Report.findings`."""

    kind: str
    """"contact", "inside", "impact" or "near"."""
    a: int
    b: int
    first: int
    last: int
    frames: int
    worst: dict[str, int]
    pairs: int
    most_pairs: int
    sentence: str
    """The finding as the command's formats say it."""
    animation: str | None = None
    numbers: dict[str, int] | None = None
    """What the files call the first, the last and the worst frame, where that is not how they are counted."""
    region: dict[str, Any] | None = None
    """Of a contact, its region in the worst frame: number, carriers, apart, centroid, rest, reach, area, split_from, merged_into."""
    depth: float | None = None
    area: float | None = None
    volume: float | None = None
    distance: float | None = None
    status: str | None = None
    """"new" or "worse" than the baseline, where there is one."""


def read(kind: type[_Some], data: dict[str, Any]) -> _Some:
    """A record from JSON; fields that are new in the schema are stepped over."""
    known = {part.name for part in fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: tuple(value) if _is_row(value) else value for name, value in data.items() if name in known})


def _is_row(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(part, (int, float)) for part in value)


def frame(data: dict[str, Any], pairs: list[NDArray[np.uint32]]) -> FrameRecord:
    """The record of a frame from its JSON and the pairs of its contacts."""
    contacts = [read(ContactRecord, {**contact, "pairs": rows}) for contact, rows in zip(data.pop("contacts"), pairs)]
    kinds: dict[str, Any] = {
        "regions": ContactRegionRecord,
        "contained": ContainedRecord,
        "impacts": ImpactRecord,
        "onsets": OnsetRecord,
        "near": NearRecord,
    }
    lists = {name: [read(kind, row) for row in data.pop(name)] for name, kind in kinds.items() if name in data}
    return read(FrameRecord, {**data, "contacts": contacts, **lists})
