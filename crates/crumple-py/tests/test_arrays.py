"""Arrays in: what is read where it is, what is converted, what is refused and how."""

from __future__ import annotations

import pickle
from types import SimpleNamespace
from typing import Any

import hypothesis.extra.numpy as shapes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import crumple as cr
from crumple import _arrays

FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
CORNER = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])


def positions_taken(given: Any, **options: Any) -> np.ndarray:
    """The positions a scene has after it was given some."""
    scene = cr.Scene()
    scene.add(FACES, CORNER + np.float32(3), name="body")
    scene.set_positions("body", given, **options)
    return scene.update().positions("body")


@pytest.mark.parametrize(
    "given",
    [
        CORNER,
        np.asfortranarray(CORNER),
        np.repeat(CORNER, 2, axis=0)[::2],
        np.concatenate([CORNER, CORNER], axis=1)[:, :3],
        CORNER.astype(">f4"),
        CORNER.astype(np.float16),
        CORNER.tolist(),
        memoryview(CORNER),
        np.frombuffer(b"x" + CORNER.tobytes(), np.uint8)[1:].view(np.float32).reshape(-1, 3),
    ],
    ids=["plain", "fortran", "strided", "columns", "big-endian", "half", "list", "buffer", "misaligned"],
)
def test_positions_of_any_layout_are_taken_as_they_are(given: Any) -> None:
    assert np.array_equal(positions_taken(given), CORNER)


def test_a_read_only_array_is_read() -> None:
    given = CORNER.copy()
    given.flags.writeable = False
    assert np.array_equal(positions_taken(given), CORNER)


def test_arrays_of_other_libraries_are_taken_by_dlpack_without_a_copy() -> None:
    class Tensor:
        def __init__(self, array: np.ndarray) -> None:
            self.array, self.asked = array, 0

        def __dlpack__(self, **options: Any) -> Any:
            self.asked += 1
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self) -> Any:
            return self.array.__dlpack_device__()

    tensor = Tensor(CORNER)
    assert np.array_equal(positions_taken(tensor), CORNER) and tensor.asked == 1
    assert _arrays.positions(tensor).ctypes.data == CORNER.ctypes.data


@pytest.mark.parametrize("refusal", [RuntimeError, BufferError])
@pytest.mark.parametrize(
    ("requires_grad", "device", "advice"),
    [
        (True, (1, 0), r"pass its \.detach\(\)$"),
        (True, (2, 0), r"pass its \.detach\(\), copied to the CPU$"),
        (False, (2, 0), "copy it to the CPU first$"),
        (False, (1, 0), "pass it as a NumPy array$"),
    ],
)
def test_a_tensor_that_cannot_be_read_is_told_why(
    refusal: type, requires_grad: bool, device: tuple[int, int], advice: str
) -> None:
    class Tensor:
        def __init__(self) -> None:
            self.requires_grad = requires_grad

        def __dlpack__(self, **options: Any) -> Any:
            raise refusal("cannot be exported")

        def __dlpack_device__(self) -> Any:
            return device

    with pytest.raises(cr.DtypeError, match=f"cannot be exported; {advice}"):
        positions_taken(Tensor())


def test_an_array_that_fits_is_not_copied_and_others_are_copied_once() -> None:
    assert _arrays.positions(CORNER).ctypes.data == CORNER.ctypes.data
    big = CORNER.astype(">f4")
    assert _arrays.positions(big).ctypes.data != big.ctypes.data


@pytest.mark.parametrize("dtype", [np.int16, np.int32, np.int64, np.longdouble])
def test_types_that_would_be_rounded_are_refused_unless_cast(dtype: type) -> None:
    with pytest.raises(cr.DtypeError, match="cast=True") as caught:
        positions_taken(CORNER.astype(dtype))
    assert isinstance(caught.value, TypeError) and isinstance(caught.value, ValueError)
    assert np.array_equal(positions_taken(CORNER.astype(dtype), cast=True), CORNER)


@pytest.mark.parametrize("given", [CORNER.astype(complex), CORNER.astype(bool), CORNER.astype(str), CORNER.astype(object)])
def test_what_are_no_numbers_is_refused(given: np.ndarray) -> None:
    with pytest.raises(cr.DtypeError, match="real numbers"):
        positions_taken(given, cast=True)


@pytest.mark.parametrize("shape", [(4,), (4, 2), (4, 4), (1, 4, 3), (3, 4), ()])
def test_wrong_shapes_are_named(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="shape") as caught:
        positions_taken(np.zeros(shape, np.float32))
    assert isinstance(caught.value, cr.PositionsError)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_refused_and_change_nothing(value: float) -> None:
    scene = cr.Scene()
    scene.add(FACES, CORNER, name="body")
    bad = CORNER.copy()
    bad[2, 1] = value
    with pytest.raises(cr.PositionsError, match='body "body" were refused: vertex 2 .* not finite'):
        scene.set_positions("body", bad)
    assert np.array_equal(scene.update().positions("body"), CORNER)
    with pytest.raises(cr.PositionsError, match="not finite"):
        positions_taken(np.array([[1e300, 0, 0]] * 4), cast=True)
    with pytest.raises(cr.PositionsError, match="vertex 2"):
        scene.add(FACES, bad)
    assert len(scene) == 1


def test_a_wrong_number_of_positions_is_refused() -> None:
    with pytest.raises(cr.PositionsError, match="3 positions were given, but the body has 4 vertices"):
        positions_taken(CORNER[:3])


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint32, np.int64, np.uint64, ">i4", ">u8"])
def test_faces_of_any_integer_type_are_taken(dtype: Any) -> None:
    mesh = cr.Mesh(FACES.astype(dtype))
    assert np.array_equal(mesh.faces, FACES) and mesh.faces.dtype == np.uint32
    assert np.array_equal(cr.Mesh(np.asfortranarray(FACES.astype(dtype))).faces, FACES)


def test_bad_faces_are_refused_with_the_triangle() -> None:
    for bad, message in [
        (FACES.astype(float), "integers are needed"),
        (FACES - 1, "triangle 0 uses vertex -1"),
        (FACES.astype(np.int64) + 2**32, "triangle 0"),
        (np.zeros((3, 4), int), r"shape \(3, 4\)"),
        (np.zeros(3, int), "shape"),
        ("nonsense", "is no mesh"),
    ]:
        with pytest.raises(cr.MeshError, match=message):
            cr.Mesh(bad)
    with pytest.raises(cr.MeshError, match="triangle 1 uses vertex 3, but the mesh has 3 vertices"):
        cr.Scene().add(FACES, CORNER[:3])
    with pytest.raises(cr.MeshError, match="but the mesh has 2 vertices"):
        cr.Mesh(FACES, vertex_count=2)


def test_a_mesh_may_have_vertices_that_no_face_uses_and_may_be_empty() -> None:
    scene = cr.Scene()
    mesh = cr.Mesh(FACES)
    scene.add(mesh, np.concatenate([CORNER, CORNER]))
    scene.add(mesh, CORNER)
    scene.add(np.zeros((0, 3), int), np.zeros((0, 3), np.float32))
    scene.add([], [])
    (contact,) = scene.update().contacts
    assert (contact.a, contact.b) == (0, 1)
    assert cr.pairs(([], []), (FACES, CORNER)).shape == (0, 2)


def test_a_mesh_can_be_pickled() -> None:
    for mesh in (cr.Mesh(FACES), cr.Mesh(FACES, vertex_count=9)):
        again = pickle.loads(pickle.dumps(mesh))
        assert np.array_equal(again.faces, mesh.faces) and again.vertex_count == mesh.vertex_count


def test_mesh_objects_of_other_libraries_are_taken() -> None:
    trimesh = SimpleNamespace(vertices=CORNER.astype(np.float64), faces=FACES)
    block = SimpleNamespace(type="triangle")
    meshio = SimpleNamespace(points=CORNER, cells=[block], cells_dict={"triangle": FACES})
    pyvista = SimpleNamespace(points=CORNER, regular_faces=FACES, is_all_triangles=True, faces=np.zeros(16, int))
    for mesh in (trimesh, meshio, pyvista):
        assert np.array_equal(cr.pairs(mesh, (FACES, CORNER)), cr.pairs((FACES, CORNER), (FACES, CORNER)))
        assert cr.Scene().add(mesh, name="it") == 0
    block.type = "quad"
    with pytest.raises(cr.MeshError, match="type quad"):
        cr.pairs(meshio, meshio)
    trimesh.vertices = trimesh.vertices + 0.1
    assert len(cr.self_pairs(trimesh)) == 0 and len(cr.self_pairs(trimesh, cast=True)) == 0


@settings(max_examples=150, deadline=None)
@given(
    array=shapes.arrays(
        dtype=st.one_of(
            shapes.floating_dtypes(endianness="?"),
            shapes.integer_dtypes(endianness="?"),
            shapes.unsigned_integer_dtypes(),
            shapes.complex_number_dtypes(),
            shapes.boolean_dtypes(),
        ),
        shape=st.one_of(st.tuples(st.integers(0, 6), st.just(3)), shapes.array_shapes(min_dims=0, max_dims=3, max_side=6)),
    ),
    cast=st.booleans(),
)
def test_any_array_is_taken_exactly_or_refused_with_a_class_of_ours(array: np.ndarray, cast: bool) -> None:
    scene = cr.Scene()
    try:
        body = scene.add(np.zeros((0, 3), int), array, cast=cast)
    except cr.PositionsError:
        fits = array.ndim == 2 and array.shape[1] == 3 and array.dtype.kind in "fiu"
        kept = np.float64 if array.dtype.kind == "f" and array.dtype.itemsize == 8 and not cast else np.float32
        with np.errstate(over="ignore"):
            numbers = np.abs(array.astype(kept)) if fits else np.zeros(0)
        is_finite = fits and bool(np.isfinite(numbers).all())
        if kept is np.float64:
            # What exact arithmetic on float64 can take; see `Body::new` of the library.
            largest = numbers.max(initial=0)
            is_in_range = bool(((numbers == 0) | ((numbers >= 2.0**-300) & (numbers <= np.finfo(np.float32).max))).all())
            is_finite = is_finite and is_in_range and (largest == 0 or largest >= 2.0**-100)
        assert not (is_finite and (cast or (array.dtype.kind == "f" and array.dtype.itemsize <= 8)))
        return
    taken = scene.update().positions(body)
    kept = np.float64 if array.dtype.kind == "f" and array.dtype.itemsize == 8 and not cast else np.float32
    expected = array.astype(kept).reshape(-1, 3)
    assert taken.dtype == kept and np.array_equal(taken, expected)
    assert cast or array.dtype.itemsize <= 8 or array.size == 0
