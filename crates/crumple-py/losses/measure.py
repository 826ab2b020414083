"""Measures the losses and `resolve`, as docs/guide/in-python.md has it.

    PYTHONPATH=target/python/package python crates/crumple-py/losses/measure.py [DIR] [--rounds 5]

- A batch of 64 poses of a bent tube of 20,000 triangles whose ends run into each other: the value and its gradient, in milliseconds per
  pose, by every framework that can be imported, beside `cr.self_overlap` for each pose.
- With a folder of data (as `cargo xtask verify` has it): `cr.resolve` on every frame with self-contact of its deforming sequences, and on
  its still meshes with self-contact. What is left is counted by `cr.self_pairs`, apart from `resolve`.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import crumple as cr
from crumple import _losses

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from conftest import bent_tube  # noqa: E402

SEQUENCES = ("fox_run", "cesium_man", "cheburashka_poses", "cow_poses")
STILL = ("self_intersect_17k_selfx", "scorpion_100k_selfx", "dragon_150k")


def milliseconds(rounds: int, ask: Callable[[], object]) -> float:
    """The median, after one call that is not counted."""
    ask()
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        ask()
        times.append(1e3 * (time.perf_counter() - started))
    return statistics.median(times)


def measure_batch(rounds: int) -> None:
    def tube(angle: float) -> tuple[np.ndarray, np.ndarray]:
        return bent_tube(angle, rings=200, around=50, rise=0.1)

    faces = tube(7)[0]
    poses = np.stack([tube(angle)[1] for angle in np.linspace(6.1, 7, 64)])
    crossing = sum(len(cr.self_pairs((faces, pose))) > 0 for pose in poses)
    print(f"{len(poses)} poses of {len(faces)} triangles, {crossing} of which cross themselves; milliseconds per pose")
    ways: dict[str, Callable[[np.ndarray], Callable[[], object]]] = {
        "cr.self_overlap, each pose": lambda poses: lambda: [cr.self_overlap((faces, pose)).loss() for pose in poses],
        "the batch, NumPy": lambda poses: lambda: _losses.self_overlap(faces)(poses),
    }
    try:
        import torch

        import crumple.torch as of_torch

        def by_torch(poses: np.ndarray) -> Callable[[], object]:
            v = torch.tensor(poses, requires_grad=True)
            return lambda: torch.autograd.grad(of_torch.self_overlap_volume(v, faces).sum(), v)

        ways["the batch, PyTorch, value and gradient"] = by_torch
    except ImportError as error:
        print("  without PyTorch:", error)
    try:
        import jax

        import crumple.jax as of_jax

        jax.config.update("jax_enable_x64", True)

        def by_jax(poses: np.ndarray) -> Callable[[], object]:
            both = jax.jit(jax.value_and_grad(lambda v: of_jax.self_overlap_volume(v, faces).sum()))
            return lambda: jax.block_until_ready(both(poses))

        ways["the batch, JAX, value and gradient"] = by_jax
    except ImportError as error:
        print("  without JAX:", error)
    for dtype in (np.float32, np.float64):
        for name, way in ways.items():
            each = milliseconds(rounds, way(poses.astype(dtype))) / len(poses)
            print(f"  {name}, {np.dtype(dtype)}: {each:.2f}", flush=True)


def measure_resolve(data: Path) -> None:
    print("| mesh | triangles | frames with self-contact | pairs | resolved | largest move, edges | turned | steps | milliseconds |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    moving = [(data / "deforming" / f"{name}.ply", f"@{data / 'deforming' / name}.pc2") for name in SEQUENCES]
    for path, motion in [*moving, *((data / "static" / f"{name}.ply", "") for name in STILL)]:
        body = cr.load(f"{path}{motion}")[0]
        rows = []
        for at in body:
            before = len(cr.self_pairs((body.mesh, at)))
            if not before:
                continue
            started = time.perf_counter()
            found = cr.resolve(at, body.mesh)
            took = 1e3 * (time.perf_counter() - started)
            left = len(cr.self_pairs((body.mesh, found.vertices)))
            rows.append((before, left, found.largest_move, found.turned, found.steps, took, found.near_left))
        if not rows:
            continue
        pairs, left, move, turned, steps, took, near = np.array(rows).T
        done = f"{(left == 0).sum()}" + (f" ({left.max():.0f} pairs left)" if left.any() else "")
        done += f", {(near > 0).sum()} without the margin" if near.any() else ""

        def spread(values: np.ndarray, form: str = ".0f") -> str:
            return f"{np.median(values):{form}}" + (f", at most {values.max():{form}}" if len(values) > 1 else "")

        count = f"{len(rows)} of {len(body)}"
        cells = [path.stem, f"{len(body.mesh):,}", count, spread(pairs), done, spread(move, ".2f"), spread(turned), spread(steps)]
        print("|", " | ".join([*cells, spread(took)]), "|", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, nargs="?", help="folder of data, as `cargo xtask verify` has it")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    measure_batch(arguments.rounds)
    if arguments.data:
        measure_resolve(arguments.data)


if __name__ == "__main__":
    main()
