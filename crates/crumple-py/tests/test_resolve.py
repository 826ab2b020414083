"""Meshes that meet themselves or each other, moved apart; what is left is counted by the exact check."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import bent_tube

import crumple as cr


def sphere(splits: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """An octahedron, split and put on the sphere of radius 1."""
    faces = np.array([[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]])
    at = np.array([[1.0, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]])
    for _ in range(splits):
        corners = at[faces]
        a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
        soup = np.stack([a, a + b, a + c, a + b, b, b + c, a + c, b + c, c, a + b, b + c, a + c], axis=1).reshape(-1, 3)
        soup /= np.linalg.norm(soup, axis=1, keepdims=True)
        _, first, same = np.unique(soup.round(9), axis=0, return_index=True, return_inverse=True)
        at, faces = soup[first], same.reshape(-1, 3)
    return faces, at


def two_spheres(distance: float) -> tuple[np.ndarray, np.ndarray]:
    faces, at = sphere()
    return np.concatenate([faces, faces + len(at)]), np.concatenate([at, at + [distance, 0.11, 0.07]])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("of", [two_spheres(1.7), two_spheres(1.2), bent_tube(6.6)], ids=["touching", "deep", "tube"])
def test_a_mesh_is_brought_to_no_pairs(of: tuple[np.ndarray, np.ndarray], dtype: type) -> None:
    faces, at = of[0], of[1].astype(dtype)
    assert cr.Mesh(faces).is_closed and len(cr.self_pairs((faces, at))) > 50
    given, calls = at.copy(), []
    found = cr.resolve(at, faces, progress=lambda *state: calls.append(state))
    assert len(cr.self_pairs((faces, found.vertices))) == found.pairs_left == 0 and found.succeeded
    assert cr.self_overlap((faces, found.vertices)).volume < 1e-9 and found.near_left == 0
    assert found.vertices.dtype == dtype and np.array_equal(at, given) and len(found.bodies) == 1
    assert np.array_equal(found.moved, found.vertices.astype(float) - at)
    lengths = np.linalg.norm(at[faces] - at[np.roll(faces, 1, axis=1)], axis=2)
    assert 0 < found.largest_move < 10 and found.turned < len(faces) / 50
    assert np.isclose(found.largest_move * lengths.mean(), np.linalg.norm(found.moved, axis=1).max(), rtol=1e-5)
    assert len(calls) == found.steps > 0 and calls[-1][:2] == (found.steps, 0)
    again = cr.resolve(found.vertices, faces)
    assert again.steps == 0 and np.array_equal(again.vertices, found.vertices)


def test_bodies_are_parted_and_keep_a_margin() -> None:
    faces, at = sphere()
    tube, along = bent_tube(6.6)
    both = [at * 0.6 + [-1.2, 0, 1.0], along]
    crossing = len(cr.self_pairs((tube, along)))
    assert len(cr.pairs((faces, both[0]), (tube, both[1]))) > 20
    found = cr.resolve(both, [faces, tube], margin=0.1)
    a, b = ((f, v) for f, v in zip((faces, tube), found.bodies))
    assert found.pairs_left == found.near_left == len(cr.pairs(a, b)) == 0 and len(cr.near(a, b, 0.1)) == 0
    assert float(cr.distance(a, b)) >= 0.1
    # The tube still crosses itself: only what is between bodies was to be resolved.
    assert len(cr.self_pairs(b)) > crossing / 2 and np.array_equal(np.vstack(found.bodies), found.vertices)
    close = cr.resolve(both, [faces, tube], margin=0)
    assert close.pairs_left == 0 and float(cr.distance((faces, close.bodies[0]), (tube, close.bodies[1]))) < 0.1


@pytest.mark.parametrize("off", [[0.0, 0, 0], [0.05, 0.02, 0.1], [0.0, 0, -0.15]])
def test_limbs_that_go_right_through_each_other_are_sent_to_two_sides(off: list[float]) -> None:
    faces, at = sphere()
    both = [at * [3, 0.5, 0.5], at * [0.5, 3, 0.5] + off]
    a, b = (cr.overlap((faces, v), (faces, v)).volume for v in both)
    found = cr.resolve(both, [faces, faces])
    assert len(cr.pairs(*((faces, v) for v in both))) > 50
    assert len(cr.pairs(*((faces, v) for v in found.bodies))) == found.pairs_left == 0 and found.overlap_left == 0
    # Neither is made thin where they crossed.
    kept = [cr.overlap((faces, v), (faces, v)).volume for v in found.bodies]
    assert kept[0] > 0.8 * a and kept[1] > 0.8 * b
    # They lie above each other now, where they crossed.
    above = [v[np.linalg.norm(v[:, :2], axis=1) < 0.3, 2].mean() for v in found.bodies]
    assert abs(above[0] - above[1]) > 0.7


def test_more_weight_on_staying_moves_less_of_the_surface() -> None:
    faces, at = two_spheres(1.7)
    found = [cr.resolve(at, faces, stay=stay) for stay in (0.1, 1.0, 30.0)]
    moved = [np.linalg.norm(of.moved, axis=1) for of in found]
    shares = [(of > 0.1 * of.max()).mean() for of in moved]
    assert shares[0] > shares[1] > shares[2] > 0 and not any(of.pairs_left for of in found)


def test_seams_are_welded_and_steps_are_limited() -> None:
    faces, at = two_spheres(1.2)
    corners, apart = np.arange(3 * len(faces)).reshape(-1, 3), at[faces].reshape(-1, 3)
    with pytest.raises(cr.VolumeError, match="the mesh is open"):
        cr.resolve(apart, corners)
    found = cr.resolve(apart, corners, weld=True)
    assert found.pairs_left == len(cr.self_pairs((corners, found.vertices), weld=True)) == 0
    whole = np.zeros_like(at)
    whole[faces.ravel()] = found.vertices
    assert np.array_equal(whole[faces.ravel()], found.vertices) and len(cr.self_pairs((faces, whole))) == 0
    one = cr.resolve(at, faces, steps=1)
    assert one.steps == 1 and one.pairs_left == len(cr.self_pairs((faces, one.vertices))) > 0 and not one.succeeded
    none = cr.resolve(at, faces, steps=0)
    assert none.pairs_left == len(cr.self_pairs((faces, at))) and not none.moved.any() and none.largest_move == 0


def test_what_cannot_be_resolved_is_refused() -> None:
    faces, at = sphere(1)
    with pytest.raises(cr.VolumeError, match="body 1 is open"):
        cr.resolve([at, at], [faces, faces[1:]])
    with pytest.raises(cr.VolumeError, match="the mesh is inside out"):
        cr.resolve(at, faces[:, ::-1])
    with pytest.raises(cr.PositionsError, match="vertex 3 of body 1 is at .*not finite"):
        cr.resolve([at, np.where(np.arange(len(at))[:, None] == 3, np.nan, at)], [faces, faces])
    with pytest.raises(cr.PositionsError, match="5 positions, but its faces name vertex 17"):
        cr.resolve(at[:5], faces)
    with pytest.raises(cr.PositionsError, match="positions of 2 bodies, but faces of 1"):
        cr.resolve([at, at], [faces])
    for options in ({"steps": -1}, {"stay": 0.0}, {"stay": np.nan}, {"margin": -1.0}, {"margin": np.inf}):
        with pytest.raises(cr.OptionError):
            cr.resolve(at, faces, **options)
    with pytest.raises(cr.DtypeError):
        cr.resolve(at.astype(int), faces)


def test_what_does_not_meet_or_cannot_move_stays() -> None:
    faces, at = sphere(2)
    inside = cr.resolve([at, 0.5 * at], [faces, faces])
    assert inside.pairs_left == inside.steps == 0 and np.isclose(inside.overlap_left, volume(faces, 0.5 * at), rtol=1e-12)
    unused = cr.resolve(np.vstack([at, [[9.0, 9, 9]], at + [1.5, 0.1, 0.2]]), np.vstack([faces, faces + len(at) + 1]))
    assert unused.pairs_left == 0 and unused.overlap_left == 0 and not unused.moved[len(at)].any()
    # Twice the same surface, corner by corner: nothing says which one is to go where.
    twice = cr.resolve(np.vstack([at, at]), np.vstack([faces, faces + len(at)]), weld=True, steps=10)
    assert twice.pairs_left == len(faces) and twice.overlap_left > 0 and not twice.moved.any()
    assert cr.resolve(np.zeros((0, 3)), []).pairs_left == 0 and cr.resolve(0 * at, faces).pairs_left == 0


def volume(faces: np.ndarray, at: np.ndarray) -> float:
    corners = at[faces]
    return float(np.linalg.det(corners).sum() / 6)
