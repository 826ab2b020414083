"""Overlap volumes and points inside: crumple beside manifold3d and Open3D, in one run on one machine.

    python3 peers/volume.py DATA [--rounds 15]

DATA is a folder with `static/*.ply`. The first run makes a virtual environment in peers/.venv and installs numpy,
manifold3d and open3d into it. crumple's side is the example `volume_times` of crumple-io, built with optimisation. One thread where
the library lets one choose; Open3D's build runs on one, its query on all threads it finds. Times are medians in
milliseconds, of deforming bodies: whatever is kept between frames is not counted, whatever must be made anew is.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / "peers" / ".venv"
PACKAGES = ["numpy", "manifold3d", "open3d"]
RESOLUTION = 128

# Two meshes and how the second is moved: a shallow and a deep overlap each.
PAIRS = [
    ("knot_12k", "bunny_60k", (0.5, 0.125, 0.0625)),
    ("knot_12k", "bunny_60k", (0.125, 0.0625, 0.03125)),
    ("bunny_60k", "armadillo_100k", (0.125, 0.0625, 0.03125)),
    ("knot_12k", "dragon_520k", (0.125, 0.0625, 0.03125)),
]
BODIES = ["knot_12k", "bunny_60k", "dragon_520k"]


def in_venv():
    """Goes on inside the virtual environment, which is made at the first run."""
    python = VENV / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    if Path(sys.prefix).resolve() != VENV.resolve():
        os.execv(python, [str(python), *sys.argv])


def read_ply(file):
    """Vertices and triangles of a binary little-endian PLY with float x y z and triangles only."""
    import numpy as np

    data = file.read_bytes()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    counts = {}
    for line in data[:end].decode("ascii").splitlines():
        words = line.split()
        if words[:1] == ["element"]:
            counts[words[1]] = int(words[2])
    vertices = np.frombuffer(data, "<f4", counts["vertex"] * 3, end).reshape(-1, 3)
    face = np.dtype([("n", "u1"), ("v", "<i4", 3)])
    faces = np.frombuffer(data, face, counts["face"], end + vertices.nbytes)
    return vertices.copy(), np.ascontiguousarray(faces["v"]).astype(np.uint32)


def write_ply(file, vertices, triangles):
    import numpy as np

    face = np.zeros(len(triangles), np.dtype([("n", "u1"), ("v", "<i4", 3)]))
    face["n"], face["v"] = 3, triangles
    header = (
        "ply\nformat binary_little_endian 1.0\n"
        f"element vertex {len(vertices)}\nproperty float x\nproperty float y\nproperty float z\n"
        f"element face {len(triangles)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    file.write_bytes(header.encode("ascii") + vertices.astype("<f4").tobytes() + face.tobytes())


def median(rounds, work):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def crumple(example, *words, threads=1):
    """Runs the example and returns what it prints as a table of numbers."""
    environment = {**os.environ, "RAYON_NUM_THREADS": str(threads)}
    command = [str(example), *map(str, words)]
    output = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    return {name: float(value) for name, value in (line.split() for line in output.splitlines())}


def overlaps(example, data, folder, rounds):
    import manifold3d
    import numpy as np

    print(f"\nintersection volume at {RESOLUTION} x {RESOLUTION}, milliseconds")
    print(f"{'bodies':42} {'manifold3d':>11} {'crumple':>8} {'ratio':>6}   {'exact':>11} {'crumple':>11} {'error':>8}")
    for name_a, name_b, move in PAIRS:
        (vertices_a, triangles_a), (vertices_b, triangles_b) = (read_ply(data / "static" / f"{n}.ply") for n in (name_a, name_b))
        vertices_b = vertices_b + np.asarray(move, np.float32)

        def solid(vertices, triangles):
            return manifold3d.Manifold(manifold3d.Mesh(vertices, triangles))

        def boolean():
            nonlocal exact
            exact = (solid(vertices_a, triangles_a) ^ solid(vertices_b, triangles_b)).volume()

        exact = 0.0
        theirs = median(max(3, rounds // 3), boolean)
        moved = folder / "moved.ply"
        write_ply(moved, vertices_b, triangles_b)
        ours = crumple(example, "overlap", data / "static" / f"{name_a}.ply", moved, RESOLUTION, 4 * rounds)
        error = abs(ours["volume"] / exact - 1) if exact else 0.0
        bodies = f"{name_a} / {name_b} {move[0]:g}"
        print(
            f"{bodies:42} {theirs:11.1f} {ours['overlap_ms']:8.2f} {theirs / ours['overlap_ms']:6.1f}"
            f"   {exact:11.8f} {ours['volume']:11.8f} {100 * error:7.3f}%"
        )


def points(example, data, folder, rounds):
    import numpy as np
    import open3d

    count = 100_000
    print(f"\n{count} points inside?, everything a frame needs, milliseconds")
    print(f"{'body':16} {'Open3D build':>13} {'query':>7} {'crumple':>8} {'ratio':>6} {'exact':>8}   wrong: sampled, exact against Open3D")
    for name in BODIES:
        vertices, triangles = read_ply(data / "static" / f"{name}.ply")
        low, high = vertices.min(axis=0), vertices.max(axis=0)
        query = np.random.default_rng(1).uniform(low, high, (count, 3)).astype(np.float32)
        tensor = open3d.core.Tensor(query)
        mesh = open3d.core.Tensor(vertices), open3d.core.Tensor(triangles)
        scene, occupied = None, None

        def build():
            nonlocal scene
            scene = open3d.t.geometry.RaycastingScene()
            scene.add_triangles(*mesh)
            # The tree is made at the first query, so one point belongs to the build.
            scene.compute_occupancy(tensor[:1])

        def ask():
            nonlocal occupied
            occupied = scene.compute_occupancy(tensor).numpy()

        build_ms = median(max(3, rounds // 3), build)
        query_ms = median(rounds, ask)
        file, answers = folder / "points.f32", folder / "answers"
        file.write_bytes(query.astype("<f4").tobytes())
        ours = crumple(example, "points", data / "static" / f"{name}.ply", file, RESOLUTION, rounds, answers)
        wrong = []
        for kind in ("sampled", "exact"):
            found = np.frombuffer(Path(f"{answers}.{kind}").read_bytes(), np.uint8)
            wrong.append(int(np.count_nonzero(found != occupied.astype(np.uint8))))
        theirs = build_ms + query_ms
        print(
            f"{name:16} {build_ms:13.1f} {query_ms:7.1f} {ours['sampled_ms']:8.2f} {theirs / ours['sampled_ms']:6.1f}"
            f" {ours['exact_ms']:8.1f}   {wrong[0]}, {wrong[1]}"
        )


def images(example, data, rounds):
    print("\nwhole-body images: floor = one pass computing all two-dimensional triangle boxes, milliseconds")
    print(f"{'body':16} {'samples':>8} {'floor':>7} {'image':>8} {'/ floor':>8} {'2 threads':>10} {'speed-up':>9}")
    for name in BODIES:
        for resolution in (RESOLUTION, 1024):
            file = data / "static" / f"{name}.ply"
            one = crumple(example, "image", file, resolution, rounds)
            two = crumple(example, "image", file, resolution, rounds, threads=2)
            print(
                f"{name:16} {resolution:8} {one['floor_ms']:7.2f} {one['image_ms']:8.2f} {one['image_ms'] / one['floor_ms']:8.2f}"
                f" {two['image_ms']:10.2f} {one['image_ms'] / two['image_ms']:9.2f}"
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="a folder with static/*.ply")
    parser.add_argument("--rounds", type=int, default=15, help="how often each thing is timed")
    arguments = parser.parse_args()
    in_venv()
    subprocess.run(
        ["cargo", "build", "--quiet", "--release", "--package", "crumple-bench", "--example", "volume_times"],
        check=True,
        cwd=ROOT,
    )
    example = ROOT / "target" / "release" / "examples" / "volume_times"
    data = arguments.data.resolve()
    with tempfile.TemporaryDirectory() as folder:
        images(example, data, arguments.rounds)
        overlaps(example, data, Path(folder), arguments.rounds)
        points(example, data, Path(folder), arguments.rounds)


if __name__ == "__main__":
    main()
