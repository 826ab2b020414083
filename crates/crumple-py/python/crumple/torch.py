"""Losses for PyTorch: how much bodies overlap, with exact gradients, computed on the CPU. Imports PyTorch when it is imported.

Positions are tensors (n, 3), or (batch, n, 3) for poses of one mesh, which threads share; values are () or (batch,). They may be float32
or float64. Tensors on another device are copied to the CPU, and values and gradients back. Only first derivatives are there: to
differentiate a gradient again is refused.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import torch

from . import _losses

__all__ = ["near_barrier", "overlap_volume", "penetration_depth", "self_overlap_volume"]


class _Loss(torch.autograd.Function):  # type: ignore[misc]
    @staticmethod
    def forward(ctx: Any, v: Any, ask: _losses.Ask) -> Any:
        values, gradients = ask(v.detach().cpu().numpy())
        ctx.save_for_backward(v, torch.from_numpy(gradients).to(v))
        return torch.from_numpy(values).to(v)

    @staticmethod
    def backward(ctx: Any, incoming: Any) -> Any:
        v, gradients = ctx.saved_tensors
        return _Once.apply(v, incoming[..., None, None] * gradients), None


class _Once(torch.autograd.Function):  # type: ignore[misc]
    """A gradient that cannot be differentiated again; without it a second derivative would silently be 0."""

    @staticmethod
    def forward(_: Any, v: Any, gradient: Any) -> Any:
        return gradient.clone()

    @staticmethod
    def backward(*_: Any) -> Any:
        raise RuntimeError("only first derivatives of overlaps and barriers are there: a gradient cannot be differentiated again")


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
    ask = _losses.self_overlap(_numpy(f), parts=parts, ignore_parts=ignore_parts, cap_holes=cap_holes)
    return _Loss.apply(v, ask)


def overlap_volume(va: Any, fa: Any, vb: Any, fb: Any) -> Any:
    """How much two closed bodies overlap: as one mesh, without the parts in which one of them only crosses itself.

    Never negative: a body that is turned inside out counts, it does not make the value smaller.
    """
    count = va.shape[-2]
    ask = _losses.self_overlap(_losses.joined(_numpy(fa), _numpy(fb), count), between=count)
    return _Loss.apply(torch.cat([va, vb], -2), ask)


def near_barrier(v: Any, f: Any, d: float) -> Any:
    """A smooth barrier between features of a body that are closer than `d`, which keeps surfaces apart where the overlap vanishes."""
    return _Loss.apply(v, _losses.near_barrier(_numpy(f), d))


def penetration_depth(va: Any, fa: Any, vb: Any, fb: Any) -> float:
    """The length of the smallest translation found that parts two bodies: a metric, without a gradient."""
    return _losses.penetration_depth(_numpy(va), _numpy(fa), _numpy(vb), _numpy(fb))


def _numpy(tensor: Any) -> Any:
    return tensor.detach().cpu().numpy() if isinstance(tensor, torch.Tensor) else tensor
