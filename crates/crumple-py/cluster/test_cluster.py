"""Frames over two worker processes: `cargo xtask dask`. Prints what was measured; no test asserts a time."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from dask.distributed import Client, LocalCluster
from scenes import FIXTURES, large_scene, long_cloth, tiny_frames

import crumple
import crumple.dask


@pytest.fixture
def client() -> Iterator[Any]:
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster, Client(cluster) as client:
        yield client


def memory(which: str = "VmRSS") -> int:
    """Bytes of this process."""
    text = Path("/proc/self/status").read_text(encoding="utf-8")
    return 1024 * int(re.findall(rf"{which}:\s+(\d+)", text)[0])


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_a_million_frames_need_the_memory_of_a_few(client: Any, tmp_path: Path) -> None:
    """The scheduler of a local cluster lives in this process, so its memory is measured with that of the client.

    This test comes first: memory that others have freed would hide what it needs.
    """
    most = {}
    for frames in (100_000, 1_000_000):
        folder = tmp_path / str(frames)
        folder.mkdir()
        source = tiny_frames(folder, frames)
        # Writing 5 here resets the highest memory use.
        Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")
        before, started = memory(), perf_counter()
        summary = crumple.dask.write_report(source, client=client, json=folder / "report.jsonl")
        most[frames] = memory("VmHWM") - before
        print(f"\n{frames} frames: {perf_counter() - started:.1f} s, {summary}")
        print(f"before {before >> 20} MB, highest (VmHWM) {memory('VmHWM') >> 20} MB, {most[frames] >> 20} MB more")
        assert summary["frames"] == frames and summary["frames_in_contact"] > 0
    # Ten times the frames; the records of all of them would take 300 MB and more.
    assert most[1_000_000] < 2 * most[100_000] + (64 << 20)


@pytest.fixture(scope="module")
def cloth(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, bytes, bytes]:
    """2,000 frames of the cloth, and the report and page of one process."""
    folder = tmp_path_factory.mktemp("cloth")
    source = long_cloth(folder, 2_000)
    started = perf_counter()
    report = crumple.check(source, threads=1)
    print(f"\none process: {perf_counter() - started:.1f} s, {report}")
    assert report.collides
    report.save_json(folder / "alone.jsonl", times=False)
    report.save_html(folder / "alone.html", times=False)
    return source, (folder / "alone.jsonl").read_bytes(), (folder / "alone.html").read_bytes()


def test_the_findings_are_those_of_the_command_byte_by_byte(client: Any, tmp_path: Path) -> None:
    """The last line of a report has all findings and no time."""
    sources = [f"{FIXTURES / name}.ply@{FIXTURES / name}.pc2" for name in ("spheres_a", "spheres_b")]
    options = {"self_collision": True, "depth": True, "clearance": 0.05, "volume": True, "continuous": True}
    words = ["--self", "--depth", "--clearance", "0.05", "--volume", "--continuous", "--json", "--quiet"]
    done = subprocess.run([sys.executable, "-m", "crumple", "check", *sources, *words], capture_output=True)
    crumple.dask.write_report(sources, client=client, json=tmp_path / "cluster.jsonl", frames_per_task=2, **options)
    crumple.check(sources, **options).save_json(tmp_path / "python.jsonl")
    expected = done.stdout.splitlines()[-1]
    assert b'"findings":[{' in expected
    for file in ("cluster.jsonl", "python.jsonl"):
        assert (tmp_path / file).read_bytes().splitlines()[-1] == expected, file


def test_two_processes_write_the_bytes_of_one(client: Any, cloth: tuple[str, bytes, bytes], tmp_path: Path) -> None:
    source, json, html = cloth
    started = perf_counter()
    found = sum(1 for _ in crumple.dask.frames(source, client=client))
    print(f"\ntwo processes: {perf_counter() - started:.1f} s for {found} frames")
    crumple.dask.write_report(source, client=client, json=tmp_path / "report.jsonl", html=tmp_path / "page.html")
    assert (tmp_path / "report.jsonl").read_bytes() == json
    assert (tmp_path / "page.html").read_bytes() == html
    print(f"report {len(json)} bytes, page {len(html)} bytes: the same")


def test_the_command_writes_them_too(client: Any, cloth: tuple[str, bytes, bytes], tmp_path: Path) -> None:
    source, json, html = cloth
    words = [sys.executable, "-m", "crumple", "farm", source, "--scheduler", client.scheduler.address]
    files = ["--json", str(tmp_path / "report.jsonl"), "--html", str(tmp_path / "page.html")]
    done = subprocess.run([*words, *files], capture_output=True, text=True)
    assert done.returncode == 1 and "frame 2000/2000" in done.stderr, done.stderr
    assert (tmp_path / "report.jsonl").read_bytes() == json and (tmp_path / "page.html").read_bytes() == html


def test_a_worker_that_is_killed_changes_nothing(client: Any, cloth: tuple[str, bytes, bytes], tmp_path: Path) -> None:
    source, json, _ = cloth
    process_of_worker = client.run(os.getpid)
    killed: list[int] = []
    parts = crumple.dask._Run.parts

    def killing(run: Any) -> Iterator[bytes]:
        for number, lines in enumerate(parts(run)):
            if number == 12:
                killed.append(next(iter(process_of_worker.values())))
                os.kill(killed[0], signal.SIGKILL)
            yield lines

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(crumple.dask._Run, "parts", killing)
        crumple.dask.write_report(source, client=client, json=tmp_path / "report.jsonl", frames_per_task=50)
    assert (tmp_path / "report.jsonl").read_bytes() == json
    assert killed and killed[0] not in client.run(os.getpid).values()
    print(f"\nworker {killed[0]} was killed at frame 600: the same {len(json)} bytes")


def test_the_example_of_the_guide_runs(tmp_path: Path) -> None:
    text = (FIXTURES.parent / "docs/guide/on-a-cluster.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (tmp_path / "example.py").write_text(code, encoding="utf-8")
    done = subprocess.run([sys.executable, tmp_path / "example.py"], capture_output=True, text=True, cwd=FIXTURES.parent)
    assert done.returncode == 0 and done.stdout.splitlines()[1:] == ["0 0", "1 1", "2 1", "3 1"], done.stdout + done.stderr


@pytest.mark.parametrize(
    ("bodies", "side", "triangles_per_slab", "limit"), [(50, 102, 200_000, "400MB"), (50, 318, 1_000_000, "400MB")]
)
def test_a_scene_is_cut_into_slabs_that_fit_into_a_worker(
    bodies: int, side: int, triangles_per_slab: int, limit: str, tmp_path: Path
) -> None:
    files = large_scene(tmp_path, bodies, side)
    with LocalCluster(
        n_workers=2, threads_per_worker=1, memory_limit=limit, dashboard_address=None, host="127.0.0.1"
    ) as cluster, Client(cluster) as client:
        before, started = client.run(os.getpid), perf_counter()
        found = crumple.dask.scene(files, client=client, triangles_per_slab=triangles_per_slab)
        seconds = perf_counter() - started
        assert client.run(os.getpid) == before, "a worker went over its limit and was restarted"
        most = [size >> 20 for size in client.run(memory, "VmHWM").values()]
    print(f"\n{found.triangles} triangles in {found.slabs} slabs: {len(found.pairs)} pairs, {seconds:.1f} s")
    print(f"highest memory of the workers {most} MB, limit {limit} each")
    whole = crumple.check(files, self_collision=False)
    assert found.collides and found.slabs >= 5
    for name in ("a", "b", "triangle_a", "triangle_b"):
        np.testing.assert_array_equal(found.pairs[name], whole.pairs[name])
    print(f"the same pairs as one process, which took {memory('VmHWM') >> 20} MB")
