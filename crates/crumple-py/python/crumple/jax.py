"""Losses for JAX: how much bodies overlap, with exact gradients, computed on the CPU. Imports JAX when it is imported.

Positions are arrays (n, 3), or (batch, n, 3) for poses of one mesh, which threads share; values are () or (batch,). They may be float32
or, where JAX has them enabled, float64. The functions work under `jit`, `vmap` and `grad`, by a callback to the host; faces are plain
arrays, not traced. Only first derivatives are there.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from . import _losses

__all__ = ["near_barrier", "overlap_volume", "penetration_depth", "self_overlap_volume"]


def _loss(v: Any, ask: _losses.Ask) -> Any:
    def both(v: Any) -> Any:
        def on_host(positions: Any) -> Any:
            positions = np.asarray(positions)
            values, gradients = ask(positions)
            return values.astype(positions.dtype), gradients.astype(positions.dtype)

        shapes = jax.ShapeDtypeStruct(v.shape[:-2], v.dtype), jax.ShapeDtypeStruct(v.shape, v.dtype)
        return jax.pure_callback(on_host, shapes, v, vmap_method="expand_dims")

    def backward(gradients: Any, incoming: Any) -> Any:
        return (incoming[..., None, None] * gradients,)

    value = jax.custom_vjp(lambda v: both(v)[0])
    value.defvjp(both, backward)
    return value(jnp.asarray(v))


def self_overlap_volume(
    v: Any,
    f: Any,
    *,
    parts: Sequence[Hashable] | None = None,
    ignore_parts: Iterable[tuple[Hashable, Hashable]] = (),
    cap_holes: bool = False,
) -> Any:
    """How much a closed body overlaps itself: the connected parts with a positive volume, added up.

    `ignore_parts` leaves out connected parts that only join pairs of parts of the body, such as ("upper_arm", "torso"); `parts` has
    a label per vertex. When a part that is left out grows together with another, the value jumps.
    """
    return _loss(v, _losses.self_overlap(f, parts=parts, ignore_parts=ignore_parts, cap_holes=cap_holes))


def overlap_volume(va: Any, fa: Any, vb: Any, fb: Any) -> Any:
    """How much two closed bodies overlap: as one mesh, without the parts in which one of them only crosses itself.

    Never negative: a body that is turned inside out counts, it does not make the value smaller.
    """
    count = va.shape[-2]
    ask = _losses.self_overlap(_losses.joined(fa, fb, count), between=count)
    return _loss(jnp.concatenate([va, vb], -2), ask)


def near_barrier(v: Any, f: Any, d: float) -> Any:
    """A smooth barrier between features of a body that are closer than `d`, which keeps surfaces apart where the overlap vanishes."""
    return _loss(v, _losses.near_barrier(f, d))


def penetration_depth(va: Any, fa: Any, vb: Any, fb: Any) -> float:
    """The length of the smallest translation found that parts two bodies: a metric, without a gradient."""
    return _losses.penetration_depth(np.asarray(va), fa, np.asarray(vb), fb)
