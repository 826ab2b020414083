"""Exact overlaps: crumple beside manifold3d's boolean, in one run on one machine.

    python3 peers/overlap.py DATA [--rounds 10]      times and differences
    python3 peers/overlap.py DATA --numbers FILE     the boolean's volumes and parts, as `cargo xtask verify` keeps them

DATA is a folder with `static/*.ply` and `ground_truth/mesh_pairs.csv`. The first run makes a virtual environment in
peers/.venv (or the folder PEERS_VENV names) and installs numpy and manifold3d into it. crumple's side is the example
`overlap_times` of crumple-bench, built with optimisation, on one thread; both run on one core. manifold3d is given f64 meshes;
`manifold` is the intersection and its volume, `made` also the making of the manifolds, which bodies that deform need in every
frame as crumple needs its query. Times are the least of the rounds in milliseconds.
"""

import argparse
import csv
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = Path(os.environ.get("PEERS_VENV", ROOT / "peers" / ".venv"))
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PACKAGES = ["numpy", "manifold3d"]


def in_venv():
    """Goes on inside the virtual environment, which is made at the first run."""
    python = VENV / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    if Path(sys.prefix).resolve() != VENV.resolve():
        if subprocess.run([python, "-c", "import " + ", ".join(PACKAGES)], capture_output=True).returncode:
            subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        os.execv(python, [str(python), *sys.argv])


def read_ply(file):
    """Positions and triangles of a binary little-endian PLY with float x y z and triangles only."""
    import numpy as np

    data = file.read_bytes()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    counts = {}
    for line in data[:end].decode("ascii").splitlines():
        words = line.split()
        if words[:1] == ["element"]:
            counts[words[1]] = int(words[2])
    positions = np.frombuffer(data, "<f4", 3 * counts["vertex"], end).reshape(-1, 3)
    face = np.dtype([("n", "u1"), ("v", "<i4", 3)])
    faces = np.frombuffer(data, face, counts["face"], end + positions.nbytes)
    return positions.copy(), np.ascontiguousarray(faces["v"])


def write_ply(file, positions, triangles):
    import numpy as np

    face = np.dtype([("n", "u1"), ("v", "<i4", 3)])
    faces = np.empty(len(triangles), face)
    faces["n"], faces["v"] = 3, triangles
    header = (
        "ply\nformat binary_little_endian 1.0\n"
        f"element vertex {len(positions)}\nproperty float x\nproperty float y\nproperty float z\n"
        f"element face {len(triangles)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    file.write_bytes(header.encode() + positions.astype("<f4").tobytes() + faces.tobytes())


def manifold(positions, triangles):
    import manifold3d
    import numpy as np

    mesh = manifold3d.Mesh64(positions.astype(np.float64), triangles.astype(np.uint64))
    return manifold3d.Manifold(mesh)


def measure(solid):
    """Volume and centroid of a manifold, summed up in f64 about its own middle."""
    import numpy as np

    mesh = solid.to_mesh64()
    points = np.asarray(mesh.vert_properties)[:, :3]
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    p, q, r = (points[np.asarray(mesh.tri_verts)[:, k]] - middle for k in range(3))
    six = np.einsum("ij,ij->i", p, np.cross(q, r))
    volume = six.sum() / 6
    return volume, middle + ((p + q + r) * six[:, None]).sum(axis=0) / 24 / volume


def rows(data):
    """The rows of mesh_pairs.csv: the names of the meshes, how the second is placed, and both as arrays."""
    import numpy as np

    meshes = {}
    with open(data / "ground_truth" / "mesh_pairs.csv", newline="") as file:
        for row in csv.DictReader(file):
            for name in (row["mesh_a"], row["mesh_b"]):
                if name not in meshes:
                    meshes[name] = read_ply(data / "static" / f"{name}.ply")
            order = ["xyz".index(axis) for axis in row["b_axis_order"]]
            by = np.array([row["tx"], row["ty"], row["tz"]], np.float32)
            positions, triangles = meshes[row["mesh_b"]]
            placed = (positions[:, order] + by).astype(np.float32)
            yield row, meshes[row["mesh_a"]], (placed, triangles)


def numbers(data, file):
    """Writes one line per overlap: its volume, then volume and centroid of each of its parts, largest first."""
    lines = ["mesh_a,mesh_b,b_axis_order,tx,ty,tz,volume,parts"]
    for row, a, b in rows(data):
        common = manifold(*a) ^ manifold(*b)
        parts = sorted((measure(part) for part in common.decompose()), key=lambda part: -part[0])
        words = [" ".join(repr(float(x)) for x in (volume, *centroid)) for volume, centroid in parts]
        volume = repr(float(measure(common)[0])) if parts else "0.0"
        place = [row[name] for name in ("mesh_a", "mesh_b", "b_axis_order", "tx", "ty", "tz")]
        lines.append(",".join([*place, volume, ";".join(words)]))
        print(f"{row['mesh_a']} {row['mesh_b']}: {volume}, {len(parts)} parts")
    Path(file).write_text("\n".join(lines) + "\n")


def times(data, rounds):
    subprocess.run(
        ["cargo", "build", "--release", "--quiet", "-p", "crumple-bench", "--example", "overlap_times"],
        cwd=ROOT,
        check=True,
    )
    program = TARGET / "release" / "examples" / "overlap_times"
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(f"{'meshes':<34} {'pairs':>6} {'query':>8} {'exact':>8} {'128²':>8} {'manifold':>9} {'ratio':>7} {'with query':>10} {'made':>9} {'ratio':>7}")
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / "a.ply", Path(folder) / "b.ply"]
        for row, a, b in rows(data):
            for file, mesh in zip(files, (a, b)):
                write_ply(file, *mesh)
            output = subprocess.run(
                [program, *files, str(rounds)],
                env={**os.environ, "RAYON_NUM_THREADS": "1"},
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            found = {name: float(value) for name, value in (line.split() for line in output.splitlines())}
            best, best_made = float("inf"), float("inf")
            for _ in range(min(rounds, 3)):
                begin = time.perf_counter()
                solids = [manifold(*a), manifold(*b)]
                start = time.perf_counter()
                volume = (solids[0] ^ solids[1]).volume()
                end = time.perf_counter()
                best, best_made = min(best, end - start), min(best_made, end - begin)
            if not volume:
                continue
            ms = {name: value / 1e3 for name, value in found.items() if name.endswith("_us")}
            off = abs(found["volume"] - volume) / volume
            print(
                f"{row['mesh_a'] + ' ' + row['mesh_b']:<34} {found['pairs']:6.0f} {ms['query_us']:8.3f} {ms['exact_us']:8.3f}"
                f" {ms['image128_us']:8.3f} {best * 1e3:9.1f} {best * 1e3 / ms['exact_us']:7.0f}"
                f" {best * 1e3 / (ms['exact_us'] + ms['query_us']):10.0f} {best_made * 1e3:9.1f}"
                f" {best_made * 1e3 / (ms['exact_us'] + ms['query_us']):7.0f}   volumes differ by {off:.1e}"
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--numbers", type=Path)
    words = parser.parse_args()
    in_venv()
    if words.numbers:
        numbers(words.data, words.numbers)
    else:
        times(words.data, words.rounds)


if __name__ == "__main__":
    main()
