"""Potentials of what is near: crumple beside ipc-toolkit, values and times.

    python peers/potential.py [--data DIR] [--rounds 5]

In an environment with crumple, ipctk, numpy and scipy; `cargo xtask verify --data DIR` runs the comparison of values in its own.

- Values: energy, gradient and Hessian of the barrier of Li et al. 2020, with the mollifier of nearly parallel edges, exact and made
  positive semi-definite; the cubic barrier; a minimal separation; friction after a displacement. On the spheres in `fixtures`, on
  soups of triangles at random and on a grid, where edges are parallel and features degenerate, and on the cloth and ball of the data.
- Times, by `python peers/potential.py`: one thread, medians of the rounds in milliseconds. crumple: update of the scene with what is near,
  and energy, gradient and Hessian. ipc-toolkit: NormalCollisions.build, which finds candidates, and the same three.

If a value differs by more than 1e-9 of the largest, the program ends with an error.
"""

import argparse
import statistics
import time
from pathlib import Path

import ipctk
import numpy as np
from scipy import sparse

import crumple as cr

ROOT = Path(__file__).resolve().parent.parent

PROJECTIONS = {
    "none": ipctk.PSDProjectionMethod.NONE,
    "clamp": ipctk.PSDProjectionMethod.CLAMP,
    "abs": ipctk.PSDProjectionMethod.ABS,
}


class Both:
    """One mesh that is asked about itself, in both libraries."""

    def __init__(self, faces, rest, positions, reach, *, barrier="log", thickness=0.0, areas=False):
        self.faces, self.positions, self.reach, self.thickness = faces, positions, reach, thickness
        self.mesh = ipctk.CollisionMesh(rest, ipctk.edges(faces), faces)
        kind = ipctk.ClampedLogBarrier() if barrier == "log" else ipctk.CubicBarrier()
        self.theirs = ipctk.BarrierPotential(kind, reach, 1.0, areas)
        self.areas = areas
        self.scene = cr.Scene(threads=1)
        self.body = self.scene.add(cr.Mesh(faces, vertex_count=len(rest)), positions, self_collision=True)
        self.ours = cr.ContactPotential(reach, barrier=barrier, thickness=thickness, areas=areas)
        self.ours.set_rest(self.scene.update(), self.body, rest)

    def build(self):
        collisions = ipctk.NormalCollisions()
        collisions.use_area_weighting = self.areas
        collisions.build(self.mesh, self.positions, self.reach, self.thickness)
        return collisions

    def update(self):
        self.scene.set_positions(self.body, self.positions)
        self.ours.update(self.scene.update())

    def hessian(self, projection):
        values, (rows, columns) = self.ours.hessian(projection)
        size = 3 * len(self.positions)
        return sparse.csc_array(sparse.coo_array((values, (rows, columns)), shape=(size, size)))


def difference(ours, theirs):
    """The largest difference, as a part of the largest value."""
    largest = np.abs(theirs).max()
    return np.abs(ours - theirs).max() / largest if largest > 0 else np.abs(ours).max()


def agree(what, both, *, friction=True):
    """The largest difference of all values."""
    collisions = both.build()
    both.update()
    theirs, worst = both.theirs, {}
    worst["energy"] = abs(both.ours.energy() - theirs(collisions, both.mesh, both.positions)) / max(both.ours.energy(), 1e-300)
    gradient = theirs.gradient(collisions, both.mesh, both.positions)
    worst["gradient"] = difference(both.ours.gradient().ravel(), gradient)
    for name, method in PROJECTIONS.items():
        hessian = theirs.hessian(collisions, both.mesh, both.positions, method)
        worst[f"Hessian, {name}"] = difference(both.hessian(name).toarray(), hessian.toarray()) if len(both.positions) < 3000 else (
            np.abs((both.hessian(name) - hessian).data).max() / np.abs(hessian.data).max()
        )
    assert len(both.ours.stencils()) == len(collisions), f"{what}: {len(both.ours.stencils())} stencils, ipc-toolkit has {len(collisions)}"
    if friction:
        tangential = ipctk.TangentialCollisions()
        tangential.build(both.mesh, both.positions, collisions, theirs, 0.5)
        ours = cr.Friction(0.5, 1e-3)
        ours.lag(both.ours)
        slid = both.reach * np.random.default_rng(1).normal(size=both.positions.shape)
        both.scene.set_positions(both.body, both.positions + slid)
        ours.update(both.scene.update())
        potential = ipctk.FrictionPotential(1e-3)
        slid = (both.positions + slid) - both.positions
        energy = potential(tangential, both.mesh, slid)
        worst["friction"] = abs(ours.energy() - energy) / max(energy, 1e-300)
        worst["gradient of friction"] = difference(ours.gradient().ravel(), potential.gradient(tangential, both.mesh, slid))
        both.scene.set_positions(both.body, both.positions)
    print(f"  {what}: {len(collisions)} stencils; " + ", ".join(f"{name} {value:.1e}" for name, value in worst.items()))
    assert all(value < 1e-9 for value in worst.values()), f"{what} differs from ipc-toolkit"


def soup(chance, grid):
    """Triangles in a box, half of which share vertices with others."""
    points = chance.integers(-8, 9, (60, 3)) / 8 if grid else chance.uniform(-1, 1, (60, 3))
    faces = []
    while len(faces) < 50:
        face = chance.choice(60, 3, replace=False)
        edges = points[face[1]] - points[face[0]], points[face[2]] - points[face[0]]
        if np.linalg.norm(np.cross(*edges)) > 1e-2 and np.linalg.norm(edges, axis=1).max() < 1.2:
            faces.append(face)
    # A vertex of no triangle takes part in ipc-toolkit only.
    used, faces = np.unique(faces, return_inverse=True)
    return faces.reshape(-1, 3).astype(np.int32), points[used]


def spheres():
    """The last frame of the fixtures, as one mesh."""
    folder = ROOT / "fixtures"
    bodies = [cr.load(f"{folder}/spheres_{name}.ply@{folder}/spheres_{name}.pc2")[0] for name in "ab"]
    return joined([(body.mesh.faces, body[0]) for body in bodies])


def joined(bodies):
    faces, points, first = [], [], 0
    for of_body, positions in bodies:
        faces.append(of_body.astype(np.int32) + first)
        points.append(positions.astype(float))
        first += len(positions)
    return np.concatenate(faces), np.concatenate(points)


def cloth_ball(data):
    body = cr.load(data / "deforming/cloth_ball92.ply")[0]
    return body.mesh.faces.astype(np.int32), body[0].astype(float)


def compare(data):
    chance = np.random.default_rng(7)
    for grid in (False, True):
        for _ in range(4):
            faces, points = soup(chance, grid)
            rest = points + 0.05 * chance.normal(size=points.shape)
            what = "a soup on a grid" if grid else "a soup"
            # On a grid features touch, where the logarithm is infinite and a cube is not.
            agree(what, Both(faces, rest, points, 0.1, barrier="cubic" if grid else "log"), friction=not grid)
    faces, points = spheres()
    size = np.ptp(points, axis=0).max()
    agree("spheres", Both(faces, points, points, 0.005 * size))
    agree("spheres, cubic", Both(faces, points, points, 0.005 * size, barrier="cubic"))
    agree("spheres, 1e-3 apart", Both(faces, points, points, 0.005 * size, thickness=1e-3 * size))
    agree("spheres, areas", Both(faces, points, points, 0.005 * size, areas=True))
    if data:
        faces, points = cloth_ball(data)
        agree("cloth on a ball", Both(faces, points, points, 1e-3 * np.ptp(points, axis=0).max()))


def median(rounds, work):
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        work()
        times.append((time.perf_counter() - begin) * 1e3)
    return statistics.median(times)


def measure(what, both, rounds):
    ours = {
        "near": lambda: both.update(),
        "energy": lambda: both.ours.energy(),
        "gradient": lambda: both.ours.gradient(),
        "Hessian": lambda: both.hessian("clamp"),
    }
    collisions = both.build()
    at = (collisions, both.mesh, both.positions)
    theirs = {
        "near": lambda: both.build(),
        "energy": lambda: both.theirs(*at),
        "gradient": lambda: both.theirs.gradient(*at),
        "Hessian": lambda: both.theirs.hessian(*at, ipctk.PSDProjectionMethod.CLAMP),
    }
    both.update()
    for name in ours:
        a, b = median(rounds, ours[name]), median(rounds, theirs[name])
        print(f"{what:28} {len(collisions):>9} {name:10} {a:10.3f} {b:12.3f} {b / a:8.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder of meshes, as `cargo xtask verify` has it")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    compare(arguments.data)
    ipctk.set_num_threads(1)
    print(f"{'scene':28} {'stencils':>9} {'':10} {'crumple':>10} {'ipc-toolkit':>12} {'ratio':>8}")
    faces, points = spheres()
    measure("spheres, 0.5 %", Both(faces, points, points, 0.005 * np.ptp(points, axis=0).max()), arguments.rounds)
    if arguments.data:
        faces, points = cloth_ball(arguments.data)
        size = np.ptp(points, axis=0).max()
        for share in (1e-3, 3e-3, 1e-2):
            measure(f"cloth on a ball, {share:.1%}", Both(faces, points, points, share * size), arguments.rounds)


if __name__ == "__main__":
    main()
