"""The names that programs rely on, in one program that uses most of them; and Ctrl-C."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import FIXTURES, grid

import crumple as cr

CORNER = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
CORNER_AT = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])


def test_a_program_can_use_every_name_of_the_overview(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    faces, V = CORNER, CORNER_AT
    F, frames = faces, np.stack([V, V + np.float32(0.125)])
    F2, V2 = grid(3, 0.25)
    mesh2 = cr.Mesh(faces)
    points = np.float32([[0.1, 0.1, 0.1], [1, 1, 1]])

    mesh = cr.Mesh(faces)
    scene = cr.Scene(method="wide-tree", threads=None)
    body = scene.add(mesh, V, name="body")
    scene.add(mesh, V, name="shoes")
    cloth = scene.add(cr.Mesh(F2), V2, name="cloth", self_collision=True)
    scene.ignore("body", "shoes")
    scene.set_positions(cloth, V2)
    with scene.positions(cloth) as p:
        p[:] = V2 + np.float32([0, 0, 0.001])
    frame = scene.update()
    met = [(c.a, c.b, c.pairs.shape[1], c.pairs.dtype) for c in frame.contacts]
    assert met == [("body", "cloth", 2, np.uint32), ("shoes", "cloth", 2, np.uint32)]
    assert np.array_equal(frame["body", "cloth"].pairs, frame[body, cloth].pairs)
    assert frame.near(0.005).vertex_face.dtype.names is not None
    assert frame.first_impact() is not None and frame.safe_step() == 0.0
    assert frame.distance("body", "cloth").hi == 0
    report = cr.check({"body": (F, frames)}, self_collision=True)
    assert len(report) == 2 and not report.collides
    report = cr.check(str(FIXTURES / "fox_run.ply") + "@" + str(FIXTURES / "fox_run.pc2"), self_collision=True, progress=True)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(cr.ReportError, match="pip install"):
        report.to_pandas()
    assert len(report.to_arrow()) == len(report.pairs) == 2644
    report.save_html(tmp_path / "x.html")
    assert (tmp_path / "x.html").stat().st_size > 100_000
    assert cr.inside(mesh, V, points, exact=True).tolist() == [True, False]
    assert np.isclose(cr.overlap((mesh, V), (mesh2, V)).volume, 1 / 6)


INTERRUPTED = """
import os, signal, sys, threading
import numpy as np, crumple as cr

sys.setswitchinterval(1000)     # no other thread runs until the library lets go of the interpreter
faces, sheet = np.load(sys.argv[1]), np.load(sys.argv[2])

class Frames:
    shape, last, interrupted = (1_000_000, *sheet.shape), 0, None

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, frame):
        Frames.last = frame
        if frame == 5:
            threading.Thread(target=interrupt).start()
        return sheet + np.float32(0.001 * frame)

def interrupt():
    os.kill(os.getpid(), signal.SIGINT)
    Frames.interrupted = Frames.last

try:
    cr.check({"sheet": (faces, Frames())})
finally:
    print(Frames.interrupted, Frames.last)
"""


def heed_interrupts() -> None:
    """A shell that runs the tests in the background has its children ignore SIGINT, and theirs inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT to send to a process by itself")
def test_control_c_ends_a_check_in_the_frame_in_which_it_comes(tmp_path: Path) -> None:
    # Triangles all over the place, so that a frame takes longer than the time between two looks for signals.
    faces, sheet = grid(40)
    np.save(tmp_path / "faces.npy", faces)
    np.save(tmp_path / "sheet.npy", np.random.default_rng(1).random(sheet.shape, np.float32))
    words = [sys.executable, "-c", INTERRUPTED, tmp_path / "faces.npy", tmp_path / "sheet.npy"]
    done = subprocess.run(words, capture_output=True, text=True, preexec_fn=heed_interrupts)
    assert done.stderr.rstrip().endswith("KeyboardInterrupt") and done.returncode == -signal.SIGINT, done.stderr
    interrupted, last = map(int, done.stdout.split())
    assert interrupted <= last <= interrupted + 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT to send to a process by itself")
def test_control_c_ends_the_command_inside_the_package() -> None:
    files = [f"{FIXTURES}/fox_run.ply@{FIXTURES}/fox_run.pc2"] * 3
    words = [sys.executable, "-m", "crumple", "check", *files, "--self", "--json", "--pairs"]
    pipe = subprocess.PIPE
    command = subprocess.Popen(words, stdout=pipe, stderr=pipe, text=True, preexec_fn=heed_interrupts)
    assert command.stdout is not None
    # It goes on only as fast as it is read: the pipe is full long before the last frame.
    command.stdout.readline()
    command.stdout.readline()
    command.send_signal(signal.SIGINT)
    rest = command.stdout.read()
    assert command.wait() == 130 and rest.count('"frame"') < 70
