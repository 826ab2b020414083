"""Continuous detection: crumple beside ipc-toolkit (Li et al. 2020), in one run on one machine.

    python3 peers/motion.py [DATA] [--rounds 5] [--only LE1]

The first run makes a virtual environment in peers/.venv (or the folder PEERS_VENV names) and installs numpy, scipy and
ipctk into it. The steps come from `crumple scene`: LE1 when the bodies first meet and in its last step (between bodies),
and the cloth of CR1 with itself. DATA is a folder with `deforming/cloth_ball92.ply` and `93`, the step between which is
measured as well if DATA is given.

A whole step of ipc-toolkit is `Candidates.build` (its default broad phase) and `compute_collision_free_stepsize`, by
Tight-Inclusion with its default options and by Additive CCD; the connectivity, which does not change, is set up before. It
has no question for all impacts, so these are compared with its earliest one, which is less. crumple's times are update and
query by the example `step_times`, on one thread; ipc-toolkit runs on one and on two. The narrow phase by itself is timed
on the candidates ipc-toolkit found, on one thread. Times are medians of the rounds in milliseconds; the load of the
machine is printed before and after.
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
VENV = Path(os.environ.get("PEERS_VENV", ROOT / "peers" / ".venv"))
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PACKAGES = ["numpy", "scipy", "ipctk"]

# A step, its scene (none: from DATA), the frame it leads to, and whether bodies are tested against themselves.
STEPS = [
    ("LE1, first contact", "LE1", 60, False),
    ("LE1, last step", "LE1", 199, False),
    ("CR1 31 to 32, self", "CR1", 32, True),
    ("CR1 43 to 44, self", "CR1", 44, True),
    ("cloth_ball 92 to 93", None, 93, True),
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


def read_ply(file):
    """Positions and triangles of a binary PLY with float x y z and triangles only."""
    import numpy as np

    data = file.read_bytes()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    counts, order = {}, "<"
    for line in data[:end].decode("ascii").splitlines():
        words = line.split()
        if words[:1] == ["element"]:
            counts[words[1]] = int(words[2])
        if words[:2] == ["format", "binary_big_endian"]:
            order = ">"
    face = np.dtype([("n", "u1"), ("v", order + "i4", 3)])
    positions = np.frombuffer(data, order + "f4", 3 * counts["vertex"], end).reshape(-1, 3)
    faces = np.frombuffer(data, face, counts["face"], end + 12 * counts["vertex"])
    return positions.astype("<f4"), np.ascontiguousarray(faces["v"]).astype(np.int32)


def read_frames(file):
    """All frames of a PC2 point cache."""
    import numpy as np

    data = file.read_bytes()
    points, samples = (int(n) for n in np.frombuffer(data, "<i4", 5, 12)[[1, 4]])
    return np.frombuffer(data, "<f4", 3 * points * samples, 32).reshape(samples, points, 3)


def read_step(command, folder, data, scene, frame):
    """For each body the positions at both ends of the step that leads to a frame, and its triangles."""
    if scene is None:
        files = [data / "deforming" / f"cloth_ball{number}.ply" for number in (frame - 1, frame)]
        (start, faces), (end, _) = (read_ply(file) for file in files)
        return [(start, end, faces)]
    out = folder / f"{scene}-{frame}"
    words = [command, "scene", scene, "--out", out, "--frames", f"{frame - 1}..={frame}", "--quiet"]
    files = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()
    bodies = []
    for file in files:
        mesh, cache = file.split("@")
        frames = read_frames(Path(cache))
        bodies.append((frames[0], frames[1], read_ply(Path(mesh))[1]))
    return bodies


def joined(bodies):
    """Positions at both ends, triangles, and the body of every vertex, in one mesh as ipc-toolkit wants it."""
    import numpy as np

    ends = [np.asfortranarray(np.concatenate([body[k] for body in bodies]).astype(np.float64)) for k in (0, 1)]
    faces, owners, count = [], [], 0
    for number, (start, _, triangles) in enumerate(bodies):
        faces.append(triangles + count)
        owners += [number] * len(start)
        count += len(start)
    return ends, np.asfortranarray(np.concatenate(faces)), owners


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


def ours(example, folder, bodies, own, rounds):
    """What `step_times` prints about a step, on one thread."""
    import numpy as np

    file = folder / "step"
    with file.open("wb") as out:
        for start, end, triangles in bodies:
            out.write(np.array([len(start), len(triangles)], "<u4").tobytes())
            out.write(start.astype("<f4").tobytes() + end.astype("<f4").tobytes() + triangles.astype("<u4").tobytes())
    words = [example, file, str(max(3, rounds))] + ["self"] * own
    environment = {**os.environ, "RAYON_NUM_THREADS": "1"}
    output = subprocess.run(words, check=True, capture_output=True, text=True, env=environment).stdout
    return {name: float(value) for name, value in (line.split() for line in output.splitlines())}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, nargs="?", help="folder with deforming/cloth_ball92.ply and 93")
    parser.add_argument("--rounds", type=int, default=5, help="how often each thing is timed")
    parser.add_argument("--only", help="the scene to look at, in place of all")
    arguments = parser.parse_args()
    in_venv()
    build = ["cargo", "build", "--quiet", "--release"]
    subprocess.run([*build, "--package", "crumple-cli"], check=True, cwd=ROOT)
    subprocess.run([*build, "--package", "crumple-bench", "--examples"], check=True, cwd=ROOT)
    command, examples = TARGET / "release" / "crumple", TARGET / "release" / "examples"
    print(f"load {os.getloadavg()[0]:.2f}; whole step, milliseconds; ratios: ipc-toolkit / crumple on one thread")
    head = f"{'step':20} {'first':>8} {'all':>8} {'impacts':>7}   {'threads':>7} {'build':>7} {'TI':>8} {'Additive':>8}"
    head += f" {'/ first':>7} {'/ all':>6}"
    print(f"{head}   {'candidates':>10} {'narrow':>8} {'TI /':>6} {'Add. /':>6}")
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for step, scene, frame, own in STEPS:
            if arguments.only not in (None, scene) or (scene is None and arguments.data is None):
                continue
            bodies = read_step(command, folder, arguments.data, scene, frame)
            mine = ours(examples / "step_times", folder, bodies, own, arguments.rounds)
            first, every = (mine["update_ms"] + mine[name] for name in ("first_ms", "all_ms"))
            ends, faces, owners = joined(bodies)
            for threads in (1, 2):
                mesh, candidates, build_ms, narrow = theirs(ends, faces, owners, own, arguments.rounds, threads)
                (ti_ms, ti), (additive_ms, additive) = narrow["TI"], narrow["Additive"]
                line = f"{step:20} {first:8.3f} {every:8.3f} {mine['impacts']:7.0f}   {threads:7} {build_ms:7.1f} {ti_ms:8.2f}"
                line += f" {additive_ms:8.2f} {(build_ms + ti_ms) / first:7.0f} {(build_ms + ti_ms) / every:6.0f}"
                if threads == 1:
                    narrow_example = examples / "impact_times"
                    total, ours_ms = narrow_phase(narrow_example, folder, ends, mesh, candidates, arguments.rounds)
                    line += f"   {total:10} {ours_ms:8.3f} {ti_ms / ours_ms:6.1f} {additive_ms / ours_ms:6.1f}"
                print(line, flush=True)
            print(f"{'':20} first impact {mine['first_lo']:.6f}; step allowed: Tight-Inclusion {ti:.6f}, Additive {additive:.6f}")
    print(f"load {os.getloadavg()[0]:.2f}")


if __name__ == "__main__":
    main()
