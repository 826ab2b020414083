"""float64 positions: kept as they are, decided exactly, and never rounded in silence."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import crumple as cr
from crumple import _arrays

FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
CORNER = np.array([[0.1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
ONE = [[0, 1, 2]]

# The corner of `above` is on the upper edge of `below`; rounded to float32 it is above it.
E = 1 + 2.0**-24 + 2.0**-26
BELOW = np.array([[0, 0, 0], [3, 3 * E, 0], [3, 0, 0]])
ABOVE = np.array([[1, E, 0], [1, 5, 1], [1, 5, -1.0]])
# Above the edge by less than float32 can tell.
FLAT = np.array([[0, 0, 0], [3, 3, 0], [3, 0, 0.0]])
HIGHER = ABOVE + [0, 1 + 1e-9 - E, 0]


def single(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float32)


def test_bodies_touch_in_float64_and_not_after_rounding_and_the_other_way_round() -> None:
    for method in cr.methods():
        for below, above, touch in [(BELOW, ABOVE, True), (FLAT, HIGHER, False)]:
            for convert, expected in [(np.asarray, touch), (single, not touch)]:
                scene = cr.Scene(method=method)
                scene.add(ONE, convert(below), name="below")
                scene.add(ONE, convert(above), name="above")
                assert bool(scene.update().contacts) is expected, method
    assert len(cr.pairs((ONE, BELOW), (ONE, ABOVE))) == 1 and len(cr.pairs((ONE, FLAT), (ONE, HIGHER))) == 0
    assert len(cr.pairs((ONE, BELOW), (ONE, ABOVE), cast=True)) == 0


def test_positions_are_kept_to_the_last_bit_in_a_mixed_scene() -> None:
    scene = cr.Scene()
    wide, narrow = scene.add(FACES, CORNER), scene.add(FACES, single(CORNER))
    frame = scene.update()
    assert frame.positions(wide).dtype == np.float64 and np.array_equal(frame.positions(wide), CORNER)
    assert frame.positions(narrow).dtype == np.float32
    scene.set_positions(wide, CORNER + 1e-12)
    frame = scene.update()
    assert np.array_equal(frame.positions(wide), CORNER + 1e-12)
    assert np.array_equal(frame.previous_positions(wide), CORNER)
    # float32 is widened.
    scene.set_positions(wide, single(CORNER))
    assert np.array_equal(scene.update().positions(wide), single(CORNER).astype(np.float64))
    scene.correct_positions(wide, CORNER)
    frame = scene.update()
    assert np.array_equal(frame.positions(wide), CORNER)
    triangles = frame[wide, narrow].triangles()
    assert triangles.dtype == np.float64 and triangles.shape[1:] == (2, 3, 3)
    pairs = frame[wide, narrow].pairs
    assert np.array_equal(triangles[:, 0], CORNER[FACES[pairs[:, 0]]])


def test_a_float32_body_takes_float64_that_are_float32_numbers_and_refuses_others() -> None:
    scene = cr.Scene()
    body = scene.add(FACES, single(CORNER), name="body")
    scene.set_positions(body, 2 * single(CORNER).astype(np.float64))
    with pytest.raises(cr.PositionsError, match='"body" were refused: vertex 0 is at .*made with f32 positions'):
        scene.set_positions(body, CORNER)
    scene.set_positions(body, CORNER, cast=True)
    assert np.array_equal(scene.update().positions(body), single(CORNER))
    assert cr.Scene().add(FACES, CORNER, cast=True) == 0


def test_positions_written_in_place_are_float64_in_one_array() -> None:
    scene = cr.Scene()
    body = scene.add(FACES, CORNER)
    with scene.positions(body) as p:
        assert p.dtype == np.float64 and np.array_equal(p, CORNER)
        p += 1e-12
        address = p.ctypes.data
    del p
    with scene.positions(body) as again:
        assert again.ctypes.data == address
    assert np.array_equal(scene.update().positions(body), CORNER + 1e-12)


def test_an_array_of_float64_is_not_copied() -> None:
    assert _arrays.positions(CORNER).ctypes.data == CORNER.ctypes.data
    for given in (np.asfortranarray(CORNER), CORNER.astype(">f8"), np.repeat(CORNER, 2, axis=0)[::2]):
        taken = _arrays.positions(given)
        assert taken.dtype == np.float64 and taken.flags.c_contiguous and np.array_equal(taken, CORNER)


def test_mesh_objects_keep_their_float64_vertices() -> None:
    mesh = SimpleNamespace(vertices=CORNER, faces=FACES)
    scene = cr.Scene()
    body = scene.add(mesh)
    assert np.array_equal(scene.update().positions(body), CORNER)


def test_numbers_that_float64_bodies_cannot_hold_are_named() -> None:
    for value, message in [(1e60, "vertex 2 .*power of two"), (np.nan, "vertex 2 .*not finite")]:
        bad = CORNER.copy()
        bad[2, 1] = value
        with pytest.raises(cr.PositionsError, match=message):
            cr.Scene().add(FACES, bad)


def test_check_takes_float64_frames_and_reports_say_so(tmp_path: Path) -> None:
    moving = np.stack([ABOVE + [0, 1, 0], ABOVE, ABOVE + [0, 1e-9, 0]])
    report = cr.check({"below": (ONE, BELOW), "above": (ONE, moving)})
    assert report.pairs["frame"].tolist() == [1]
    assert cr.check({"below": (ONE, BELOW), "above": (ONE, moving)}, cast=True).pairs["frame"].tolist() == []
    mixed = cr.check({"below": (ONE, BELOW), "above": (ONE, single(moving))})
    report.save_json(tmp_path / "report.jsonl")
    header = json.loads((tmp_path / "report.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert [body.get("precision") for body in header["bodies"]] == ["f64", "f64"]
    mixed.save_json(tmp_path / "mixed.jsonl")
    header = json.loads((tmp_path / "mixed.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert [body.get("precision") for body in header["bodies"]] == ["f64", None]
    report.save_html(tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size > 0


def test_files_are_loaded_in_float64_if_asked_for(tmp_path: Path) -> None:
    def write(name: str, array: Any) -> str:
        lines = [f"v {' '.join(map(repr, row))}" for row in array.tolist()]
        (tmp_path / name).write_text("\n".join([*lines, "f 1 2 3", ""]), encoding="utf-8")
        return str(tmp_path / name)

    files = [write("below.obj", BELOW), write("above.obj", ABOVE)]
    (body,) = cr.load(files[0], f64=True)
    assert body.dtype == np.float64 and np.array_equal(body[0], BELOW)
    (rounded,) = cr.load(files[0])
    assert rounded.dtype == np.float32 and np.array_equal(rounded[0], single(BELOW))
    assert cr.check(files, f64=True).collides and not cr.check(files).collides


def test_distances_and_overlaps_are_those_of_the_float64_numbers() -> None:
    tile, gap = np.array([[0, 0, 64], [1, 0, 64], [0, 1, 64.0]]), 2.0**-40
    apart = cr.distance((ONE, tile), (ONE, tile + [0, 0, gap]))
    # The bounds allow for the rounding of a difference of coordinates of this size.
    assert apart.lo <= gap <= apart.hi and apart.hi - apart.lo < 64 * np.finfo(np.float64).eps
    assert len(cr.near((ONE, tile), (ONE, tile + [0, 0, gap]), 2 * gap)) > 0
    assert len(cr.near((ONE, tile), (ONE, tile + [0, 0, gap]), gap / 2)) == 0
    # Small bodies so far away that float32 cannot tell their vertices apart.
    corner = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]]) / 16 + 2.0**22
    found = cr.overlap((FACES, corner), (FACES, corner + [1 / 32, 0, 0]))
    assert found.volume == pytest.approx(1 / 48 / 4096, rel=1e-6)


def test_points_are_tested_as_the_numbers_they_are() -> None:
    # Below the face at 0 by less than float32 can tell beside the other numbers, and on it once rounded.
    shifted = CORNER + np.float64([0, 0, 1])
    points = np.array([[0.25, 0.25, 1.25], [0.25, 0.25, 1 - 2.0**-40], [0.25, 0.25, 1.0]])
    assert cr.inside(FACES, shifted, points).tolist() == [True, False, True]
    assert cr.inside(FACES, shifted, points, cast=True).tolist() == [True, True, True]
    scene = cr.Scene()
    body = scene.add(FACES, shifted)
    distance = scene.update().closest_points(body, points, signed=True)["distance"]
    assert distance[1] == pytest.approx(2.0**-40) and distance[2] == 0
    with pytest.raises(cr.DtypeError, match="cast=True"):
        cr.inside(FACES, CORNER, np.array([[0, 0, 1]]))
    # The slanted face passes below the point by less than float32 can tell; rounded it passes through it.
    roof = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 1 - 2.0**-26]])
    point = np.float32([[1, 1, 0.5]])
    assert cr.inside(FACES, roof, point).tolist() == [False]
    assert cr.inside(FACES, roof, point, cast=True).tolist() == [True]
