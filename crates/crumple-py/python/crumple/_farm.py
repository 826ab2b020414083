"""The command `python -m crumple farm`: `check` over the workers of a Dask cluster.

Standard output is the answer, standard error everything else. Exit codes are those of `crumple check`: 0 if nothing collides, 1 if
something does, 2 after an error.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ._arguments import add_options, given
from .errors import CrumpleError, OptionError

_NOT_HERE = {"html", "csv", "export", "export_format", "write_baseline"}
"""Options of `check` that write files on one machine."""


def main(words: Sequence[str]) -> int:
    """Runs the command and returns its exit code."""
    args = _parser().parse_args(words)
    try:
        from dask.distributed import Client
    except ImportError:
        print("error: farm needs Dask\nhint: pip install crumple[dask]", file=sys.stderr)
        return 2
    try:
        if not args.source and args.shots is None:
            raise OptionError("there is nothing to check: give files, or --shots FILE")
        with Client(args.scheduler) as client:
            return _shots(client, args) if args.shots is not None else _one(client, args)
    except (CrumpleError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _one(client: Any, args: argparse.Namespace) -> int:
    from . import dask

    outputs = {"json": args.json, "html": args.html}
    summary = dask.write_report(args.source, client=client, progress=not args.quiet, **outputs, **_options(args))
    print(json.dumps(summary))
    return _code(summary)


def _shots(client: Any, args: argparse.Namespace) -> int:
    from . import dask

    if args.source or args.json is not None or args.html is not None:
        raise OptionError("--shots FILE names the files, and --out DIR where reports go")
    code = 0
    listed = read_shots(args.shots)
    for done, shot in enumerate(dask.shots(listed, args.out, client=client, **_options(args)), 1):
        if shot.summary is None:
            print(f"error: {shot.name}: {shot.error}", file=sys.stderr)
            code = 2
        else:
            code = max(code, _code(shot.summary))
        print(json.dumps({"shot": shot.name, "summary": shot.summary, "error": shot.error}), flush=True)
        if not args.quiet:
            print(f"shot {done}/{len(listed)}", file=sys.stderr)
    return code


def read_shots(file: str) -> dict[str, list[str]]:
    """Shots by name, of a file with one per line: a name, then its files, separated by blanks as in a shell."""
    shots: dict[str, list[str]] = {}
    for number, line in enumerate(Path(file).read_text(encoding="utf-8").splitlines(), 1):
        try:
            words = shlex.split(line, comments=True)
        except ValueError as error:
            raise OptionError(f"{file}: line {number}: {error}") from error
        if not words:
            continue
        if len(words) == 1:
            raise OptionError(f"{file}: line {number}: the shot {words[0]} has no files")
        if words[0] in shots:
            raise OptionError(f"{file}: line {number}: the shot {words[0]} is listed twice")
        shots[words[0]] = words[1:]
    return shots


def _code(summary: dict[str, Any]) -> int:
    return 1 if summary.get("findings") else 0


def _options(args: argparse.Namespace) -> dict[str, Any]:
    options = {name: value for name, value in given(args).items() if name not in _NOT_HERE}
    return {"frames_per_task": args.frames_per_task, **options}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m crumple farm",
        description="Check the frames of files on the workers of a Dask cluster. The workers must see the files under the same names.",
    )
    parser.add_argument("source", nargs="*", metavar="SOURCE", help="files of one scene, as `crumple check` takes them")
    parser.add_argument("--scheduler", required=True, metavar="ADDRESS", help="the scheduler, as in tcp://host:8786")
    parser.add_argument("--json", metavar="FILE", help="write the report, one record per line (schema crumple.report/1)")
    parser.add_argument("--html", metavar="FILE", help="write a page to look at: the bodies in motion, with what collides in red")
    parser.add_argument("--shots", metavar="FILE", help="check many scenes: one per line, a name and its files")
    parser.add_argument("--out", default=".", metavar="DIR", help="with --shots, where NAME.jsonl and NAME.html go")
    parser.add_argument("--frames-per-task", type=int, metavar="N", help="frames of a task; if omitted, measured so that it takes seconds")
    add_options(parser, _NOT_HERE)
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    return parser
