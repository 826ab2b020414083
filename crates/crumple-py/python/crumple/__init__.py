"""Collision detection for bodies that deform: every pair of triangles that meet, exactly, frame after frame.

>>> import numpy as np, crumple as cr
>>> scene = cr.Scene()
>>> floor = scene.add([[0, 1, 2]], np.float32([[-9, 0, -9], [9, 0, -9], [0, 0, 9]]), name="floor")
>>> leaf = scene.add([[0, 1, 2]], np.float32([[0, -1, 0], [1, 1, 0], [0, 1, 1]]), name="leaf")
>>> frame = scene.update()
>>> frame["floor", "leaf"].pairs.tolist()
[[0, 0]]
"""

from ._arguments import check_options
from ._check import check
from ._crumple import (
    ArrowTable,
    Contact,
    ContactPotential,
    Distance,
    Frame,
    Friction,
    Impact,
    LoadedBody,
    Mesh,
    PositionsWriter,
    Scene,
    __version__,
    methods,
)
from ._files import load
from ._near import Near
from ._overlap import Overlap, SelfOverlap, SelfRegion
from ._questions import distance, inside, near, overlap, pairs, self_overlap, self_pairs
from ._record import ContactRecord, ContactRegionRecord, ContainedRecord, Finding, FrameRecord, ImpactRecord, NearRecord, OnsetRecord
from ._report import Report
from ._resolve import Resolved, resolve
from ._response import Curve, Region, Separation
from .errors import (
    CrumpleError,
    DtypeError,
    MeshError,
    MissingFileError,
    NameTakenError,
    NoSuchFrameError,
    OptionError,
    PositionsError,
    ReadError,
    ReportError,
    SceneBusyError,
    SceneError,
    StaleFrameError,
    TaskError,
    ThicknessError,
    UnknownBodyError,
    UnknownMethodError,
    VolumeError,
    WorkLimitError,
)

__all__ = [
    "ArrowTable",
    "Contact",
    "ContactPotential",
    "ContactRecord",
    "ContactRegionRecord",
    "ContainedRecord",
    "CrumpleError",
    "Curve",
    "Distance",
    "DtypeError",
    "Finding",
    "Frame",
    "FrameRecord",
    "Friction",
    "Impact",
    "ImpactRecord",
    "LoadedBody",
    "Mesh",
    "MeshError",
    "MissingFileError",
    "NameTakenError",
    "Near",
    "NearRecord",
    "NoSuchFrameError",
    "OnsetRecord",
    "OptionError",
    "Overlap",
    "PositionsError",
    "PositionsWriter",
    "ReadError",
    "Region",
    "Report",
    "ReportError",
    "Resolved",
    "Scene",
    "SceneBusyError",
    "SceneError",
    "SelfOverlap",
    "SelfRegion",
    "Separation",
    "StaleFrameError",
    "TaskError",
    "ThicknessError",
    "UnknownBodyError",
    "UnknownMethodError",
    "VolumeError",
    "WorkLimitError",
    "__version__",
    "check",
    "check_options",
    "distance",
    "inside",
    "load",
    "methods",
    "near",
    "overlap",
    "pairs",
    "resolve",
    "self_overlap",
    "self_pairs",
]
