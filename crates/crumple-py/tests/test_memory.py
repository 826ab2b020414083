"""Memory, threads and the life of frames."""

from __future__ import annotations

import gc
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from conftest import grid, moving

import crumple as cr

FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
CORNER = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])


def two_bodies() -> cr.Scene:
    scene = cr.Scene()
    scene.add(FACES, CORNER, name="a")
    scene.add(FACES, CORNER + np.float32(0.1), name="b")
    return scene


def test_pairs_are_views_of_the_memory_of_the_library() -> None:
    scene = two_bodies()
    scene.add(FACES, CORNER + np.float32(0.2), name="c")
    frame = scene.update()
    first, second, third = (contact.pairs for contact in frame.contacts)
    assert not first.flags.owndata
    assert frame["a", "b"].pairs.ctypes.data == first.ctypes.data
    assert second.ctypes.data == first.ctypes.data + first.nbytes
    assert third.ctypes.data == second.ctypes.data + second.nbytes
    # The list of the library itself, which it reads again for other questions: nobody may write to it.
    owner = first.base.base
    assert type(owner).__name__ == "PairsMemory" and not first.flags.writeable
    with pytest.raises(ValueError, match="WRITEABLE"):
        first.flags.writeable = True
    with pytest.raises(ValueError, match="WRITEABLE"):
        first.base.flags.writeable = True


def test_the_library_uses_the_memory_of_pairs_again_once_nobody_looks_at_it() -> None:
    scene = two_bodies()

    def address(number: int, keep: list[np.ndarray]) -> int:
        scene.set_positions("b", CORNER + np.float32(0.1 + 0.001 * number))
        keep.append(scene.update()["a", "b"].pairs)
        return int(keep[-1].ctypes.data)

    for number in range(5):
        address(number, [])
    # The list of this frame, that of the last one, and one in reserve.
    assert len({address(number, []) for number in range(50)}) <= 3
    kept: list[np.ndarray] = []
    assert len({address(number, kept) for number in range(50)}) == 50
    expected = [cr.pairs((FACES, CORNER), (FACES, CORNER + np.float32(0.1 + 0.001 * number))) for number in range(50)]
    assert all(np.array_equal(pairs, of) for pairs, of in zip(kept, expected))


def test_what_was_read_outlives_the_frame_and_the_scene() -> None:
    scene = two_bodies()
    frame = scene.update()
    pairs, expected = frame["a", "b"].pairs, frame["a", "b"].pairs.tolist()
    contacts = frame.contacts
    scene.set_positions("b", CORNER + np.float32(9))
    assert frame.contacts is contacts
    scene.update()
    del scene, frame
    gc.collect()
    assert len(expected) > 0 and pairs.tolist() == expected


def test_a_frame_that_is_over_says_so() -> None:
    scene = two_bodies()
    frame = scene.update()
    contact = frame.contacts[0]
    scene.set_positions("a", CORNER)
    for question in (frame.safe_step, frame.impacts, lambda: frame.witnesses, lambda: frame.positions("a"), contact.triangles):
        with pytest.raises(cr.StaleFrameError, match="over"):
            question()
    for change in (
        lambda: scene.ignore("a", "b"),
        lambda: scene.set_thickness("a", 0.1),
        lambda: scene.add(FACES, CORNER),
        lambda: scene.remove("b"),
    ):
        frame = scene.update()
        change()
        with pytest.raises(RuntimeError):
            frame.contacts


def test_unknown_bodies_names_methods_and_options_have_their_errors() -> None:
    scene = two_bodies()
    for bad in ("nobody", 7, -1, None, 2.5):
        with pytest.raises(cr.UnknownBodyError, match="there is no body") as caught:
            scene.set_positions(bad, CORNER)  # type: ignore[arg-type]
        assert isinstance(caught.value, IndexError) and isinstance(caught.value, KeyError)
    assert str(caught.value).startswith("there is no body")
    with pytest.raises(cr.NameTakenError, match='"a"'):
        scene.add(FACES, CORNER, name="a")
    with pytest.raises(cr.UnknownMethodError, match="wide-tree"):
        cr.Scene(method="magic")
    with pytest.raises(cr.OptionError, match="at least 1"):
        cr.Scene(threads=0)
    for thickness in (-1.0, np.nan, 99.0):
        with pytest.raises(cr.ThicknessError):
            scene.add(FACES, CORNER, thickness=thickness)
    assert len(scene) == 2
    scene.remove("a")
    with pytest.raises(cr.UnknownBodyError):
        scene.set_positions(0, CORNER)
    with pytest.raises(cr.VolumeError, match="assume_closed=True"):
        cr.inside(FACES[:3], CORNER, CORNER)
    with pytest.raises(cr.OptionError, match="nothing to check"):
        cr.check({"a": (FACES, CORNER)}, self_collision=False)
    with pytest.raises(cr.OptionError, match="hold=True"):
        cr.check({"a": (FACES, np.stack([CORNER] * 3)), "b": (FACES, np.stack([CORNER] * 2))})
    assert len(cr.check({"a": (FACES, np.stack([CORNER] * 3)), "b": (FACES, np.stack([CORNER] * 2))}, hold=True)) == 3
    with pytest.raises(cr.OptionError, match="frames"):
        cr.check({"a": (FACES, CORNER)}, frames=range(5, 9))
    for error in vars(cr.errors).values():
        if isinstance(error, type) and issubclass(error, Exception) and not issubclass(error, Warning):
            assert issubclass(error, cr.CrumpleError)


def test_files_have_their_errors(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        cr.load(tmp_path / "nothing.ply")
    bad = tmp_path / "bad.ply"
    bad.write_text("ply\nnonsense")
    with pytest.raises(cr.ReadError, match="bad.ply"):
        cr.load(bad)
    body = cr.load(moving("fox_run"))[0]
    assert body.shape == (70, body.mesh.vertex_count, 3) and len(body) == 70
    assert np.array_equal(body[-1], body[69])
    for frame in (70, -71):
        with pytest.raises(IndexError, match="there is no frame"):
            body[frame]


def test_positions_are_written_in_place_and_taken_in_at_the_end_of_the_block() -> None:
    scene = two_bodies()
    with scene.positions("b") as p:
        assert np.array_equal(p, CORNER + np.float32(0.1)) and p.dtype == np.float32
        address = p.ctypes.data
        p += np.float32(5)
    assert scene.update().contacts == ()
    with pytest.raises(ZeroDivisionError), scene.positions("b") as p:
        # The same memory again: nothing is allocated per frame.
        assert p.ctypes.data == address
        p[:] = np.nan
        1 / 0
    assert np.array_equal(scene.update().positions("b"), CORNER + np.float32(0.1) + np.float32(5))
    with pytest.raises(cr.PositionsError, match="not finite"), scene.positions("b") as p:
        p[1, 2] = np.inf
    with scene.positions("b") as p, pytest.raises(cr.SceneBusyError, match="already"):
        scene.positions("b").__enter__()
    kept = p
    before = scene.update().positions("b")
    kept[:] = np.nan
    assert np.array_equal(scene.update().positions("b"), before)


def test_a_memory_mapped_array_is_read_one_frame_at_a_time(tmp_path: Path) -> None:
    frames = np.stack([CORNER + np.float32([x, 0, 0]) for x in np.linspace(3, -3, 25)])
    np.save(tmp_path / "frames.npy", frames)
    mapped = np.load(tmp_path / "frames.npy", mmap_mode="r")

    class Watched:
        shape, read = mapped.shape, []

        def __len__(self) -> int:
            return len(mapped)

        def __getitem__(self, frame: int) -> np.ndarray:
            self.read.append(frame)
            return mapped[frame]

    report = cr.check({"still": (FACES, CORNER), "moving": (FACES, mapped)})
    assert np.array_equal(report.pairs, cr.check({"still": (FACES, CORNER), "moving": (FACES, frames)}).pairs)
    assert np.array_equal(report.pairs, cr.check({"still": (FACES, CORNER), "moving": (FACES, Watched())}).pairs)
    assert set(Watched.read) == set(range(25)) and all(isinstance(frame, int) for frame in Watched.read)


def test_the_interpreter_is_released_while_two_scenes_work() -> None:
    faces, sheet = grid(120)
    sheet = sheet + np.float32(0.01) * np.random.default_rng(3).random(sheet.shape, dtype=np.float32)
    inside, seen, left = [False, False], 0, [40, 40]

    def work(number: int) -> None:
        scene = cr.Scene(threads=1)
        scene.add(faces, sheet, self_collision=True)
        while left[number] > 0 and seen == 0:
            scene.set_positions(0, sheet)
            inside[number] = True
            frame = scene.update()
            frame.contacts
            inside[number] = False
            left[number] -= 1

    interval = sys.getswitchinterval()
    # No thread is interrupted by the clock: another can run only if the library lets go of the interpreter.
    sys.setswitchinterval(1000)
    try:
        threads = [threading.Thread(target=work, args=(number,)) for number in (0, 1)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            seen += all(inside)
            threading.Event().wait(0.0002)
    finally:
        sys.setswitchinterval(interval)
        for thread in threads:
            thread.join()
    assert seen > 0


def test_one_scene_can_be_used_from_many_threads() -> None:
    scene = two_bodies()
    expected = scene.update()["a", "b"].pairs.tolist()
    faults: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(200):
                scene.set_positions("b", CORNER + np.float32(0.1))
                try:
                    assert scene.update()["a", "b"].pairs.tolist() == expected
                except cr.StaleFrameError:
                    pass  # Another thread was faster.
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []


def resident() -> int:
    """Bytes of memory this process has in use."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads Linux's account of memory")
def test_nothing_grows_over_ten_thousand_frames() -> None:
    faces, sheet = grid(12)
    sheet[:, 2] = 0.05 * np.random.default_rng(4).random(len(sheet), dtype=np.float32)
    scene = cr.Scene()
    scene.add(faces, sheet, name="sheet", self_collision=True)
    scene.add(FACES, CORNER, name="corner")

    def play(frames: int) -> None:
        for number in range(frames):
            moved = CORNER + np.float32([0, 0, (number % 50) * 0.01 - 0.3])
            scene.set_positions("corner", moved)
            with scene.positions("sheet") as p:
                p[:, 2] = sheet[:, 2] + np.float32(0.01 * (number % 3))
            frame = scene.update()
            len(frame.contacts), frame["sheet", "corner"].pairs, frame.first_impact(), frame.safe_step()

    play(1000)
    gc.collect()
    before = resident()
    play(10_000)
    gc.collect()
    assert resident() - before < 2 << 20


def test_a_question_that_takes_too_long_is_refused_and_the_scene_goes_on() -> None:
    scene = cr.Scene(max_work=5000)
    copies = np.arange(900).reshape(300, 3)
    scene.add(copies, np.tile(CORNER[:3], (300, 1)), name="copies", self_collision=True)
    frame = scene.update()
    with pytest.raises(cr.WorkLimitError, match="more than 5000 steps of work.*raise max_work"):
        len(frame.contacts)
    scene.add(FACES, CORNER + np.float32(9), name="far away")
    assert not scene.update().is_closer_than("copies", "far away", 1.0)
    with pytest.raises(cr.OptionError, match="max_work"):
        cr.Scene(max_work=0)
