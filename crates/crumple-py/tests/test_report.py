"""Reports as pages, and the command inside the package."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import FIXTURES, moving

import crumple as cr


def test_a_page_appears_whole_and_plays_what_was_checked(tmp_path: Path) -> None:
    report = cr.check([str(FIXTURES / "wall.obj"), str(FIXTURES / "bullet_#.obj")], continuous=True)
    assert len(report.impacts) == 7 and len(report.pairs) == 0 and report.collides
    page = tmp_path / "page.html"
    report.save_html(page, title="a wall & a bullet")
    text = page.read_text(encoding="utf-8")
    assert "<title>a wall &amp; a bullet</title>" in text and [page] == list(tmp_path.iterdir())
    command = tmp_path / "command.html"
    run("check", FIXTURES / "wall.obj", FIXTURES / "bullet_#.obj", "--continuous", "--html", command, code=1)
    # The same mesh and motion as the command writes; times and titles differ.
    packed = [re.findall(r'<script type="text/plain" id="([^"]+)">([^<]*)</script>', file.read_text()) for file in (page, command)]
    assert len(packed[0]) > 1 and packed[0][0] == packed[1][0]


def test_a_failure_leaves_no_page_behind(tmp_path: Path) -> None:
    tile = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    frames = np.stack([tile, tile])
    report = cr.check({"a": ([[0, 1, 2]], tile), "b": ([[0, 1, 2]], frames)})
    with pytest.raises(OSError):
        report.save_html(tmp_path / "no such folder" / "page.html")
    frames[1, 0, 0] = np.nan
    with pytest.raises(cr.PositionsError, match="b: frame 1: vertex 0 has x = NaN"):
        report.save_html(tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []


def test_a_notebook_shows_the_page() -> None:
    shown = cr.check(moving("fox_run"), frames=slice(0, 3))._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "&lt;script" in shown


def test_a_report_is_described_in_words() -> None:
    assert repr(cr.check(moving("fox_run"))) == "Report(70 frames of fox_run: 70 in contact, 2644 pairs)"


def test_progress_is_shown_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    cr.check(moving("fox_run"), frames=slice(0, 3), progress=True)
    captured = capsys.readouterr()
    assert "3/3" in captured.err and captured.out == ""


def run(*words: object, code: int = 0) -> str:
    done = subprocess.run([sys.executable, "-m", "crumple", *map(str, words)], capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done.stdout


def test_the_command_is_in_the_package() -> None:
    answer = run("check", moving("fox_run"), "--self", "--quiet", code=1)
    assert "fox_run (region 4)" in answer and "664" in answer
    assert "Usage: crumple" in run("--help")
    run("check", "nothing.ply", code=2)
    run("check", moving("fox_run"), "--nope", code=2)


def command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "crumple", *words], capture_output=True, text=True)


def without_times(lines: str) -> list[dict[str, Any]]:
    """Records without what differs from run to run."""
    records = [json.loads(line) for line in lines.splitlines()]
    for record in records:
        for name in [name for name in record if name.endswith("_us")]:
            del record[name]
    return records


@pytest.mark.parametrize("words", [[], ["--continuous"]])
def test_a_saved_report_is_what_the_command_prints(tmp_path: Path, words: list[str]) -> None:
    source, file = moving("fox_run"), tmp_path / "report.jsonl"
    cr.check(source, frames=slice(20, 26), continuous=bool(words)).save_json(file)
    printed = command("check", source, "--json", "--pairs", "--quiet", "--frames", "20..26", *words).stdout
    assert without_times(file.read_text(encoding="utf-8")) == without_times(printed)
    assert '"update_us":0.0' not in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(("continuous", "parts"), [(False, [(0, 8), (8, 30), (30, 70)]), (True, [(0, 8), (7, 30), (29, 70)])])
def test_saved_parts_are_merged_to_the_bytes_of_the_whole(
    tmp_path: Path, continuous: bool, parts: list[tuple[int, int]]
) -> None:
    source, files = moving("fox_run"), []
    for start, end in parts:
        files.append(tmp_path / f"{start}.jsonl")
        cr.check(source, frames=range(start, end), continuous=continuous).save_json(files[-1], times=False)
    cr.check(source, continuous=continuous).save_json(tmp_path / "whole.jsonl", times=False)
    merged = command("merge", *map(str, files[::-1]), "--out", str(tmp_path / "merged.jsonl"))
    assert (merged.returncode, merged.stderr) == (0, "")
    assert (tmp_path / "merged.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
