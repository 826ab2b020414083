"""What the package says about itself: examples run, stubs match the module, types check."""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import pytest

import crumple

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = Path(crumple.__file__).parent


def documented(module: types.ModuleType) -> dict[str, Any]:
    """Everything public that may have a docstring, by name."""
    found: dict[str, Any] = {module.__name__: module, "crumple.errors": crumple.errors}
    for name in module.__all__:
        thing = getattr(module, name)
        found[name] = thing
        if isinstance(thing, type):
            members = {key: getattr(thing, key) for key in vars(thing) if not key.startswith("_")}
            found |= {f"{name}.{key}": member for key, member in members.items()}
    return found


def test_everything_public_is_described_and_its_examples_run() -> None:
    runner, examples = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL), 0
    for name, thing in documented(crumple).items():
        text = getattr(thing, "__doc__", None)
        is_value = not callable(thing) and not isinstance(thing, (property, types.GetSetDescriptorType, types.ModuleType))
        assert text or is_value or "." in name and issubclass(getattr(crumple, name.split(".")[0]), Exception), name
        test = doctest.DocTestParser().get_doctest(str(text or ""), {}, name, None, 0)
        examples += len(test.examples)
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0 and examples > 40


def test_the_stubs_match_the_module(tmp_path: Path) -> None:
    # These need what is not installed here; `cargo xtask losses` imports them.
    (tmp_path / "allowed").write_text("crumple.jax\ncrumple.torch\n", encoding="utf-8")
    words = [sys.executable, "-m", "mypy.stubtest", "crumple", "--ignore-missing-stub", "--mypy-config-file", config()]
    done = subprocess.run(
        [*words, "--allowlist", str(tmp_path / "allowed"), "--ignore-unused-allowlist"],
        capture_output=True,
        text=True,
        cwd=PACKAGE.parent,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def config() -> str:
    return str(ROOT / "crates/crumple-py/pyproject.toml")


def test_the_package_and_the_examples_are_typed_strictly(tmp_path: Path) -> None:
    examples = [tmp_path / f"example_{number}.py" for number in range(len(examples_of_guide()))]
    for file, code in zip(examples, examples_of_guide()):
        file.write_text(code, encoding="utf-8")
    words = [sys.executable, "-m", "mypy", "--strict", "--config-file", config()]
    done = subprocess.run([*words, str(PACKAGE), *map(str, examples)], capture_output=True, text=True, cwd=PACKAGE.parent)
    assert done.returncode == 0, done.stdout + done.stderr


def examples_of_guide() -> list[str]:
    texts = [(ROOT / page).read_text(encoding="utf-8") for page in ("docs/guide/in-python.md", "README.md")]
    return [code for text in texts for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL)]


@pytest.mark.parametrize("number", range(len(examples_of_guide())))
def test_the_examples_of_the_guide_run(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    monkeypatch.chdir(tmp_path)
    exec(compile(examples_of_guide()[number], f"example {number}", "exec"), {"__name__": "example"})


def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = json.loads((ROOT / "docs/guide/crumple.ipynb").read_text(encoding="utf-8"))
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    monkeypatch.chdir(tmp_path)
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 4
    space: dict[str, Any] = {"__name__": "notebook"}
    for number, cell in enumerate(cells):
        exec(compile(cell, f"cell {number}", "exec"), space)
