"""`check` in Python is the check of the command: same options, same findings, and no false pass."""

from __future__ import annotations

import dataclasses
import inspect
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import FIXTURES, moving

import crumple as cr

CUBE = np.array(
    [[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3], [0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5]]
)


def cube(centre: tuple[float, float, float], half: float) -> np.ndarray:
    corners = np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], np.float32)
    return corners * np.float32(half) + np.float32(centre)


def assembly() -> dict[str, Any]:
    places = {"case": ((0, 0, 0), 4), "bolt": ((3.5, 1, 1), 1), "plate": ((0, 6, 0), 2), "nut": ((1, 1, 1), 0.5), "cap": ((9, 0, 0), 1)}
    return {name: (CUBE, cube(centre, half)) for name, (centre, half) in places.items()}


def command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "crumple", *words], capture_output=True, text=True)


def plain(lines: str) -> list[dict[str, Any]]:
    """Records without times."""
    records = [json.loads(line) for line in lines.splitlines()]
    return [{name: value for name, value in record.items() if not name.endswith("_us")} for record in records]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"self_collision": True}, ["--self"]),
        ({"depth": True, "containment": True}, ["--depth", "--containment"]),
        ({"proper": True, "self_collision": True}, ["--proper", "--self"]),
        ({"clearance": 0.05}, ["--clearance", "0.05"]),
        ({"volume": True, "max_depth": 0.01}, ["--volume", "--max-depth", "0.01"]),
        ({"continuous": True, "thickness": 0.001}, ["--continuous", "--thickness", "0.001"]),
        ({"only": ["spheres_*"], "max_pairs": 3}, ["--only", "spheres_*", "--max-pairs", "3"]),
        ({"frames": range(1, 5), "every": 2, "hold": True}, ["--frames", "1..5", "--every", "2", "--hold"]),
        ({"self_collision": True, "rest": 0}, ["--self", "--rest", "0"]),
        ({"rest": 1, "rest_rings": 1, "joint_distance": 2}, ["--rest", "1", "--rest-rings", "1", "--joint-distance", "2"]),
    ],
)
def test_a_report_is_the_one_of_the_command(tmp_path: Path, options: dict[str, Any], words: list[str]) -> None:
    sources = [moving("spheres_a"), moving("spheres_b")]
    report = cr.check(sources, **options)
    report.save_json(tmp_path / "python.jsonl")
    printed = command("check", *sources, "--json", "--pairs", "--quiet", *words)
    assert plain((tmp_path / "python.jsonl").read_text()) == plain(printed.stdout)
    assert report.collides == (printed.returncode == 1)
    csv = command("check", *sources, "--output-format", "github", *words).stdout.splitlines()
    assert [finding.sentence for finding in report.findings] == [line.split("::", 2)[2] for line in csv[:-1]]


def test_every_option_of_the_command_is_a_keyword() -> None:
    text = command("check", "--help").stdout
    flags = {word.split("[")[0].strip(",") for line in text.splitlines() if line.strip().startswith("--") for word in line.split()[:1]}
    # What says how the answer is printed, or where options come from.
    printed = {"--json", "--quiet", "--pairs", "--output-format", "--config", "--no-config", "--help", "--version", "--no-weld", "--each"}
    keywords = {f"--{'self' if name == 'self_collision' else name.replace('_', '-')}" for name in inspect.signature(cr.check).parameters}
    assert len(flags) > 30 and flags - printed <= keywords


def test_regions_are_named_by_bones_and_followed() -> None:
    fox = str(FIXTURES.parent / "crates/crumple-io/tests/assets/fox.glb")
    report = cr.check(fox, animation="Run")
    worst = report.findings[0]
    assert worst.region["carriers"] == ["b_LeftLeg02_016", "b_Spine01_02"] and worst.region["apart"] > 2
    for frame in report:
        assert sum(region.count for region in frame.regions) == sum(contact.count for contact in frame.contacts)
    far = cr.check(fox, animation="Run", joint_distance=2)
    assert all(finding.region["apart"] > 2 for finding in far.findings) and len(far.findings) < len(report.findings)
    assert sum(frame.joined_regions for frame in far) == far.summary["joined_regions"] > 0
    ignored = cr.check(fox, animation="Run", joint_distance=2, ignore=["b_*Leg02*,b_Spine01_02"])
    names = [tuple(finding.region["carriers"]) for finding in ignored.findings]
    assert ("b_LeftLeg02_016", "b_Spine01_02") not in names and len(ignored.findings) < len(report.findings)


def test_volumes_say_how_bodies_lie_to_each_other() -> None:
    report = cr.check(assembly(), volume=True)
    names = report.bodies
    statuses = {(names[row["a"]], names[row["b"]]): row["status"] for row in report.summary["statuses"]}
    assert statuses["case", "bolt"] == "crossing" and statuses["case", "plate"] == "touching"
    assert statuses["case", "nut"] == "inside" and statuses["case", "cap"] == "apart"
    (frame,) = report
    assert [contact.volume for contact in frame.contacts] == [6, 0] and frame.contained[0].volume == 1
    assert cr.check(assembly(), max_volume=5.9).collides and not cr.check(assembly(), max_volume=6).collides


def test_a_rest_pose_that_excuses_everything_is_refused() -> None:
    with pytest.raises(cr.OptionError, match="rest excuses every pair"):
        cr.check({"a": (CUBE, cube((0, 0, 0), 1)), "b": (CUBE, cube((1, 0.1, 0.1), 1))}, rest=0)


class Numbered:
    """Frames that begin with a number of their own."""

    def __init__(self, frames: np.ndarray, first_number: int) -> None:
        self.frames, self.first_number, self.shape, self.dtype = frames, first_number, frames.shape, frames.dtype

    def __len__(self) -> int:
        return len(self.frames)

    def __getitem__(self, frame: int) -> np.ndarray:
        return self.frames[frame]


def test_bodies_are_matched_by_the_numbers_of_their_frames() -> None:
    """They meet in frame 1006 alone."""

    def moved(start: int, x: float) -> Numbered:
        return Numbered(np.stack([cube((5 if n == 1006 else x, 0.1, 0.1), 1) for n in range(start, start + 10)]), start)

    bodies = {"body": (CUBE, moved(1001, 0)), "shirt": (CUBE, moved(1004, 9))}
    with pytest.raises(cr.OptionError, match="body has frames 1001 to 1010, but shirt has frames 1004 to 1013.*by_position"):
        cr.check(bodies)
    report = cr.check(bodies, frames=range(1004, 1010))
    assert [record.number for record in report if record.contacts] == [1006]
    assert "in frame 1006" in report.findings[0].sentence
    assert not cr.check(bodies, by_position=True).collides


def test_notes_say_what_was_not_looked_at() -> None:
    bodies = {"a": (CUBE, cube((0, 0, 0), 1)), "b": (CUBE, cube((9, 0, 0), 0.01))}
    notes = "\n".join(cr.check(bodies).notes)
    assert "bodies were not checked against themselves" in notes and "are both in the same unit?" in notes


def test_a_baseline_leaves_only_what_is_new(tmp_path: Path) -> None:
    known = tmp_path / "known.json"
    sources = [moving("spheres_a"), moving("spheres_b")]
    report = cr.check(sources, write_baseline=known)
    assert known.exists() and report.findings
    again = cr.check(sources, baseline=known)
    assert not again.collides and again.summary["known"] == len(report.findings)
    # The command reads what Python has written.
    assert command("check", *sources, "--baseline", str(known)).returncode == 0


def test_options_that_do_nothing_are_refused() -> None:
    bodies = {"a": (CUBE, cube((0, 0, 0), 1)), "b": (CUBE, cube((9, 0, 0), 1))}
    for options, message in [
        ({"split": "parts"}, "split does nothing here"),
        ({"mask": ["arm"]}, "mask does nothing here"),
        ({"thickness": 0.1}, "thickness does nothing without continuous=True"),
        ({"animation": "run"}, "animation does nothing here"),
    ]:
        with pytest.raises(cr.OptionError, match=message):
            cr.check(bodies, **options)  # type: ignore[arg-type]
    with pytest.raises(cr.OptionError, match='invalid value "-1": write a finite number'):
        cr.check(bodies, clearance=-1)


def test_files_are_written_in_the_same_pass_and_frames_read_once(tmp_path: Path) -> None:
    read: list[int] = []

    class Watched(Numbered):
        def __getitem__(self, frame: int) -> np.ndarray:
            read.append(frame)
            return self.frames[frame]

    frames = np.stack([cube((x, 0.1, 0.1), 1) for x in np.linspace(9, 0, 12)])
    page, csv = tmp_path / "page.html", tmp_path / "pairs.csv"
    report = cr.check({"still": (CUBE, cube((0, 0, 0), 1)), "moving": (CUBE, Watched(frames, 0))}, html=page, csv=csv)
    assert read == list(range(12)) and report.collides
    text = page.read_text()
    assert "<title>still and moving</title>" in text and '"findings"' in text
    assert csv.read_text().count("\n") == 1 + len(report.pairs)


def test_records_have_the_fields_of_the_schema() -> None:
    schema = json.loads((FIXTURES.parent / "docs/report.schema.json").read_text())["$defs"]
    kinds = {
        "Frame": cr.FrameRecord,
        "ContactRecord": cr.ContactRecord,
        "ContactRegionRecord": cr.ContactRegionRecord,
        "ContainedRecord": cr.ContainedRecord,
        "OnsetRecord": cr.OnsetRecord,
        "NearRecord": cr.NearRecord,
        "Finding": cr.Finding,
    }
    for name, kind in kinds.items():
        fields = {field.name: field for field in dataclasses.fields(kind)}
        # A sentence says what the other fields do.
        assert set(fields) - {"sentence"} == set(schema[name]["properties"]), name
        has_default = {
            field
            for field, of in fields.items()
            if of.default is not dataclasses.MISSING or of.default_factory is not dataclasses.MISSING
        }
        assert set(fields) - has_default - {"sentence", "pairs"} == set(schema[name]["required"]) - {"pairs"}, name


def falling(last: float) -> np.ndarray:
    """A cube that comes down on another, with a last height."""
    return np.stack([cube((0.1, 0.1, z), 1) for z in (4, 1.5, 1, last)])


def test_what_was_found_before_a_frame_that_cannot_be_read_is_in_the_files(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    with pytest.raises(cr.PositionsError, match="b: frame 3: vertex 0 has z = NaN"):
        cr.check({"a": (CUBE, cube((0, 0, 0), 1)), "b": (CUBE, falling(np.nan))}, html=page)
    assert '"complete":false' in page.read_text() and '"reached":2' in page.read_text()


def test_an_interrupted_check_marks_its_files(tmp_path: Path) -> None:
    page, seen = tmp_path / "page.html", []

    def progress() -> None:
        seen.append(None)
        if len(seen) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cr.check({"a": (CUBE, cube((0, 0, 0), 1)), "b": (CUBE, falling(0.5))}, html=page, progress=progress)
    assert '"complete":false' in page.read_text() and '"reached":1' in page.read_text()


def test_frames_of_several_animations_are_numbered_within_each() -> None:
    fox = FIXTURES.parent / "crates/crumple-io/tests/assets/fox.glb"
    report = cr.check(str(fox), animation="all")
    animations = {record.animation for record in report}
    assert len(animations) == 3
    later = next(finding for finding in report.findings if finding.numbers is not None)
    assert later.numbers["first"] < later.first and f"of animation {later.animation}" in later.sentence
    one = cr.check(str(fox))
    assert any("--animation all" in note or "animation" in note for note in one.notes)


def test_files_that_are_not_read_each_have_their_way_out(tmp_path: Path) -> None:
    for name in ("shot.abc", "shot.fbx", "shot.blend", "shot.vtu"):
        (tmp_path / name).write_text("")
        with pytest.raises(cr.ReadError, match=f"{name}: .*; .+"):
            cr.check(str(tmp_path / name))


def test_the_name_of_a_mesh_may_have_an_at(tmp_path: Path) -> None:
    mesh, cache = tmp_path / "body@v2.ply", tmp_path / "motion.pc2"
    mesh.write_bytes((FIXTURES / "fox_run.ply").read_bytes())
    cache.write_bytes((FIXTURES / "fox_run.pc2").read_bytes())
    assert len(cr.check(f"{mesh}@{cache}", frames=slice(0, 2))) == 2


def test_bodies_that_are_not_tested_are_not_counted() -> None:
    three = {name: (CUBE, cube((x, 0.1 * x, 0), 1)) for name, x in (("a", 0), ("b", 1), ("c", 9))}
    assert cr.check(three).summary["tested"] == {"body_pairs": 3, "self": 0}
    assert cr.check(three, rest=0).summary["tested"] == {"body_pairs": 2, "self": 0}
    assert cr.check(three, only=["a"], self_collision=True).summary["tested"] == {"body_pairs": 2, "self": 1}
