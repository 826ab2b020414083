"""Potentials of what is near: derivatives by differences, sparse matrices, stencils, friction, and what is left out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import crumple as cr

SIDE = 6


def sheet(height: float, seed: int) -> tuple[Any, Any]:
    """A bumpy sheet of triangles."""
    number = np.arange((SIDE + 1) ** 2).reshape(SIDE + 1, SIDE + 1)
    p, q, r, s = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
    faces = np.concatenate([np.stack([p, q, r], -1).reshape(-1, 3), np.stack([p, r, s], -1).reshape(-1, 3)])
    x, y = np.meshgrid(np.arange(SIDE + 1.0), np.arange(SIDE + 1.0), indexing="ij")
    points = np.stack([x, y, np.full_like(x, height)], -1).reshape(-1, 3)
    return faces, points + np.random.default_rng(seed).uniform(-0.2, 0.2, points.shape)


def two_sheets(**options: Any) -> tuple[cr.Scene, cr.ContactPotential]:
    scene = cr.Scene(threads=1)
    for name, height in (("lower", 0.0), ("upper", 0.6)):
        faces, points = sheet(height, int(10 * height))
        scene.add(faces, points, name=name, self_collision=name == "lower")
    return scene, cr.ContactPotential(0.5, **options)


def dense(triplets: Any, size: int) -> Any:
    values, (rows, columns) = triplets
    matrix = np.zeros((size, size))
    np.add.at(matrix, (rows, columns), values)
    return matrix


@pytest.mark.parametrize("options", [{}, {"barrier": "cubic", "thickness": 0.01, "areas": True, "stiffness": 3.0}])
def test_gradient_and_hessian_are_the_derivatives(options: dict[str, Any]) -> None:
    scene, potential = two_sheets(**options)
    frame = scene.update()
    potential.update(frame)
    first, end = potential.vertices(frame, "upper")
    gradient, points = potential.gradient(), frame.positions("upper")
    assert (first, end) == ((SIDE + 1) ** 2, 2 * (SIDE + 1) ** 2) == (first, len(gradient))
    exact = dense(potential.hessian("none"), gradient.size)
    assert np.array_equal(exact, exact.T) or np.allclose(exact, exact.T, rtol=1e-12)
    assert np.linalg.eigvalsh(dense(potential.hessian(), gradient.size)).min() > -1e-9 * np.abs(exact).max()
    step, vertex = 1e-6, int(np.abs(gradient[first:]).max(axis=1).argmax())
    for axis in range(3):
        energies, gradients = [], []
        for by in (step, -step):
            moved = points.copy()
            moved[vertex, axis] += by
            scene.set_positions("upper", moved)
            potential.update(scene.update())
            energies.append(potential.energy())
            gradients.append(potential.gradient().ravel())
        assert np.isclose((energies[0] - energies[1]) / (2 * step), gradient[first + vertex, axis], rtol=1e-6)
        column = exact[:, 3 * (first + vertex) + axis]
        assert np.abs((gradients[0] - gradients[1]) / (2 * step) - column).max() < 1e-5 * np.abs(exact).max()


def test_stencils_name_vertices_with_their_weights() -> None:
    scene, potential = two_sheets()
    frame = scene.update()
    potential.update(frame)
    stencils = potential.stencils()
    assert stencils["multiplicity"].sum() == len(frame.near(0.5))
    points = {0: frame.positions("lower"), 1: frame.positions("upper")}
    for stencil in stencils:
        assert 2 <= stencil["points"] <= 4 and set(stencil["bodies"].tolist()) <= {0, 1}
        corners = np.array([points[int(b)][v] for b, v in zip(stencil["bodies"], stencil["vertices"])])
        assert np.allclose(stencil["weights"] @ corners, stencil["distance"] * stencil["direction"], atol=1e-14)


def test_friction_acts_against_what_slides() -> None:
    scene, potential = two_sheets()
    frame = scene.update()
    potential.update(frame)
    friction = cr.Friction(0.5, 1e-3)
    friction.lag(potential)
    scene.set_positions("upper", frame.positions("upper") + [0.01, 0.0, 0.0])
    friction.update(scene.update())
    first = (SIDE + 1) ** 2
    forces = -friction.gradient()
    assert friction.energy() > 0 and forces[first:, 0].sum() < 0
    assert np.allclose(forces.sum(axis=0), 0, atol=1e-12 * np.abs(forces).max())
    assert np.linalg.eigvalsh(dense(friction.hessian(), forces.size)).min() > -1e-9


def test_features_are_left_out_by_rings_and_by_their_distance_at_rest() -> None:
    scene, _ = two_sheets()
    scene.ignore("lower", "upper")
    counts = []
    for rings in range(3):
        scene.leave_out_rings("lower", rings)
        counts.append(len(scene.update().near(2.5)))
    assert counts[0] > counts[1] > counts[2] > 0
    scene.leave_out_rings("lower", 0)
    rest = scene.update().positions("lower")
    scene.leave_out_near_at_rest("lower", rest, 1.5)
    assert len(scene.update().near(1.0)) == 0
    scene.leave_out_near_at_rest("lower", rest, 0.0)
    assert len(scene.update().near(2.5)) == counts[0]


def test_a_step_out_of_contact_can_leave_out_what_meets_already() -> None:
    scene = cr.Scene()
    scene.add([[0, 1, 2]], np.float64([[-9, -9, 0], [9, -9, 0], [0, 9, 0]]))
    needle = np.float64([[0, 0, -0.5], [0.5, 0, 0.5], [0, 0.5, 0.5]])
    stuck = scene.add([[0, 1, 2]], needle)
    scene.update()
    scene.set_positions(stuck, needle - [0, 0, 0.1])
    frame = scene.update()
    assert frame.safe_step() == 0 and frame.safe_step(ignore_initial=True) == 1


def test_what_makes_no_sense_is_refused() -> None:
    scene, potential = two_sheets()
    frame = scene.update()
    for options in ({"barrier": "wall"}, {"stiffness": -1.0}, {"thickness": float("nan")}):
        with pytest.raises(cr.OptionError, match=next(iter(options))):
            cr.ContactPotential(0.1, **options)
    with pytest.raises(cr.OptionError, match="creep"):
        cr.Friction(0.5, 0.0)
    with pytest.raises(cr.OptionError, match='"clamp", "abs" or "none"'):
        potential.hessian("square")
    with pytest.raises(cr.PositionsError, match="3 positions were given"):
        potential.set_rest(frame, "lower", np.zeros((3, 3)))
    with pytest.raises(cr.SceneError, match="update it"):
        potential.vertices(frame, "lower")
    with pytest.raises(cr.UnknownBodyError):
        scene.leave_out_rings("middle", 1)
