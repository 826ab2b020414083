"""Conversion of arrays and mesh objects to what the library reads: float32 or float64 (n, 3) and uint32 (m, 3), in C order.

What can be converted without loss is converted, once per call: other memory layouts and byte orders, float16, lists. Integers
and longer floats are refused unless `cast=True`, which rounds everything to float32. Rays are float32: float64
ones are taken if they are such numbers. Arrays of other libraries are taken by DLPack, without a copy where they allow it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._crumple import Mesh
from .errors import DtypeError, MeshError, PositionsError


def _as_array(given: Any) -> NDArray[Any]:
    if isinstance(given, np.ndarray):
        return given
    if hasattr(given, "__dlpack__"):
        try:
            return np.from_dlpack(given)
        except (BufferError, RuntimeError) as error:
            raise DtypeError(f"the array cannot be read without a copy: {error}; {_how_to_pass(given)}") from error
    try:
        return np.asarray(given)
    except ValueError as error:
        raise PositionsError(f"this is no array of numbers: {error}") from error


def _how_to_pass(given: Any) -> str:
    """What to do with an array that DLPack refuses: the two reasons may hold at once."""
    has_gradient = bool(getattr(given, "requires_grad", False))
    try:
        # 1 is the memory of the CPU, 3 memory of the CPU that a GPU can read.
        is_on_cpu = int(given.__dlpack_device__()[0]) in (1, 3)
    except Exception:
        is_on_cpu = False
    if has_gradient:
        return "pass its .detach()" if is_on_cpu else "pass its .detach(), copied to the CPU"
    return "pass it as a NumPy array" if is_on_cpu else "copy it to the CPU first"


def _is_plain(given: Any) -> bool:
    """Whether numbers are Python's own, which have no precision that anybody chose."""
    return isinstance(given, (list, tuple))


def positions(given: Any, cast: bool = False, what: str = "positions") -> NDArray[Any]:
    """Positions as the library reads them; `what` names them in errors."""
    array = _numbers(given, what)
    if array.dtype.kind == "f" and array.dtype.itemsize == 8 and not (cast or _is_plain(given)):
        return np.require(array, np.float64, ["C", "A"]).view(np.ndarray)
    is_exact = array.dtype.kind == "f" and array.dtype.itemsize <= 4
    if not (is_exact or cast or _is_plain(given)):
        raise DtypeError(
            f"{what} are {array.dtype}, but crumple is exact for float32 and float64: convert them with astype(np.float64), "
            "or pass cast=True to have them rounded to float32"
        )
    return _single(array)


def points(given: Any, cast: bool = False, what: str = "points") -> NDArray[np.float32]:
    """Origins and directions of rays, and what a page draws: these are float32."""
    array = _numbers(given, what)
    is_exact = array.dtype.kind == "f" and array.dtype.itemsize <= 4
    single = _single(array)
    if is_exact or cast or _is_plain(given):
        return single
    if array.dtype.kind != "f" or array.dtype.itemsize > 8 or not np.array_equal(single, array, equal_nan=True):
        raise DtypeError(
            f"{what} are {array.dtype} and not all of them float32 numbers, but {what} are tested in float32: convert them with "
            "astype(np.float32), or pass cast=True to have them rounded"
        )
    return single


def _single(array: NDArray[Any]) -> NDArray[np.float32]:
    """The nearest float32 numbers; no copy of what is float32."""
    with np.errstate(over="ignore"):
        return np.require(array, np.float32, ["C", "A"]).view(np.ndarray)


def _numbers(given: Any, what: str) -> NDArray[Any]:
    """An array of real numbers with the right shape."""
    array = _as_array(given)
    if array.size == 0 and array.ndim == 1:
        array = array.reshape(0, 3)
    if array.ndim != 2 or array.shape[1] != 3:
        raise PositionsError(f"{what} have shape {array.shape}, but (n, 3) is needed: one row of x, y, z per vertex")
    if array.dtype.kind not in "fiu":
        raise DtypeError(f"{what} are {array.dtype}, but real numbers are needed: float32 or float64")
    return array


def faces(given: Any) -> NDArray[np.uint32]:
    """Faces as the library reads them, from an array or an object with faces."""
    if not isinstance(given, (np.ndarray, list, tuple)) and not hasattr(given, "__dlpack__"):
        given = _faces_of_object(given)
    array = _as_array(given)
    if array.size == 0 and array.ndim == 1:
        array = array.reshape(0, 3)
    if array.ndim != 2 or array.shape[1] != 3:
        raise MeshError(f"faces have shape {array.shape}, but (m, 3) is needed: split polygons into triangles first")
    if array.size == 0:
        return np.zeros((0, 3), np.uint32)
    if array.dtype.kind not in "iu":
        raise MeshError(f"faces are {array.dtype}, but integers are needed: numbers of vertices, counted from 0")
    least, most = int(array.min()), int(array.max())
    if least < 0 or most >= 2**32 - 1:
        bad = least if least < 0 else most
        triangle = int(np.argwhere((array < 0) | (array >= 2**32 - 1))[0][0])
        raise MeshError(f"triangle {triangle} uses vertex {bad}, but vertices are numbered from 0 and fewer than 2**32 - 1")
    return np.require(array, np.uint32, ["C", "A"]).view(np.ndarray)


def body(mesh: Any, given: Any, cast: bool = False) -> tuple[Mesh, NDArray[Any]]:
    """A mesh and its positions, from `(mesh, positions)`, `mesh` and `positions`, or an object that has both."""
    if given is None and isinstance(mesh, tuple) and len(mesh) == 2:
        mesh, given = mesh
    if given is not None:
        return mesh if isinstance(mesh, Mesh) else Mesh(mesh), positions(given, cast)
    if isinstance(mesh, (Mesh, np.ndarray, list, tuple)):
        raise PositionsError("positions are missing: give (n, 3) float32 or float64 beside the faces")
    return Mesh(_faces_of_object(mesh)), positions(_vertices_of_object(mesh), cast)


def restored_mesh(given: NDArray[np.uint32], vertex_count: int | None) -> Mesh:
    """A mesh that was pickled."""
    return Mesh(given, vertex_count=vertex_count)


def _faces_of_object(mesh: Any) -> Any:
    """The triangles of an object of trimesh (`faces`), meshio (`cells`) or PyVista (`faces` with counts)."""
    if hasattr(mesh, "cells") and hasattr(mesh, "cells_dict"):
        others = sorted({str(block.type) for block in mesh.cells} - {"triangle", "vertex", "line"})
        if others:
            raise MeshError(f"the mesh has cells of type {', '.join(others)}, but only triangles are taken: triangulate it")
        return np.asarray(mesh.cells_dict.get("triangle", np.zeros((0, 3), np.uint32)))
    if hasattr(mesh, "regular_faces") and hasattr(mesh, "is_all_triangles"):
        if not mesh.is_all_triangles:
            raise MeshError("the mesh has faces that are not triangles: call triangulate() on it")
        return np.asarray(mesh.regular_faces)
    if hasattr(mesh, "faces"):
        return np.asarray(mesh.faces)
    raise MeshError(
        f"{type(mesh).__name__} is no mesh: give faces as an integer array of shape (m, 3), or an object of trimesh, "
        "meshio or PyVista"
    )


def _vertices_of_object(mesh: Any) -> NDArray[Any]:
    for name in ("vertices", "points"):
        if hasattr(mesh, name):
            return np.asarray(getattr(mesh, name))
    raise PositionsError(f"{type(mesh).__name__} has no vertices: give positions as (n, 3) float32 or float64")
