"""Processes that were forked: they have the scenes of their parent, but not its threads."""

from __future__ import annotations

import os
import pickle
import select
import signal
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conftest import grid

import crumple as cr

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork"),
    # What newer versions of Python warn of is what is tested.
    pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning"),
]

SECONDS = 60


def in_a_fork(work: Callable[[], Any]) -> Any:
    """What `work` returns in a forked process; fails if that takes too long, since a process without its threads waits for ever."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        # Whatever happens, this process must not go on with the tests.
        code = 1
        try:
            os.close(read)
            with os.fdopen(write, "wb") as pipe:
                pickle.dump(work(), pipe)
            code = 0
        finally:
            os._exit(code)
    os.close(write)
    try:
        answer = b""
        while True:
            if not select.select([read], [], [], SECONDS)[0]:
                pytest.fail(f"the forked process did not answer within {SECONDS} s")
            part = os.read(read, 1 << 20)
            if not part:
                break
            answer += part
    finally:
        os.close(read)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert answer, "the forked process failed"
    return pickle.loads(answer)


def moved(scene: cr.Scene, positions: np.ndarray, by: float) -> list[Any]:
    """Moves the second body, and asks."""
    scene.set_positions("above", positions + np.float32([0, 0, by]))
    frame = scene.update()
    pairs = [contact.pairs.tolist() for contact in frame.contacts]
    return [pairs, frame.distance("below", "above").lo, len(frame.near(0.001))]


@pytest.mark.parametrize("threads", [None, 2])
def test_a_scene_goes_on_in_a_forked_process(threads: int | None) -> None:
    # Large enough for questions to be shared among threads.
    (faces, below), (_, above) = grid(100), grid(100, 0.25)
    above[:, 2] += (0.125 * np.sin(20 * above[:, 0])).astype(np.float32)

    def new_scene() -> cr.Scene:
        scene = cr.Scene(threads=threads)
        scene.add(faces, below, name="below")
        scene.add(faces, above, name="above")
        scene.update()
        return scene

    scene, second = new_scene(), new_scene()
    first = moved(scene, above, -0.25)
    assert first[0]

    def go_on() -> list[Any]:
        answers = [moved(scene, above, -0.125), moved(second, above, -0.25), len(cr.pairs((faces, below), (faces, below)))]
        # A process that was forked from a forked one, too.
        answers.append(in_a_fork(lambda: moved(scene, above, -0.25)))
        return answers

    found = in_a_fork(go_on)
    expected = [moved(scene, above, -0.125), moved(second, above, -0.25), len(cr.pairs((faces, below), (faces, below)))]
    assert found[:3] == expected
    assert found[3][0] == first[0]


def test_a_process_forked_before_the_first_question_starts_its_own_threads() -> None:
    faces, positions = grid(100)

    def first_question() -> int:
        return len(cr.pairs((faces, positions), (faces, positions)))

    assert in_a_fork(first_question) == first_question() == in_a_fork(first_question)


def test_a_scene_with_threads_can_end_in_a_forked_process() -> None:
    faces, positions = grid(100)
    scenes = [cr.Scene(threads=2)]
    scenes[0].add(faces, positions, self_collision=True)
    scenes[0].update()

    def end() -> int:
        scenes.clear()
        return len(scenes)

    assert in_a_fork(end) == 0
