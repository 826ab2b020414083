"""The answers are those of the library: compared with lists that CGAL computed, and with brute force."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from conftest import FIXTURES, grid, listed, moving

import crumple as cr


def rows(report: cr.Report) -> np.ndarray:
    pairs = report.pairs
    return np.stack([pairs["frame"], pairs["triangle_a"], pairs["triangle_b"]], axis=1)


def test_files_and_arrays_give_the_pairs_of_cgal() -> None:
    expected = listed("spheres_pairs.txt")
    names = ["spheres_a", "spheres_b"]
    assert np.array_equal(rows(cr.check([moving(name) for name in names])), expected)
    bodies = [cr.load(moving(name))[0] for name in names]
    arrays = {body.name: (body.mesh.faces, np.stack(list(body))) for body in bodies}
    assert np.array_equal(rows(cr.check(arrays)), expected)
    assert np.array_equal(rows(cr.check(dict(zip(names, bodies)))), expected)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_body_against_itself_gives_the_pairs_of_cgal_with_any_number_of_threads(threads: int) -> None:
    report = cr.check(moving("cloth"), threads=threads)
    assert np.array_equal(rows(report), listed("cloth_self_pairs.txt"))


def test_every_method_finds_the_same_pairs(tetrahedron: tuple[np.ndarray, np.ndarray]) -> None:
    (faces, positions), sheet = tetrahedron, grid(7, 0.25)
    expected = cr.pairs((faces, positions), sheet)
    assert len(expected) > 10
    for method in cr.methods():
        scene = cr.Scene(method=method)
        scene.add(faces, positions, name="corner")
        scene.add(*sheet, name="sheet")
        assert np.array_equal(scene.update()["corner", "sheet"].pairs, expected), method


def test_contacts_are_read_by_name_by_id_and_as_triangles(tetrahedron: tuple[np.ndarray, np.ndarray]) -> None:
    faces, positions = tetrahedron
    scene = cr.Scene()
    a = scene.add(cr.Mesh(faces), positions, name="a")
    b = scene.add(cr.Mesh(faces), positions + np.float32(0.1))
    far = scene.add(cr.Mesh(faces), positions + np.float32(9), name="far")
    frame = scene.update()
    (contact,) = frame.contacts
    assert (contact.a, contact.b, contact.is_self) == ("a", b, False)
    assert contact.pairs.dtype == np.uint32 and contact.pairs.shape == (len(contact), 2)
    assert frame[a, b] is contact and frame["a", b] is contact and frame[b, "a"] is contact
    assert frame.contacts_of("a") == [contact] and frame.contacts_of(far) == []
    assert frame["a", "far"].pairs.shape == (0, 2)
    corners = contact.triangles()
    assert corners.shape == (len(contact), 2, 3, 3) and corners.dtype == np.float32
    assert np.array_equal(corners[:, 0], positions[faces[contact.pairs[:, 0]]])
    assert frame.witnesses[0].pairs.shape == (1, 2)
    assert frame.began() == [contact] and frame.ended() == []
    scene.set_positions(b, positions + np.float32(5))
    assert scene.update().ended() == [("a", b)]


def test_what_may_touch_is_left_out(tetrahedron: tuple[np.ndarray, np.ndarray]) -> None:
    scene = cr.Scene()
    for name in ("body", "shoes", "cloth"):
        scene.add(*tetrahedron, name=name)
    scene.ignore("body", "shoes")
    met = [(c.a, c.b) for c in scene.update().contacts]
    assert met == [("body", "cloth"), ("shoes", "cloth")]
    scene.stop_ignoring("body", "shoes")
    scene.set_collision_mask("cloth", 2, 0)
    assert [(c.a, c.b) for c in scene.update().contacts] == [("body", "shoes")]
    scene.remove("shoes")
    assert scene.bodies == ("body", "cloth") and len(scene) == 2 and "shoes" not in scene
    assert scene.add(*tetrahedron) == 3


def test_a_step_is_answered_exactly() -> None:
    wall, bullet = grid(4), (np.array([[0, 1, 2]]), np.float32([[0.3, 0.4, 1], [0.3, 0.5, 2], [0.4, 0.4, 2]]))
    scene = cr.Scene()
    scene.add(*wall, name="wall")
    scene.add(*bullet, name="bullet")
    assert scene.update().safe_step() == 1.0
    scene.set_positions("bullet", bullet[1] - np.float32([0, 0, 4]))
    frame = scene.update()
    assert frame.contacts == ()
    first = frame.first_impact()
    assert first is not None and first.kind == "vertex-face" and first.time == (0.25, 0.25)
    assert (first.a, first.b, first.vertex) == ("bullet", "wall", 0)
    assert 0.2499 < frame.safe_step() < 0.25
    impacts = frame.impacts()
    assert impacts[0].time == first.time and len(impacts) > 1
    assert np.array_equal(frame.previous_positions("bullet"), bullet[1])
    scene.correct_positions("bullet", bullet[1] - np.float32([0, 0, 0.5]))
    assert scene.update().first_impact() is None


def test_distances_are_bounds_and_near_features_are_tables(tetrahedron: tuple[np.ndarray, np.ndarray]) -> None:
    faces, positions = tetrahedron
    scene = cr.Scene()
    scene.add(faces, positions, name="a")
    scene.add(faces, positions + np.float32([0, 0, 1.5]), name="b")
    frame = scene.update()
    apart = frame.distance("a", "b")
    assert 0 < apart.lo <= 0.5 <= apart.hi and apart.hi - apart.lo < 1e-12 and float(apart) == apart.hi
    assert np.allclose(apart.points, [[0, 0, 1], [0, 0, 1.5]]) and apart.points.shape == (2, 3)
    alone = cr.distance((faces, positions), (faces, positions + np.float32([0, 0, 1.5])))
    assert (alone.lo, alone.hi, alone.triangles) == (apart.lo, apart.hi, apart.triangles)
    assert frame.is_closer_than("a", "b", 0.51) and not frame.is_closer_than("a", "b", 0.49)
    near = frame.near(0.6)
    # By hand: every vertex of either against every triangle of the other, in double precision, where the nearest point is the tip.
    tip = near.vertex_face[(near.vertex_face["a"] == 0) & (near.vertex_face["vertex"] == 3)]
    assert len(tip) > 0 and (tip["b"] == 1).all() and np.allclose(tip["distance"], 0.5)
    assert np.allclose(tip["direction"], [0, 0, -1]) and np.allclose(tip["barycentric"].sum(axis=1), 1)
    assert len(near.edge_edge) > 0 and (near.edge_edge["distance"] < 0.6).all() and len(frame.near(0.4)) == 0
    both = cr.near((faces, positions), (faces, positions + np.float32([0, 0, 1.5])), 0.6)
    assert np.array_equal(both.vertex_face, near.vertex_face) and np.array_equal(both.edge_edge, near.edge_edge)
    scene.set_positions("b", positions + np.float32(0.1))
    assert scene.update().distance("a", "b").hi == 0
    empty = scene.add([], [])
    with pytest.raises(cr.SceneError, match="has no triangles"):
        scene.update().distance("a", empty)
    with pytest.raises(cr.SceneError, match='body "a" from itself'):
        scene.update().distance("a", "a")


def test_a_report_counts_what_was_found(tetrahedron: tuple[np.ndarray, np.ndarray]) -> None:
    faces, positions = tetrahedron
    frames = np.stack([positions + np.float32([x, 0, 0]) for x in (5, 0.5, 0.25, -5, -6)])
    report = cr.check({"still": (faces, positions), "moving": (faces, frames)}, continuous=True)
    summary = report.summary
    assert summary["frames_in_contact"] == 2 and (summary["first"], summary["last"]) == (1, 2)
    assert summary["pairs"] == len(report.pairs) == report.contacts["count"].sum()
    assert summary["impacts"] == len(report.impacts) > 0
    assert {frame for frame, _ in report.impacts} == {1, 2, 3}
    assert report.collides and not cr.check({"still": (faces, positions), "moving": (faces, frames[:1])}).collides
    some = cr.check({"still": (faces, positions), "moving": (faces, frames)}, frames=range(2, 4))
    assert some.frames == [2, 3] and len(some[2].contacts) == 1 and len(some) == 2
    with pytest.raises(cr.OptionError, match="nothing to check"):
        cr.check({"a": (faces, positions), "b": (faces, frames)}, ignore=[("a", "b")])


def test_points_are_inside_by_exact_signs_or_by_samples(tetrahedron: tuple[np.ndarray, np.ndarray]) -> None:
    faces, positions = tetrahedron
    points = np.random.default_rng(1).random((2000, 3), dtype=np.float32)
    # Sums in double precision of three float32 numbers are exact here.
    expected = points.astype(np.float64).sum(axis=1) <= 1
    assert np.array_equal(cr.inside(cr.Mesh(faces), positions, points), expected)
    assert np.array_equal(cr.inside((faces, positions), points), expected)
    sampled = cr.inside((faces, positions), points, exact=False, resolution=512)
    assert (sampled != expected).mean() < 0.01
    assert cr.inside((faces, positions), np.float32([[np.nan, 0, 0]])).tolist() == [False]


def test_an_overlap_has_a_volume(tetrahedron: tuple[np.ndarray, np.ndarray]) -> None:
    faces, positions = tetrahedron
    sampled = cr.overlap((faces, positions), (faces, positions), exact=False, resolution=256)
    assert abs(sampled.volume - 1 / 6) < max(4 * sampled.error, 1e-3) and sampled.collides and sampled.area is None
    assert np.allclose(sampled.centroid, 0.25, atol=0.01)
    # A corner of half the size: volume and centroid by hand, and how the volume changes with a step along x.
    moved = positions + np.float32([0.5, 0, 0])
    scene = cr.Scene()
    scene.add(faces, positions, name="a")
    scene.add(faces, moved, name="b")
    frame = scene.update()
    for found in (cr.overlap((faces, positions), (faces, moved)), frame.overlap("a", "b")):
        assert abs(found.volume - 1 / 48) < 1e-15 and found.collides and found.error == 0
        assert np.allclose(found.centroid, [0.625, 0.125, 0.125]) and found.area is not None and found.area > 0
        assert found.gradient_a is not None and found.gradient_b is not None
        assert np.allclose(found.gradient_b.sum(axis=0)[0], -0.125) and np.allclose((found.gradient_a + found.gradient_b).sum(), 0)
    swapped = frame.overlap("b", "a")
    assert np.array_equal(swapped.gradient_a, frame.overlap("a", "b").gradient_b)
    assert not cr.overlap((faces, positions), (faces, positions + np.float32(9))).collides
    with pytest.raises(cr.VolumeError, match="encloses no volume"):
        cr.overlap((faces[:3], positions), (faces, positions))
    scene.add(faces[:3], positions, name="open")
    with pytest.raises(cr.VolumeError, match='body "open" encloses no volume'):
        scene.update().overlap("a", "open")
    with pytest.raises(cr.OptionError, match="exact=False"):
        cr.overlap((faces, positions), (faces, positions), parity=True)


def test_answers_with_arrays_can_be_compared_and_hashed(tetrahedron: tuple[np.ndarray, np.ndarray]) -> None:
    faces, positions = tetrahedron
    a, b = (faces, positions), (faces, positions + np.float32(0.25))
    for ask in (cr.overlap, lambda a, b: cr.overlap(a, b, exact=False, resolution=64), lambda a, b: cr.near(a, b, 0.5)):
        once, again, other = ask(a, b), ask(a, b), ask(a, a)
        assert once == again and hash(once) == hash(again) and len({once, again, other}) == 2
        assert once != other and once != "an answer"
    exact, sampled = cr.overlap(a, b), cr.overlap(a, b, exact=False, resolution=64)
    assert exact != sampled
    # The same numbers but for a gradient.
    assert dataclasses.replace(exact, gradient_a=np.zeros_like(exact.gradient_a)) != exact
    nothing = cr.overlap(a, (faces, positions + np.float32(9)))
    assert nothing.centroid is None and nothing == cr.overlap(a, (faces, positions + np.float32(9)))


def test_the_package_says_its_version() -> None:
    manifest = (FIXTURES.parent / "Cargo.toml").read_text()
    assert f'\nversion = "{cr.__version__}"\n' in manifest
