"""Continuous detection: crumple beside ipc-toolkit (Li et al. 2020), in one run on one machine.

    python3 peers/motion.py [--rounds 5] [--only LE1]

The first run makes a virtual environment in peers/.venv and installs numpy, scipy and ipctk into it. The steps come from
`crumple scene`: LE1 when the bodies first meet and in its last step (between bodies), and the cloth of CR1 with itself.

A whole step of ipc-toolkit is `Candidates.build` (its default broad phase) and `compute_collision_free_stepsize`, by
Tight-Inclusion with its default options and by Additive CCD; the connectivity, which does not change, is set up before. It
has no question for all impacts, so the last step is compared with its earliest one, which is less. crumple's times are
those of `crumple bench CD1 CD2`, update and query; it runs on one thread, ipc-toolkit on one and on two. The narrow phase
by itself is timed on the candidates ipc-toolkit found. Times are medians of the rounds in milliseconds; of crumple's
bench, the best of as many.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / "peers" / ".venv"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PACKAGES = ["numpy", "scipy", "ipctk"]

# A step, its scene, its experiment, the question to crumple, the frame it leads to (none: the first with an impact), self.
STEPS = [
    ("LE1, first contact", "LE1", "CD1", "first impact", None, False),
    ("LE1, last step", "LE1", "CD1", "all impacts", 199, False),
    ("CR1 31 to 32, self", "CR1", "CD2", "first impact", 32, True),
    ("CR1 31 to 32, self", "CR1", "CD2", "all impacts", 32, True),
]

# More candidates than this are thinned out evenly before they are handed to crumple's narrow phase.
MOST_QUERIES = 200_000


def in_venv():
    """Goes on inside the virtual environment, which is made at the first run."""
    python = VENV / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    if Path(sys.prefix).resolve() != VENV.resolve():
        if subprocess.run([python, "-c", "import " + ", ".join(PACKAGES)], capture_output=True).returncode:
            subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        os.execv(python, [str(python), *sys.argv])


def read_triangles(file):
    """The triangles of a binary little-endian PLY with float x y z and triangles only."""
    import numpy as np

    data = file.read_bytes()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    counts = {}
    for line in data[:end].decode("ascii").splitlines():
        words = line.split()
        if words[:1] == ["element"]:
            counts[words[1]] = int(words[2])
    face = np.dtype([("n", "u1"), ("v", "<i4", 3)])
    faces = np.frombuffer(data, face, counts["face"], end + 12 * counts["vertex"])
    return np.ascontiguousarray(faces["v"]).astype(np.int32)


def read_frames(file):
    """All frames of a PC2 point cache."""
    import numpy as np

    data = file.read_bytes()
    points, samples = (int(n) for n in np.frombuffer(data, "<i4", 5, 12)[[1, 4]])
    return np.frombuffer(data, "<f4", 3 * points * samples, 32).reshape(samples, points, 3)


def read_step(command, folder, scene, frame):
    """Positions at both ends of the step that leads to a frame, triangles, and the body of every vertex."""
    import numpy as np

    out = folder / f"{scene}-{frame}"
    words = [command, "scene", scene, "--out", out, "--frames", f"{frame - 1}..={frame}", "--quiet"]
    files = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()
    start, end, faces, bodies, count = [], [], [], [], 0
    for number, file in enumerate(files):
        mesh, cache = file.split("@")
        frames = read_frames(Path(cache))
        faces.append(read_triangles(Path(mesh)) + count)
        start.append(frames[0])
        end.append(frames[1])
        bodies += [number] * len(frames[0])
        count += len(frames[0])
    ends = [np.asfortranarray(np.concatenate(parts).astype(np.float64)) for parts in (start, end)]
    return ends, np.asfortranarray(np.concatenate(faces)), bodies


def timed(rounds, work):
    """The median time of some work in milliseconds, and what it returned last."""
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        result = work()
        times.append((time.perf_counter() - begin) * 1e3)
    return statistics.median(times), result


def theirs(ends, faces, bodies, own, rounds, threads):
    """Times of ipc-toolkit: building candidates, and the narrow phases with the step they allow."""
    import ipctk

    ipctk.set_num_threads(threads)
    mesh = ipctk.CollisionMesh(ends[0], ipctk.edges(faces), faces)
    if not own:
        mesh.can_collide = ipctk.make_vertex_patches_filter(bodies)
    candidates = ipctk.Candidates()
    build_ms, _ = timed(rounds, lambda: candidates.build(mesh, *ends))
    narrow = {}
    for name, ccd in (("TI", ipctk.TightInclusionCCD()), ("Additive", ipctk.AdditiveCCD())):
        narrow[name] = timed(rounds, lambda: candidates.compute_collision_free_stepsize(mesh, *ends, 0.0, ccd))
    return mesh, candidates, build_ms, narrow


def narrow_phase(example, folder, ends, mesh, candidates, rounds):
    """Milliseconds crumple's exact tests take for the candidates of ipc-toolkit."""
    import numpy as np

    edges, faces = mesh.edges, mesh.faces
    vf = np.array([(c.vertex_id, *faces[c.face_id]) for c in candidates.fv_candidates]).reshape(-1, 4)
    ee = np.array([(*edges[c.edge0_id], *edges[c.edge1_id]) for c in candidates.ee_candidates]).reshape(-1, 4)
    every = -(-(len(vf) + len(ee)) // MOST_QUERIES) or 1
    total, vf, ee = len(vf) + len(ee), vf[::every], ee[::every]
    quads = np.concatenate([vf, ee]).astype(int)
    queries = np.concatenate([ends[0][quads], ends[1][quads]], axis=1)
    file = folder / "queries.f64"
    file.write_bytes(np.ascontiguousarray(queries).astype("<f8").tobytes())
    words = [example, file, str(len(vf)), str(max(3, rounds))]
    output = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    ours = {name: float(value) for name, value in (line.split() for line in output.splitlines())}
    return total, ours["all_ms"] * total / max(1, len(quads))


def bench(command, experiment, rounds):
    """Rows of every step, from the records of `crumple bench`."""
    words = [command, "bench", experiment, "--repeat", str(rounds), "--json", "--quiet"]
    lines = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()
    records = [json.loads(line) for line in lines]
    return [record["row"] for record in records if record.get("table") == "steps"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="how often each thing is timed")
    parser.add_argument("--only", help="the scene to look at, in place of all")
    arguments = parser.parse_args()
    in_venv()
    build = ["cargo", "build", "--quiet", "--release"]
    subprocess.run([*build, "--package", "crumple-cli"], check=True, cwd=ROOT)
    subprocess.run([*build, "--package", "crumple", "--example", "impact_times"], check=True, cwd=ROOT)
    command, example = TARGET / "release" / "crumple", TARGET / "release" / "examples" / "impact_times"
    rows = {}
    print("whole step, milliseconds; ratios: ipc-toolkit by Tight-Inclusion / crumple on one thread, all included")
    head = f"{'step':20} {'crumple':13} {'ms':>8}   {'threads':>7} {'build':>7} {'TI':>8} {'Additive':>8} {'ratio':>7}"
    print(f"{head}   {'candidates':>10} {'narrow':>8} {'TI /':>6} {'Add. /':>6}")
    with tempfile.TemporaryDirectory() as folder:
        for step, scene, experiment, question, frame, own in STEPS:
            if arguments.only not in (None, scene):
                continue
            if experiment not in rows:
                rows[experiment] = bench(command, experiment, arguments.rounds)
            of_question = [row for row in rows[experiment] if row["question"] == question]
            if frame is None:
                frame = next(row["frame"] for row in of_question if row["impacts"] > 0)
            ours = next(row["step_us"] for row in of_question if row["frame"] == frame) / 1e3
            ends, faces, bodies = read_step(command, Path(folder), scene, frame)
            for threads in (1, 2):
                mesh, candidates, build_ms, narrow = theirs(ends, faces, bodies, own, arguments.rounds, threads)
                (ti_ms, ti), (additive_ms, additive) = narrow["TI"], narrow["Additive"]
                line = f"{step:20} {question:13} {ours:8.3f}   {threads:7} {build_ms:7.1f} {ti_ms:8.2f} {additive_ms:8.2f}"
                line += f" {(build_ms + ti_ms) / ours:7.0f}"
                if threads == 1:
                    total, ours_ms = narrow_phase(example, Path(folder), ends, mesh, candidates, arguments.rounds)
                    line += f"   {total:10} {ours_ms:8.3f} {ti_ms / ours_ms:6.1f} {additive_ms / ours_ms:6.1f}"
                print(line, flush=True)
            print(f"{'':20} step allowed: Tight-Inclusion {ti:.6f}, Additive {additive:.6f}")


if __name__ == "__main__":
    main()
