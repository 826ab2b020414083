"""Times of the Python package beside python-fcl, ipc-toolkit, trimesh and Open3D, in one run.

    python3 peers/python.py [--rounds 9]

The first run makes a virtual environment in peers/.venv-python (or the folder PEERS_VENV names), installs the peers into it,
and builds and installs crumple itself (`pip install ./crates/crumple-py`), which every run repeats. Open3D is left out, with a message, where
it cannot be imported: on Debian it needs libusb-1.0-0, libgl1 and libgomp1. Answers are compared by `cargo xtask verify` (answers.py).

Times are CPU times of all threads, which a busy machine changes little: medians of the rounds in milliseconds per frame, from new
vertices to the complete answer, by every library as its documentation says for bodies that deform. crumple is also measured on one thread,
as most of the others are.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = Path(os.environ.get("PEERS_VENV", ROOT / "peers" / ".venv-python"))
PACKAGES = {
    "fcl": "python-fcl",
    "ipctk": "ipctk",
    "scipy": "scipy",
    "trimesh": "trimesh",
}


def in_venv():
    """Goes on inside the virtual environment, which is made at the first run."""
    python = VENV / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    if Path(sys.prefix).resolve() != VENV.resolve():
        install = [python, "-m", "pip", "install", "--quiet"]
        if subprocess.run([python, "-c", "import " + ", ".join(PACKAGES)], capture_output=True).returncode:
            subprocess.run([*install, *PACKAGES.values()], check=True)
            subprocess.run([*install, "open3d"])
        started = time.perf_counter()
        subprocess.run([*install, "--force-reinstall", "--no-deps", ROOT / "crates/crumple-py"], check=True)
        print(f"crumple was built and installed in {time.perf_counter() - started:.0f} s", flush=True)
        os.execv(python, [str(python), *sys.argv])


def spheres():
    """The two bodies of the fixtures, with six frames each."""
    import crumple as cr

    folder = ROOT / "fixtures"
    return [cr.load(f"{folder}/spheres_{name}.ply@{folder}/spheres_{name}.pc2")[0] for name in "ab"]


def fcl_model(faces, positions):
    import fcl

    model = fcl.BVHModel()
    model.beginModel(len(positions), len(faces))
    model.addSubModel(positions, faces)
    model.endModel()
    return model


def fcl_pairs(a, b, most=1_000_000):
    import fcl
    import numpy as np

    request, result = fcl.CollisionRequest(num_max_contacts=most, enable_contact=True), fcl.CollisionResult()
    fcl.collide(fcl.CollisionObject(a), fcl.CollisionObject(b), request, result)
    pairs = {(contact.b1, contact.b2) for contact in result.contacts}
    return np.array(sorted(pairs), np.uint32).reshape(-1, 2)


def joined(bodies, frame):
    import numpy as np

    positions = np.concatenate([body[frame] for body in bodies]).astype(np.float64)
    faces, first = [], 0
    for body in bodies:
        faces.append(body.mesh.faces.astype(np.int64) + first)
        first += body.mesh.vertex_count
    return positions, np.concatenate(faces)


def ipc_mesh(positions, faces):
    import ipctk
    import numpy as np

    edges = ipctk.edges(faces)
    return ipctk.CollisionMesh(positions, edges, faces.astype(np.int32))


def median_ms(rounds, work):
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(1e3 * (time.process_time() - start))
    return statistics.median(times)


def measure(rounds):
    import ipctk
    import numpy as np
    import trimesh

    import crumple as cr

    bodies = spheres()
    print(f"load {os.getloadavg()[0]:.2f}; two spheres of {len(bodies[0].mesh)} triangles, both deformed: CPU milliseconds per frame")
    rows = {}
    for frame in (1, 3, 5):
        at = [body[frame] for body in bodies]
        # Every vertex by itself, by up to a hundredth of the radius: what moves as a whole would need no new boxes.
        noise = np.random.default_rng(frame)
        moved = [positions + noise.uniform(-0.01, 0.01, positions.shape).astype(np.float32) for positions in at]
        times = {}
        for threads in (1, None):
            scene = cr.Scene(threads=threads)
            for body, positions in zip(bodies, at):
                scene.add(body.mesh, positions, name=body.name)
            state = [0]

            def ours(scene=scene, state=state):
                state[0] ^= 1
                for body, positions in enumerate(moved if state[0] else at):
                    scene.set_positions(body, positions)
                return scene.update().contacts

            ours()
            name = "crumple, 1 thread" if threads == 1 else "crumple"
            times[name] = median_ms(10 * rounds, ours)
        faces = [body.mesh.faces for body in bodies]
        doubles = [positions.astype(float) for positions in at]
        times["python-fcl"] = median_ms(
            rounds, lambda: fcl_pairs(*(fcl_model(of, positions) for of, positions in zip(faces, doubles)))
        )
        positions, all_faces = joined(bodies, frame)
        mesh = ipc_mesh(positions, all_faces)
        times["ipctk, yes or no"] = median_ms(rounds, lambda: ipctk.has_intersections(mesh, positions))

        def by_trimesh():
            manager = trimesh.collision.CollisionManager()
            for body, of, positions in zip(bodies, faces, doubles):
                manager.add_object(body.name, trimesh.Trimesh(positions, of, process=False))
            return manager.in_collision_internal(return_data=True)

        times["trimesh + python-fcl"] = median_ms(rounds, by_trimesh)
        by_open3d = open3d_question(faces, doubles)
        if by_open3d:
            # Compares every triangle with every other, so once has to do.
            times["Open3D, yes or no"] = median_ms(1, by_open3d)
        rows[frame] = times
    names = list(rows[5])
    print(f"{'':24}" + "".join(f"{f'frame {frame}':>12}" for frame in rows) + f"{'/ crumple, 1 thread':>22}")
    for name in names:
        ratios = [rows[frame][name] / rows[frame]["crumple, 1 thread"] for frame in rows]
        print(f"{name:24}" + "".join(f"{rows[frame][name]:12.3f}" for frame in rows) + f"{min(ratios):14.1f} to {max(ratios):.1f}")
    measure_overhead(rounds)
    print(f"load {os.getloadavg()[0]:.2f}")


def open3d_question(faces, doubles):
    try:
        import open3d
    except (ImportError, OSError) as error:
        print(f"Open3D is left out: {error}; on Debian, apt-get install libusb-1.0-0 libgl1 libgomp1")
        return None
    meshes = [
        open3d.geometry.TriangleMesh(open3d.utility.Vector3dVector(at), open3d.utility.Vector3iVector(of.astype("int32")))
        for of, at in zip(faces, doubles)
    ]

    def ask():
        for mesh, at in zip(meshes, doubles):
            mesh.vertices = open3d.utility.Vector3dVector(at)
        return meshes[0].is_intersecting(meshes[1])

    return ask


def measure_overhead(rounds):
    """What the calls cost beside the work: two bodies of four triangles, apart and in contact, so that there is next to none."""
    import numpy as np

    import crumple as cr

    faces = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    corner = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float32)
    moved = [corner, corner + np.float32(0.01)]
    for what, offset in (("apart", 9), ("in contact", 0.3)):
        scene = cr.Scene()
        scene.add(faces, corner)
        scene.add(faces, corner + np.float32(offset))

        def frames(scene=scene):
            for number in range(1000):
                scene.set_positions(0, moved[number % 2])
                scene.update().contacts

        each = 1e3 * median_ms(rounds, frames) / 1000
        print(f"set_positions, update and contacts of two bodies of four triangles, {what}: {each:.2f} microseconds")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9, help="how often each thing is timed")
    arguments = parser.parse_args()
    in_venv()
    measure(arguments.rounds)


if __name__ == "__main__":
    main()
