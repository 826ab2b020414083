"""Losses over arrays, which those for PyTorch and JAX wrap; `cargo xtask losses` tests these."""

from __future__ import annotations

import numpy as np
import pytest

import crumple as cr
from crumple import _losses

FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
CORNER = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
OTHER = CORNER + [0.31, 0.13, 0.17]
BOTH, AT = np.vstack([FACES, FACES + 4]), np.vstack([CORNER, OTHER])


def difference(ask: _losses.Ask, at: np.ndarray, step: float = 2.0**-16) -> np.ndarray:
    found = np.zeros_like(at)
    for index in np.ndindex(at.shape):
        moved = np.zeros_like(at)
        moved[index] = step
        found[index] = (ask(at + moved)[0] - ask(at - moved)[0]) / (2 * step)
    return found


APART = np.vstack([CORNER, CORNER + [0.9, 0.8, 0.1]])


@pytest.mark.parametrize(("ask", "at"), [(_losses.self_overlap(BOTH), AT), (_losses.near_barrier(BOTH, 0.7), APART)])
def test_gradients_are_those_of_differences(ask: _losses.Ask, at: np.ndarray) -> None:
    value, gradient = ask(at)
    assert value > 0 and np.allclose(difference(ask, at), gradient, rtol=0, atol=1e-6 * np.abs(gradient).max())


def test_a_batch_is_every_pose_by_itself_and_parts_can_be_ignored() -> None:
    poses = np.stack([AT, AT + [1.0, 0, 0], np.vstack([CORNER, CORNER + 5])])
    values, gradients = _losses.self_overlap(BOTH)(poses)
    for pose, value, gradient in zip(poses, values, gradients):
        found = cr.self_overlap((BOTH, pose))
        assert value == found.loss()[0] and np.array_equal(gradient, found.loss()[1])
    again = _losses.self_overlap(BOTH)(poses[::-1].copy())
    single = _losses.self_overlap(BOTH)(AT.astype(np.float32))
    assert np.array_equal(again[0], values[::-1]) and np.array_equal(again[1], gradients[::-1])
    assert single[0] == cr.self_overlap((BOTH, AT.astype(np.float32))).loss()[0]
    parts = ["a"] * 4 + ["b"] * 4
    assert _losses.self_overlap(BOTH, parts=parts, ignore_parts=[("b", "a")])(AT)[0] == 0
    assert _losses.self_overlap(BOTH, parts=parts, ignore_parts=[("a", "a")])(AT)[0] == values[0]
    with pytest.raises(cr.OptionError, match="a label per vertex"):
        _losses.self_overlap(BOTH, ignore_parts=[("a", "b")])
    with pytest.raises(cr.PositionsError, match="vertex 2 is at .*not finite"):
        _losses.self_overlap(BOTH)(np.where(np.arange(8)[:, None] == 2, np.nan, AT))
    with pytest.raises(cr.OptionError, match="float16"):
        _losses.self_overlap(BOTH)(AT.astype(np.float16))


def test_two_bodies_overlap_as_one_mesh_and_inside_out_counts() -> None:
    expected = cr.overlap((FACES, CORNER), (FACES, OTHER)).volume
    ask = _losses.self_overlap(_losses.joined(FACES, FACES, 4), between=4)
    assert np.isclose(ask(AT)[0], expected, rtol=1e-12)
    turned = _losses.self_overlap(_losses.joined(FACES, FACES[:, ::-1], 4), between=4)
    assert turned(AT)[0] > 0
    assert _losses.penetration_depth(CORNER, FACES, OTHER, FACES) > 0
    assert _losses.penetration_depth(CORNER, FACES, CORNER + 5, FACES) == 0
