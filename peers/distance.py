"""Distances, closest points and rays: crumple beside FCL, Coal, ipc-toolkit, libigl and Open3D (Embree), in one run.

    python3 peers/distance.py [--rounds 5] [--only distance|near|probes] [--built]

The first run makes a virtual environment in peers/.venv (or the folder PEERS_VENV names) and installs numpy, scipy, ipctk,
python-fcl, coal, libigl and open3d into it; open3d needs Debian's libusb-1.0-0, libgl1 and libgomp1. The frames come from
`crumple scene`. Answers are compared first, then one table is printed.

- distance: LE1 before contact. crumple: update and query, from the last answer (warm) and from none (cold). Coal, a fork of
  FCL, replaces the vertices and refits its trees, from the leaves upwards (fast, but loose) or each node from its vertices
  (tight, but slow). The Python binding of FCL cannot: its trees are built anew, so only its
  query can be compared.
- near: the last frames of LE1 with both bodies, and the cloth of CR1 with itself: features closer than d. ipc-toolkit finds
  candidates by its default broad phase, inflated by d / 2, and NormalCollisions.build measures them. As sets, its
  candidates, measured by its distance functions, are compared with crumple's list; for the cloth at 1 %, where there are
  millions, on a strip of the cloth.
- probes: 100,000 closest points, with sign, and 1,000,000 rays, on a body of LE1 that has just deformed. Open3D's
  RaycastingScene (Embree 4) and libigl have no refit: they are built anew, which is part of their time.

Everything runs on one thread. Times are medians of the rounds, in milliseconds of processor time, which a busy machine
inflates less than time by the clock, but does inflate: the load of the machine is printed before and after.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import motion
from motion import ROOT, TARGET, joined, read_step

motion.PACKAGES = ["numpy", "scipy", "ipctk", "fcl", "coal", "igl", "open3d"]
WHEELS = ["numpy", "scipy", "ipctk", "python-fcl", "coal", "libigl", "open3d"]


def in_venv():
    """Goes on inside the virtual environment, which is made at the first run."""
    python = motion.VENV / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", motion.VENV], check=True)
    if Path(sys.prefix).resolve() != motion.VENV.resolve():
        if subprocess.run([python, "-c", "import " + ", ".join(motion.PACKAGES)], capture_output=True).returncode:
            subprocess.run([python, "-m", "pip", "install", "--quiet", *WHEELS], check=True)
        os.execv(python, [str(python), *sys.argv])


def timed(rounds, work):
    """The median processor time of some work in milliseconds, and what it returned last."""
    times = []
    for _ in range(rounds):
        begin = time.process_time()
        result = work()
        times.append((time.process_time() - begin) * 1e3)
    return statistics.median(times), result


def run(*words):
    """The `name value` lines a program prints, on one thread."""
    environment = {**os.environ, "RAYON_NUM_THREADS": "1"}
    output = subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True, env=environment).stdout
    return {name: float(value) for name, value in (line.split() for line in output.splitlines())}


def write_step(file, bodies):
    """Bodies as the examples read them."""
    import numpy as np

    with file.open("wb") as out:
        for start, end, triangles in bodies:
            out.write(np.array([len(start), len(triangles)], "<u4").tobytes())
            out.write(start.astype("<f4").tobytes() + end.astype("<f4").tobytes() + triangles.astype("<u4").tobytes())


class Table:
    """What everybody took."""

    def __init__(self):
        self.rows = []

    def row(self, question, crumple, peer, update, query):
        """Milliseconds of crumple in all, and of a peer; its update is None where only the queries can be compared."""
        self.rows.append((question, crumple, peer, update, query))

    def show(self):
        print(f"{'question':34} {'crumple':>9}   {'peer':16} {'update':>9} {'query':>9} {'ratio':>7}")
        for question, crumple, peer, update, query in self.rows:
            before = "-" if update is None else f"{update:9.3f}"
            ratio = ((update or 0.0) + query) / crumple
            print(f"{question:34} {crumple:9.3f}   {peer:16} {before:>9} {query:9.3f} {ratio:7.2f}")


def distances(tools, folder, rounds, table):
    """LE1 before contact: FCL and Coal beside crumple."""
    import coal
    import fcl
    import numpy as np

    # These take microseconds.
    rounds *= 5
    for frame in (1, 30, 50, 58):
        bodies = read_step(tools["crumple"], folder, None, "LE1", frame)
        file = folder / "step"
        write_step(file, bodies)
        ours = run(tools["distance"], file, rounds, 0.0)
        built = []
        for _, end, triangles in bodies:
            model = fcl.BVHModel()
            model.beginModel(len(end), len(triangles))
            model.addSubModel(end.astype(np.float64), triangles)
            model.endModel()
            built.append(fcl.CollisionObject(model))
        request = fcl.DistanceRequest(enable_nearest_points=True)
        fcl_ms, by_fcl = timed(rounds, lambda: fcl.distance(built[0], built[1], request, fcl.DistanceResult()))
        refitted, ends = [], []
        for start, end, triangles in bodies:
            model = coal.BVHModelOBBRSS()
            model.beginModel(len(triangles), len(start))
            model.addVertices(start.astype(np.float64))
            model.addTriangles(triangles.astype(np.int64))
            model.endModel()
            refitted.append(model)
            points = coal.StdVec_Vec3s()
            points.extend(list(end.astype(np.float64)))
            ends.append(points)

        def refit(from_below):
            for model, points in zip(refitted, ends):
                model.beginReplaceModel()
                model.replaceSubModel(points)
                model.endReplaceModel(True, from_below)

        by_coal = []
        for way, from_below in (("Coal, from below", True), ("Coal, from above", False)):
            refit_ms, _ = timed(rounds, lambda: refit(from_below))
            objects = [coal.CollisionObject(model, coal.Transform3s.Identity()) for model in refitted]
            query = lambda: coal.distance(objects[0], objects[1], coal.DistanceRequest(), coal.DistanceResult())
            by_coal.append((way, refit_ms, *timed(rounds, query)))
        print(
            f"LE1 {frame}: distance {ours['distance']:.12f}, FCL differs by {abs(by_fcl / ours['distance'] - 1):.1e} of it, "
            f"Coal by {max(abs(found / ours['distance'] - 1) for *_, found in by_coal):.1e}",
            flush=True,
        )
        warm, cold = (ours["update_ms"] + ours[name] for name in ("warm_ms", "cold_ms"))
        for way, refit_ms, coal_ms, _ in by_coal:
            table.row(f"distance, LE1 {frame}, warm", warm, way, refit_ms, coal_ms)
        table.row(f"distance, LE1 {frame}, warm", warm, "FCL, query only", None, fcl_ms)
        table.row(f"distance, LE1 {frame}, cold", cold, "FCL, query only", None, fcl_ms)


def near_sets(bodies, d, answers, mesh, ends, candidates):
    """Prints how crumple's list differs from ipc-toolkit's candidates closer than d."""
    import ipctk
    import numpy as np

    starts = np.cumsum([0] + [len(body[0]) for body in bodies])
    face_starts = np.cumsum([0] + [len(body[2]) for body in bodies])
    listed = np.frombuffer(answers.read_bytes(), "<u4").reshape(-1, 7).astype(np.int64)
    of_faces, of_edges = listed[listed[:, 0] == 0], listed[listed[:, 0] == 1]
    vf = set(zip((starts[of_faces[:, 1]] + of_faces[:, 3]).tolist(), (face_starts[of_faces[:, 2]] + of_faces[:, 4]).tolist()))
    edge = lambda at: np.sort(at, axis=1).tolist()
    first = edge(starts[of_edges[:, 1], None] + of_edges[:, 3:5])
    second = edge(starts[of_edges[:, 2], None] + of_edges[:, 5:7])
    ee = {tuple(sorted((tuple(p), tuple(q)))) for p, q in zip(first, second)}

    def boxes_are_near(one, other):
        # What is farther than its boxes needs no measuring.
        apart = np.maximum(one.min(axis=1) - other.max(axis=1), other.min(axis=1) - one.max(axis=1))
        return np.flatnonzero((np.maximum(apart, 0.0) ** 2).sum(axis=1) < d * d * (1 + 1e-9))

    points, faces, edges = np.ascontiguousarray(ends), np.asarray(mesh.faces), np.sort(np.asarray(mesh.edges), axis=1)
    their_vf, their_ee, closest_to_d = set(), set(), np.inf
    ids = np.array([(c.vertex_id, c.face_id) for c in candidates.fv_candidates], np.int64).reshape(-1, 2)
    for at in boxes_are_near(points[ids[:, :1]], points[faces[ids[:, 1]]]):
        vertex, face = ids[at]
        squared = ipctk.point_triangle_distance(points[vertex], *points[faces[face]])
        closest_to_d = min(closest_to_d, abs(np.sqrt(squared) / d - 1))
        if squared < d * d:
            their_vf.add((int(vertex), int(face)))
    ids = np.array([(c.edge0_id, c.edge1_id) for c in candidates.ee_candidates], np.int64).reshape(-1, 2)
    for at in boxes_are_near(points[edges[ids[:, 0]]], points[edges[ids[:, 1]]]):
        one, other = (edges[k] for k in ids[at])
        squared = ipctk.edge_edge_distance(*points[one], *points[other])
        closest_to_d = min(closest_to_d, abs(np.sqrt(squared) / d - 1))
        if squared < d * d:
            their_ee.add(tuple(sorted((tuple(one.tolist()), tuple(other.tolist())))))
    print(
        f"    as sets: crumple {len(vf)} + {len(ee)}, ipc-toolkit {len(their_vf)} + {len(their_ee)}; only crumple "
        f"{len(vf - their_vf)} + {len(ee - their_ee)}, only ipc-toolkit {len(their_vf - vf)} + {len(their_ee - ee)}; the "
        f"closest to d is {closest_to_d:.1e} of d from it",
        flush=True,
    )


def strip(body, part):
    """The triangles of the first vertices of a body."""
    start, end, triangles = body
    kept = int(len(start) * part)
    return start[:kept], end[:kept], triangles[(triangles < kept).all(axis=1)]


def near(tools, folder, rounds, table):
    """All features closer than d: ipc-toolkit beside crumple, as sets and in time."""
    import ipctk
    import numpy as np

    for name, scene, frame, own, d, part in (
        ("LE1 58", "LE1", 58, False, 0.05, 1),
        ("LE1 100", "LE1", 100, False, 0.01, 1),
        ("cloth 32, 0.1 %", "CR1", 32, True, 0.001, 1),
        ("cloth 32, 1 %, a strip", "CR1", 32, True, 0.01, 0.06),
        ("cloth 32, 1 %", "CR1", 32, True, 0.01, 1),
    ):
        bodies = read_step(tools["crumple"], folder, None, scene, frame)
        if own:
            d *= float(np.ptp(bodies[0][1], axis=0).max())
        if part < 1:
            bodies = [strip(body, part) for body in bodies]
        file, answers = folder / "step", folder / "near"
        write_step(file, bodies)
        # The first round also prepares the meshes, as ipc-toolkit does before its clock starts.
        ours = run(tools["distance"], file, max(rounds, 3), d, answers)
        (_, ends), faces, owners = joined(bodies)
        ipctk.set_num_threads(1)
        mesh = ipctk.CollisionMesh(ends, ipctk.edges(faces), faces)
        if not own:
            mesh.can_collide = ipctk.make_vertex_patches_filter(owners)
        candidates = ipctk.Candidates()
        build_ms, _ = timed(rounds, lambda: candidates.build(mesh, ends, d / 2))

        def filtered():
            collisions = ipctk.NormalCollisions()
            collisions.build(candidates, mesh, ends, d)
            return collisions

        filter_ms, _ = timed(rounds, filtered)
        count = candidates.num_candidates if hasattr(candidates, "num_candidates") else len(candidates)
        print(f"{name}: features closer than {d:.6f}: {int(ours['near'])}; ipc-toolkit has {count} candidates", flush=True)
        if count < 5_000_000:
            near_sets(bodies, d, answers, mesh, ends, candidates)
        table.row(f"near, {name}", ours["update_ms"] + ours["near_ms"], "ipc-toolkit", build_ms, filter_ms)


def probes(tools, folder, rounds, table):
    """Closest points and rays: Open3D and libigl beside crumple."""
    import igl
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
    ours = run(tools["probe"], file, rounds, answers)
    found = np.frombuffer(answers.read_bytes(), "<f8")

    def build():
        scene = o3d.t.geometry.RaycastingScene(nthreads=1)
        scene.add_triangles(o3d.core.Tensor(end.astype(np.float32)), o3d.core.Tensor(triangles.astype(np.uint32)))
        # The tree is made at the first question.
        scene.cast_rays(o3d.core.Tensor(rays[:1]), nthreads=1)
        return scene

    build_ms, scene = timed(rounds, build)
    p, r = o3d.core.Tensor(points), o3d.core.Tensor(rays)
    points_ms, _ = timed(rounds, lambda: scene.compute_closest_points(p, nthreads=1))
    signed_ms, signed = timed(rounds, lambda: scene.compute_signed_distance(p, nthreads=1))
    rays_ms, cast = timed(rounds, lambda: scene.cast_rays(r, nthreads=1))
    kind = igl.SIGNED_DISTANCE_TYPE_PSEUDONORMAL
    arrays = [array.astype(kind_of) for array, kind_of in ((points, np.float64), (end, np.float64), (triangles, np.int64))]
    igl_ms, by_igl = timed(1, lambda: igl.signed_distance(*arrays, kind)[0])
    distances = found[: len(points)]
    for name, theirs in (("Open3D", signed.numpy().astype(np.float64)), ("libigl", by_igl)):
        off = np.abs(theirs - distances)
        signs = int((np.sign(theirs) != np.sign(distances)).sum())
        print(f"signed distances: {name} differs by {off.max() / size:.1e} of the size at most, in sign at {signs} points")
    t, their_t = found[len(points) :], cast["t_hit"].numpy().astype(np.float64)
    both = np.isfinite(t) & np.isfinite(their_t)
    differ = int((np.isfinite(t) != np.isfinite(their_t)).sum())
    print(f"rays: {int(both.sum())} hit, {differ} for one only, t differs by {np.abs(t[both] - their_t[both]).max():.1e}", flush=True)
    for name, key, query in (
        ("100,000 closest points", "points_ms", points_ms),
        ("100,000 signed distances", "signed_ms", signed_ms),
        ("1,000,000 rays", "rays_ms", rays_ms),
    ):
        table.row(name, ours["update_ms"] + ours[key], "Open3D (Embree)", build_ms, query)
    table.row("100,000 signed distances", ours["update_ms"] + ours["signed_ms"], "libigl, all in", 0.0, igl_ms)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="how often each thing is timed")
    parser.add_argument("--only", choices=["distance", "near", "probes"], help="one comparison, in place of all")
    parser.add_argument("--built", action="store_true", help="use the programs in target/release as they are")
    arguments = parser.parse_args()
    in_venv()
    if not arguments.built:
        build = ["cargo", "build", "--quiet", "--release"]
        subprocess.run([*build, "--package", "crumple-cli"], check=True, cwd=ROOT)
        names = ["--example", "near_times", "--example", "probe_times"]
        subprocess.run([*build, "--package", "crumple-bench", *names], check=True, cwd=ROOT)
    examples = TARGET / "release" / "examples"
    tools = {
        "crumple": TARGET / "release" / "crumple",
        "distance": examples / "near_times",
        "probe": examples / "probe_times",
    }
    table = Table()
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        for name, compare in (("distance", distances), ("near", near), ("probes", probes)):
            if arguments.only in (None, name):
                compare(tools, Path(folder), arguments.rounds, table)
    print(f"\none thread, milliseconds of processor time, load {before:.2f} before and {os.getloadavg()[0]:.2f} after")
    table.show()


if __name__ == "__main__":
    main()
