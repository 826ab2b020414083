"""Distances, closest points and rays: crumple beside FCL, ipc-toolkit and Open3D (Embree), in one run on one machine.

    python3 peers/distance.py [--rounds 5] [--only distance|near|probes]

The first run makes a virtual environment in peers/.venv (or the folder PEERS_VENV names) and installs numpy, scipy, ipctk,
python-fcl and open3d into it; open3d needs Debian's libusb-1.0-0, libgl1 and libgomp1. The frames come from `crumple scene`.

- distance: LE1 before contact. The Python binding of FCL cannot refit its trees, so they are built anew for the new vertices,
  which is counted apart from the query: the ratio of the query alone is the one to quote. crumple's times are update and
  query, from the last answer (warm) and from none (cold).
- near: the last frames of LE1 with both bodies, and the cloth of CR1 with itself: features closer than d. ipc-toolkit finds
  candidates by its default broad phase, inflated by d / 2, and each is measured with its distance functions. Its filter is
  timed as NormalCollisions.build, which does candidates and filter in one; as sets, its candidates filtered by
  distance are compared with crumple's list.
- probes: 100,000 closest points, with sign, and 1,000,000 rays, on a body of LE1 that has just deformed. Open3D's
  RaycastingScene (Embree 4) has no refit: it is built anew, which is counted apart.

crumple runs on one thread, and again on as many as there are; so do the others where they can be told. Times are medians of
the rounds in milliseconds; the load of the machine is printed before and after.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import motion
from motion import ROOT, TARGET, joined, read_step, timed

motion.PACKAGES = ["numpy", "scipy", "ipctk", "fcl", "open3d"]
WHEELS = ["numpy", "scipy", "ipctk", "python-fcl", "open3d"]


def in_venv():
    """Goes on inside the virtual environment, which is made at the first run."""
    python = motion.VENV / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", motion.VENV], check=True)
    if Path(sys.prefix).resolve() != motion.VENV.resolve():
        if subprocess.run([python, "-c", "import " + ", ".join(motion.PACKAGES)], capture_output=True).returncode:
            subprocess.run([python, "-m", "pip", "install", "--quiet", *WHEELS], check=True)
        os.execv(python, [str(python), *sys.argv])


def run(words, threads):
    """The `name value` lines a program prints."""
    environment = {**os.environ, "RAYON_NUM_THREADS": str(threads)}
    output = subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True, env=environment).stdout
    return {name: float(value) for name, value in (line.split() for line in output.splitlines())}


def write_step(file, bodies):
    """Bodies as the examples read them."""
    import numpy as np

    with file.open("wb") as out:
        for start, end, triangles in bodies:
            out.write(np.array([len(start), len(triangles)], "<u4").tobytes())
            out.write(start.astype("<f4").tobytes() + end.astype("<f4").tobytes() + triangles.astype("<u4").tobytes())


def distances(tools, folder, rounds):
    """LE1 before contact: FCL beside crumple."""
    import fcl
    import numpy as np

    print("distance of the bodies of LE1, milliseconds")
    print(f"{'frame':>6} {'distance':>12} {'warm':>8} {'cold':>8} {'update':>8}   {'FCL build':>9} {'query':>8} {'query /':>7} {'both /':>7}")
    for frame in (1, 30, 50, 58):
        bodies = read_step(tools["crumple"], folder, None, "LE1", frame)
        file = folder / "step"
        write_step(file, bodies)
        ours = run([tools["distance"], file, rounds, 0.0], 1)
        objects = []

        def rebuild():
            objects.clear()
            for _, end, triangles in bodies:
                model = fcl.BVHModel()
                model.beginModel(len(end), len(triangles))
                model.addSubModel(end.astype(np.float64), triangles)
                model.endModel()
                objects.append(fcl.CollisionObject(model))

        build_ms, _ = timed(rounds, rebuild)
        request = fcl.DistanceRequest(enable_nearest_points=True)
        query_ms, theirs = timed(rounds, lambda: fcl.distance(objects[0], objects[1], request, fcl.DistanceResult()))
        whole = ours["update_ms"] + ours["warm_ms"]
        print(
            f"{frame:6} {ours['distance']:12.9f} {ours['warm_ms']:8.3f} {ours['cold_ms']:8.3f} {ours['update_ms']:8.3f}   "
            f"{build_ms:9.3f} {query_ms:8.3f} {query_ms / whole:7.1f} {(build_ms + query_ms) / whole:7.0f}   FCL {theirs:.9f}",
            flush=True,
        )


def near(tools, folder, rounds):
    """All features closer than d: ipc-toolkit beside crumple, as sets and in time."""
    import ipctk
    import numpy as np

    print("features closer than d, milliseconds")
    for name, scene, frame, own, d in (
        ("LE1 58", "LE1", 58, False, 0.05),
        ("LE1 100", "LE1", 100, False, 0.01),
        ("CR1 32, 1 %", "CR1", 32, True, 0.01),
        ("CR1 32, 0.1 %", "CR1", 32, True, 0.001),
    ):
        bodies = read_step(tools["crumple"], folder, None, scene, frame)
        if own:
            d *= float(np.ptp(bodies[0][1], axis=0).max())
        file, answers = folder / "step", folder / "near"
        write_step(file, bodies)
        ours = run([tools["distance"], file, rounds, d, answers], 1)
        (_, ends), faces, owners = joined(bodies)
        ipctk.set_num_threads(1)
        mesh = ipctk.CollisionMesh(ends, ipctk.edges(faces), faces)
        if not own:
            mesh.can_collide = ipctk.make_vertex_patches_filter(owners)
        candidates = ipctk.Candidates()
        build_ms, _ = timed(rounds, lambda: candidates.build(mesh, ends, d / 2))

        def filtered():
            # Candidates and distances in one pass of ipc-toolkit's own.
            collisions = ipctk.NormalCollisions()
            collisions.build(candidates, mesh, ends, d)
            return collisions

        filter_ms, _ = timed(rounds, filtered)
        # As sets: the squared distance of each candidate by ipc-toolkit.
        starts = np.cumsum([0] + [len(body[0]) for body in bodies])
        face_starts = np.cumsum([0] + [len(body[2]) for body in bodies])
        listed = np.frombuffer(answers.read_bytes(), "<u4").reshape(-1, 7).astype(int)
        vf = {(starts[a] + v, face_starts[b] + t) for kind, a, b, v, t, _, _ in listed if kind == 0}
        ee = set()
        for kind, a, b, p, q, r, s in listed:
            if kind == 1:
                edges = [tuple(sorted((starts[a] + p, starts[a] + q))), tuple(sorted((starts[b] + r, starts[b] + s)))]
                ee.add(tuple(sorted(edges)))
        their_vf, their_ee, closest_to_d = set(), set(), np.inf
        for c in candidates.fv_candidates:
            squared = ipctk.point_triangle_distance(ends[c.vertex_id], *ends[mesh.faces[c.face_id]])
            closest_to_d = min(closest_to_d, abs(np.sqrt(squared) / d - 1))
            if squared < d * d:
                their_vf.add((c.vertex_id, c.face_id))
        for c in candidates.ee_candidates:
            one, other = (tuple(sorted(mesh.edges[k])) for k in (c.edge0_id, c.edge1_id))
            squared = ipctk.edge_edge_distance(*ends[list(one)], *ends[list(other)])
            closest_to_d = min(closest_to_d, abs(np.sqrt(squared) / d - 1))
            if squared < d * d:
                their_ee.add(tuple(sorted((one, other))))
        whole = ours["update_ms"] + ours["near_ms"]
        print(
            f"{name:14} d {d:.5f}: crumple {len(vf)} + {len(ee)} in {whole:.3f}; ipc-toolkit {len(their_vf)} + {len(their_ee)}, "
            f"build {build_ms:.1f}, filter {filter_ms:.1f}: {(build_ms + filter_ms) / whole:.0f} times; "
            f"only ours {len(vf - their_vf)} + {len(ee - their_ee)}, only theirs {len(their_vf - vf)} + {len(their_ee - ee)}; "
            f"nearest to d by {closest_to_d:.1e}",
            flush=True,
        )


def probes(tools, folder, rounds):
    """Closest points and rays: Open3D beside crumple."""
    import numpy as np
    import open3d as o3d

    bodies = read_step(tools["crumple"], folder, None, "LE1", 100)
    start, end, triangles = bodies[0]
    random = np.random.default_rng(3)
    centre, size = end.mean(axis=0), float(np.ptp(end, axis=0).max())
    points = (centre + random.uniform(-0.75, 0.75, (100_000, 3)) * size).astype("<f4")
    origins = random.normal(size=(1_000_000, 3))
    origins = centre + 1.5 * size * origins / np.linalg.norm(origins, axis=1, keepdims=True)
    targets = centre + random.uniform(-0.5, 0.5, (1_000_000, 3)) * size
    rays = np.concatenate([origins, targets - origins], axis=1).astype("<f4")
    file, answers = folder / "query", folder / "answers"
    with file.open("wb") as out:
        out.write(np.array([len(start), len(triangles), len(points), len(rays)], "<u4").tobytes())
        for array in (start.astype("<f4"), end.astype("<f4"), triangles.astype("<u4"), points, rays):
            out.write(array.tobytes())
    print("closest points and rays on a body of LE1, milliseconds")
    cores = os.cpu_count()
    for threads in sorted({1, cores}):
        ours = run([tools["probe"], file, rounds, answers], threads)
        found = np.frombuffer(answers.read_bytes(), "<f8")

        def build():
            scene = o3d.t.geometry.RaycastingScene(nthreads=threads)
            scene.add_triangles(o3d.core.Tensor(end.astype(np.float32)), o3d.core.Tensor(triangles.astype(np.uint32)))
            # The tree is made at the first question.
            scene.cast_rays(o3d.core.Tensor(rays[:1]), nthreads=threads)
            return scene

        build_ms, scene = timed(rounds, build)
        p, r = o3d.core.Tensor(points), o3d.core.Tensor(rays)
        points_ms, _ = timed(rounds, lambda: scene.compute_closest_points(p, nthreads=threads))
        signed_ms, signed = timed(rounds, lambda: scene.compute_signed_distance(p, nthreads=threads))
        rays_ms, cast = timed(rounds, lambda: scene.cast_rays(r, nthreads=threads))
        off = np.abs(signed.numpy().astype(np.float64) - found[: len(points)]).max() / size
        t, their_t = found[len(points) :], cast["t_hit"].numpy().astype(np.float64)
        both = np.isfinite(t) & np.isfinite(their_t)
        differ = int((np.isfinite(t) != np.isfinite(their_t)).sum())
        off_rays = np.abs(t[both] - their_t[both]).max()
        for name, mine, theirs in (
            ("100,000 closest points", ours["points_ms"], points_ms),
            ("the same with sign", ours["signed_ms"], signed_ms),
            ("1,000,000 rays", ours["rays_ms"], rays_ms),
        ):
            print(
                f"{name:24} {threads} threads: crumple {ours['update_ms'] + mine:9.1f}, Open3D {theirs:9.1f} + {build_ms:.1f} "
                f"to build: {(theirs + build_ms) / (ours['update_ms'] + mine):5.2f} times",
                flush=True,
            )
        print(f"signed distances differ by {off:.1e} of the size; {differ} rays hit for one only, t differs by {off_rays:.1e}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="how often each thing is timed")
    parser.add_argument("--only", choices=["distance", "near", "probes"], help="one comparison, in place of all")
    arguments = parser.parse_args()
    in_venv()
    build = ["cargo", "build", "--quiet", "--release"]
    subprocess.run([*build, "--package", "crumple-cli"], check=True, cwd=ROOT)
    subprocess.run([*build, "--package", "crumple-bench", "--examples"], check=True, cwd=ROOT)
    examples = TARGET / "release" / "examples"
    tools = {
        "crumple": TARGET / "release" / "crumple",
        "distance": examples / "near_times",
        "probe": examples / "probe_times",
    }
    print(f"load {os.getloadavg()[0]:.2f}")
    with tempfile.TemporaryDirectory() as folder:
        for name, compare in (("distance", distances), ("near", near), ("probes", probes)):
            if arguments.only in (None, name):
                compare(tools, Path(folder), arguments.rounds)
    print(f"load {os.getloadavg()[0]:.2f}")


if __name__ == "__main__":
    main()
