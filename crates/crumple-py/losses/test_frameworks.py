"""Losses for PyTorch and JAX, which `cargo xtask losses` installs."""

from __future__ import annotations

import jax
import numpy as np
import pytest
import torch

import crumple as cr
import crumple.jax
import crumple.torch

jax.config.update("jax_enable_x64", True)

FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
CORNER = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
OTHER = CORNER + [0.31, 0.13, 0.17]
BOTH, AT = np.vstack([FACES, FACES + 4]), np.vstack([CORNER, OTHER])


def test_losses_of_torch_pass_gradcheck() -> None:
    losses = crumple.torch

    def of_one(v: torch.Tensor) -> torch.Tensor:
        return losses.self_overlap_volume(v, BOTH)

    def of_two(va: torch.Tensor, vb: torch.Tensor) -> torch.Tensor:
        return losses.overlap_volume(va, torch.tensor(FACES), vb, FACES)

    v = torch.tensor(np.stack([AT, AT + 0.01 * np.sin(np.arange(24.0)).reshape(8, 3)]), requires_grad=True)
    a, b = (torch.tensor(at, requires_grad=True) for at in (CORNER, OTHER))
    options = {"eps": 2.0**-16, "atol": 1e-6}
    assert torch.autograd.gradcheck(of_one, (v,), **options) and torch.autograd.gradcheck(of_one, (v[0],), **options)
    assert torch.autograd.gradcheck(of_two, (a, b), **options)
    apart = torch.tensor(np.vstack([CORNER, CORNER + [0.9, 0.8, 0.1]]), requires_grad=True)
    assert torch.autograd.gradcheck(lambda v: losses.near_barrier(v, BOTH, 0.7), (apart,), **options)
    single = torch.tensor(AT, dtype=torch.float32, requires_grad=True)
    (3 * of_one(single)).backward()
    assert single.grad.dtype == torch.float32 and np.allclose(single.grad, 3 * cr.self_overlap((BOTH, np.float32(AT))).gradient)
    (first,) = torch.autograd.grad(of_one(v).sum(), v, create_graph=True)
    with pytest.raises(RuntimeError, match="only first derivatives"):
        first.sum().backward()
    assert losses.penetration_depth(a, FACES, b, FACES) > 0


def test_losses_of_jax_work_under_jit_vmap_and_grad() -> None:
    losses = crumple.jax

    def of_one(v: jax.Array) -> jax.Array:
        return losses.self_overlap_volume(v, BOTH)

    expected = cr.self_overlap((BOTH, AT))
    value, gradient = jax.jit(jax.value_and_grad(of_one))(AT)
    assert np.isclose(value, expected.volume, rtol=1e-12) and np.allclose(gradient, expected.gradient, rtol=0, atol=1e-14)
    poses = np.stack([AT, AT + 0.01 * np.sin(np.arange(24.0)).reshape(8, 3)])
    values, gradients = jax.vmap(jax.value_and_grad(of_one))(poses)
    assert np.array_equal(values, of_one(poses)) and np.array_equal(gradients[0], gradient)
    assert np.array_equal(jax.grad(lambda v: of_one(v).sum())(poses), gradients)
    of_a, of_b = jax.grad(lambda a, b: losses.overlap_volume(a, FACES, b, FACES), argnums=(0, 1))(CORNER, OTHER)
    assert np.allclose(np.vstack([of_a, of_b]), expected.gradient, rtol=0, atol=1e-14)
    assert of_one(np.float32(AT)).dtype == np.float32
    assert losses.near_barrier(AT, BOTH, 0.4) > 0 and losses.penetration_depth(CORNER, FACES, OTHER, FACES) > 0
