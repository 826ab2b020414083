"""Frames over the workers of a cluster that lives in this process; skipped where Dask is not installed.

`cargo xtask dask` installs it, and runs these and the tests with processes of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import FIXTURES, grid, moving

import crumple

distributed = pytest.importorskip("dask.distributed", reason="Dask is not installed; cargo xtask dask installs it")

import crumple.dask  # noqa: E402
from crumple._farm import main as farm  # noqa: E402
from crumple._farm import read_shots  # noqa: E402


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with distributed.Client(processes=False, n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        yield client


def spheres() -> list[str]:
    return [moving("spheres_a"), moving("spheres_b")]


def saved(report: crumple.Report, folder: Path, name: str) -> tuple[bytes, bytes]:
    json, html = folder / f"{name}.jsonl", folder / f"{name}.html"
    report.save_json(json, times=False)
    report.save_html(html, times=False)
    return json.read_bytes(), html.read_bytes()


@pytest.mark.parametrize(
    ("source", "options"),
    [
        (spheres(), {}),
        (spheres(), {"self_collision": True, "frames": slice(1, None, 2)}),
        (moving("fox_run"), {"continuous": True, "frames": slice(20, 30)}),
        (moving("fox_run"), {"continuous": True, "frames": slice(20, 30, 2)}),
        (moving("fox_run"), {"first": True, "frames": slice(20, 40)}),
    ],
)
@pytest.mark.parametrize("frames_per_task", [None, 1, 3])
def test_the_report_and_page_are_those_of_one_machine(
    client: Any, tmp_path: Path, source: Any, options: dict[str, Any], frames_per_task: int | None
) -> None:
    alone = saved(crumple.check(source, **options), tmp_path, "alone")
    report = crumple.dask.check(source, client=client, frames_per_task=frames_per_task, **options)
    assert saved(report, tmp_path, "cluster") == alone
    json, html = tmp_path / "written.jsonl", tmp_path / "written.html"
    files = {"json": json, "html": html, "frames_per_task": frames_per_task}
    summary = crumple.dask.write_report(source, client=client, **files, **options)
    assert (json.read_bytes(), html.read_bytes(), summary) == (*alone, report.summary)


def test_frames_come_one_after_another_with_the_options_of_check(client: Any) -> None:
    options = {"depth": True, "clearance": 0.05, "volume": True, "self_collision": True}
    alone = crumple.check(spheres(), **options)
    for record, of_cluster in zip(alone, crumple.dask.frames(spheres(), client=client, frames_per_task=2, **options), strict=True):
        assert (record.frame, record.near, record.contained) == (of_cluster.frame, of_cluster.near, of_cluster.contained)
        for contact, other in zip(record.contacts, of_cluster.contacts, strict=True):
            assert (contact.a, contact.b, contact.depth, contact.volume) == (other.a, other.b, other.depth, other.volume)
            np.testing.assert_array_equal(contact.pairs, other.pairs)
    together = crumple.dask.check(spheres(), client=client, **options)
    assert together.findings == alone.findings and together.summary == alone.summary and together.table == alone.table


def test_first_contacts_are_found_across_tasks(client: Any, tmp_path: Path) -> None:
    source = {"first_contact": True, "frames": slice(0, 6)}
    try:
        alone = crumple.check(spheres(), **source)
    except crumple.CrumpleError as error:
        with pytest.raises(crumple.TaskError, match="in contact in frame"):
            crumple.dask.check(spheres(), client=client, frames_per_task=1, **source)
        assert "in contact in frame 0 already" in str(error)
    else:
        found = crumple.dask.check(spheres(), client=client, frames_per_task=1, **source)
        assert [record.onsets for record in found] == [record.onsets for record in alone]


def test_a_function_opens_arrays_on_the_workers(client: Any) -> None:
    def bodies() -> dict[str, Any]:
        faces, positions = grid(4)
        still, falling = positions, np.stack([positions[:, [0, 2, 1]] + np.float32([0, 0, z]) for z in (2, 1, 0, -0.5)])
        return {"still": (faces, still), "falling": (faces, falling)}

    found = crumple.dask.check(bodies, client=client, frames_per_task=1)
    np.testing.assert_array_equal(found.pairs, crumple.check(bodies()).pairs)
    assert found.collides
    with pytest.raises(crumple.OptionError, match="a function that returns the bodies on a worker"):
        crumple.dask.check(bodies(), client=client)


def test_options_that_check_does_not_have_are_refused(client: Any) -> None:
    with pytest.raises(crumple.OptionError, match="check has no option deep"):
        crumple.dask.check(spheres(), client=client, deep=True)
    with pytest.raises(crumple.OptionError, match="html cannot be written by workers"):
        crumple.dask.check(spheres(), client=client, html="page.html")
    with pytest.raises(crumple.OptionError, match="a task has one frame or more"):
        crumple.dask.check(spheres(), client=client, frames_per_task=0)


def broken_spheres(folder: Path) -> list[str]:
    """The spheres, with a coordinate in frame 5, the last, that is not a number."""
    cache = bytearray((FIXTURES / "spheres_a.pc2").read_bytes())
    vertices = int.from_bytes(cache[16:20], "little")
    at = 32 + 5 * 12 * vertices
    cache[at : at + 4] = np.float32(np.nan).tobytes()
    (folder / "broken.pc2").write_bytes(cache)
    return [f"{FIXTURES / 'spheres_a.ply'}@{folder / 'broken.pc2'}", moving("spheres_b")]


def test_an_error_names_its_frames_and_leaves_no_files(client: Any, tmp_path: Path) -> None:
    source = broken_spheres(tmp_path)
    with pytest.raises(crumple.TaskError, match="frames 4 to 5 could not be checked: .*broken.pc2"):
        crumple.dask.write_report(source, client=client, json=tmp_path / "report.jsonl", frames_per_task=2)
    assert [file.name for file in tmp_path.iterdir()] == ["broken.pc2"]


def test_a_bad_shot_fails_alone_with_its_name(client: Any, tmp_path: Path) -> None:
    shots = {"good": spheres(), "bad": broken_spheres(tmp_path), "gone": "missing.ply", "cloth": moving("cloth")}
    results = list(crumple.dask.shots(shots, tmp_path / "out", client=client))
    assert [result.name for result in results] == list(shots)
    assert [result.error is None for result in results] == [True, False, False, True]
    assert "broken.pc2" in str(results[1].error) and "missing.ply" in str(results[2].error)
    written = sorted(file.name for file in (tmp_path / "out").iterdir())
    assert written == ["cloth.html", "cloth.jsonl", "good.html", "good.jsonl"]


def test_the_command_writes_what_one_machine_does(client: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alone = saved(crumple.check(spheres()), tmp_path, "alone")
    with distributed.LocalCluster(processes=False, n_workers=1, dashboard_address=None) as cluster:
        words = ["--scheduler", cluster.scheduler_address, "--quiet"]
        json, html = tmp_path / "farm.jsonl", tmp_path / "farm.html"
        assert farm([*spheres(), *words, "--json", str(json), "--html", str(html)]) == 1
        assert (json.read_bytes(), html.read_bytes()) == alone
        listed = tmp_path / "shots.txt"
        listed.write_text(f"# two of them\ngood {' '.join(spheres())}\nbad missing.ply\n", encoding="utf-8")
        assert farm(["--shots", str(listed), "--out", str(tmp_path / "out"), *words]) == 2
    assert (tmp_path / "out/good.jsonl").read_bytes() == alone[0]
    assert "error: bad: missing.ply" in capsys.readouterr().err


def test_a_list_of_shots_is_read_as_a_shell_would(tmp_path: Path) -> None:
    file = tmp_path / "shots.txt"
    file.write_text("one 'a b.ply' c.ply # here\n\ntwo d.glb\n", encoding="utf-8")
    assert read_shots(str(file)) == {"one": ["a b.ply", "c.ply"], "two": ["d.glb"]}
    file.write_text("one\n", encoding="utf-8")
    with pytest.raises(crumple.OptionError, match="line 1: the shot one has no files"):
        read_shots(str(file))


@pytest.mark.parametrize("triangles_per_slab", [10_000_000, 30_000, 3_000])
@pytest.mark.parametrize("own", [False, True])
def test_slabs_lose_no_pair_and_find_none_twice(client: Any, triangles_per_slab: int, own: bool) -> None:
    frame, sources = 4, [*spheres(), moving("fox_run")]
    whole = crumple.check(sources, frames=slice(frame, frame + 1), self_collision=own, hold=True)
    found = crumple.dask.scene(
        sources, client=client, frame=frame, self_collision=own, triangles_per_slab=triangles_per_slab
    )
    assert found.bodies == whole.bodies and (found.slabs > 10) == (triangles_per_slab == 3_000)
    assert found.collides == whole.collides
    for name in ("a", "b", "triangle_a", "triangle_b"):
        np.testing.assert_array_equal(found.pairs[name], whole.pairs[name])


def test_slabs_of_a_grid_meet_at_their_borders(client: Any) -> None:
    """Many boxes begin exactly where a slab does."""

    def bodies() -> dict[str, Any]:
        faces, positions = grid(12)
        return {"flat": (faces, positions), "upright": (faces, positions[:, [0, 2, 1]] + np.float32([0, 0.5, -0.5]))}

    whole = crumple.check(bodies())
    for triangles_per_slab in (5, 24, 100):
        found = crumple.dask.scene([bodies], client=client, triangles_per_slab=triangles_per_slab)
        assert found.slabs > 2
        for name in ("a", "b", "triangle_a", "triangle_b"):
            np.testing.assert_array_equal(found.pairs[name], whole.pairs[name])
    ignoring = crumple.dask.scene([bodies], client=client, triangles_per_slab=24, ignore=[("upright", "flat")])
    assert not ignoring.collides


def test_slabs_of_a_scene_as_wide_as_numbers_go(client: Any) -> None:
    def bodies() -> dict[str, Any]:
        faces = np.array([[0, 1, 2], [3, 4, 5]])
        wide = np.float32([[-3e38, 0, 0], [3e38, 0, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0], [0, 1, 0]])
        upright = np.float32([[0, 0.2, -1], [0, 0.2, 1], [0, 0.4, 1], [5, 0, 0], [6, 0, 1], [5, 1, 1]])
        return {"wide": (faces, wide), "upright": (faces, upright)}

    whole = crumple.check(bodies())
    found = crumple.dask.scene([bodies], client=client, triangles_per_slab=1)
    assert found.slabs > 1 and whole.collides
    for name in ("a", "b", "triangle_a", "triangle_b"):
        np.testing.assert_array_equal(found.pairs[name], whole.pairs[name])
