"""USD files, read by Pixar's own library: every mesh of the stage is a body, in world coordinates.

Frames are the whole time codes from the start to the end of the stage. Polygons are split into fans; the faces of a mesh must not
change over time. Points are rounded to float32 after they are moved into the world, which is as exact as they are stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._crumple import Mesh
from .errors import MissingFileError, NoSuchFrameError, ReadError


class UsdBody:
    """A mesh of a USD stage and a sequence of frames, each evaluated when it is asked for."""

    def __init__(self, name: str, mesh: Mesh, prim: Any, times: list[float], cache: Any, stage: Any) -> None:
        self.name = name
        """The path of its prim."""
        self.mesh = mesh
        """Its triangles."""
        self._prim, self._times, self._cache = prim, times, cache
        # A prim does not keep its stage alive.
        self._stage = stage

    @property
    def shape(self) -> tuple[int, int, int]:
        """The shape of all frames together: (frames, vertices, 3)."""
        return len(self._times), self.mesh.vertex_count, 3

    def __len__(self) -> int:
        return len(self._times)

    def __getitem__(self, frame: int) -> NDArray[np.float32]:
        if not -len(self) <= frame < len(self):
            raise NoSuchFrameError(f"there is no frame {frame}: {self.name} has {len(self)}, counted from 0")
        time = self._times[frame]
        points = np.asarray(self._prim.GetPointsAttr().Get(time), np.float64).reshape(-1, 3)
        if len(points) != self.mesh.vertex_count:
            message = f"{self.name}: frame {frame} has {len(points)} points, but its faces were made for {self.mesh.vertex_count}"
            raise ReadError(message)
        self._cache.SetTime(time)
        world = np.asarray(self._cache.GetLocalToWorldTransform(self._prim.GetPrim()))
        moved: NDArray[np.float32] = (points @ world[:3, :3] + world[3, :3]).astype(np.float32)
        return moved

    def __iter__(self) -> Iterator[NDArray[np.float32]]:
        return (self[frame] for frame in range(len(self)))

    def __repr__(self) -> str:
        return f"UsdBody({self.name!r}, {len(self)} frames, {self.mesh.vertex_count} vertices)"


def load_usd(path: str) -> list[UsdBody]:
    """Every mesh of a stage."""
    try:
        from pxr import Tf, Usd, UsdGeom
    except ImportError as error:
        raise ReadError(f"{path}: USD is read by usd-core, which is not installed: pip install crumple[usd]") from error
    try:
        stage = Usd.Stage.Open(path)
    except Tf.ErrorException as error:
        kind = ReadError if Path(path).exists() else MissingFileError
        raise kind(f"{path}: cannot be read as USD") from error
    first, last = stage.GetStartTimeCode(), stage.GetEndTimeCode()
    times = [first + step for step in range(int(last - first) + 1)] if stage.HasAuthoredTimeCodeRange() else [first]
    cache = UsdGeom.XformCache()
    bodies = []
    for prim in stage.Traverse(Usd.TraverseInstanceProxies()):
        if not prim.IsA(UsdGeom.Mesh):
            continue
        mesh = UsdGeom.Mesh(prim)
        counts = np.asarray(mesh.GetFaceVertexCountsAttr().Get(first), np.int64)
        corners = np.asarray(mesh.GetFaceVertexIndicesAttr().Get(first), np.int64)
        moves = mesh.GetPointsAttr().ValueMightBeTimeVarying() or _is_moved(prim, UsdGeom)
        vertices = len(mesh.GetPointsAttr().Get(first) or ())
        taken = Mesh(_fans(counts, corners), vertex_count=vertices)
        bodies.append(UsdBody(str(prim.GetPath()), taken, mesh, times if moves else times[:1], cache, stage))
    return bodies


def _is_moved(prim: Any, usd_geom: Any) -> bool:
    """Whether a prim or one above it is placed differently over time."""
    while prim and not prim.IsPseudoRoot():
        if prim.IsA(usd_geom.Xformable) and usd_geom.Xformable(prim).TransformMightBeTimeVarying():
            return True
        prim = prim.GetParent()
    return False


def _fans(counts: NDArray[np.int64], corners: NDArray[np.int64]) -> NDArray[np.int64]:
    """Polygons as triangles around their first corner."""
    starts = np.cumsum(counts) - counts
    triangles = np.maximum(counts - 2, 0)
    of_polygon = np.repeat(np.arange(len(counts)), triangles)
    step = np.arange(int(triangles.sum())) - np.repeat(np.cumsum(triangles) - triangles, triangles)
    start = starts[of_polygon]
    return np.stack([corners[start], corners[start + step + 1], corners[start + step + 2]], axis=1)
