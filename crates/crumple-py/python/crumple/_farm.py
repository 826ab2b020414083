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

from .errors import CrumpleError, OptionError


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
    return 1 if summary["frames_in_contact"] or summary.get("impacts") else 0


def _options(args: argparse.Namespace) -> dict[str, Any]:
    return {
        "frames": args.frames,
        "frames_per_task": args.frames_per_task,
        # As for `check`: if omitted, a single body is tested against itself.
        "self_collision": args.own or None,
        "method": args.method,
        "continuous": args.continuous,
        "thickness": args.thickness,
        "ignore": args.ignore,
        "hold": args.hold,
        "weld": False if args.no_weld else None,
        "fps": args.fps,
        "animation": args.animation,
        "f64": args.f64,
    }


def _range(text: str) -> slice:
    start, dots, end = text.partition("..")
    try:
        if not dots:
            return slice(int(start), int(start) + 1)
        stop = int(end[1:]) + 1 if end.startswith("=") else int(end) if end else None
        return slice(int(start) if start else 0, stop)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is no range of frames, as 10..20 or 10.. is") from None


def _two_names(text: str) -> tuple[str, str]:
    a, comma, b = text.partition(",")
    if not (a and comma and b):
        raise argparse.ArgumentTypeError(f"{text} is not two names, as shirt,body is")
    return a, b


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
    parser.add_argument("--frames", type=_range, metavar="RANGE", help="check only these frames: 10..20 (10 to 19), 10..=20, 10.. or 10")
    parser.add_argument("--frames-per-task", type=int, metavar="N", help="frames of a task; if omitted, measured so that it takes seconds")
    parser.add_argument("--self", dest="own", action="store_true", help="also find where a body meets itself")
    parser.add_argument("--continuous", action="store_true", help="also find what meets or passes through between two frames")
    parser.add_argument("--thickness", type=float, default=0.0, metavar="D", help="count surfaces nearer than this as meeting between frames")
    parser.add_argument("--ignore", type=_two_names, action="append", default=[], metavar="A,B", help="do not report contacts of these two bodies")
    parser.add_argument("--method", default="wide-tree", metavar="NAME", help="find the pairs by this method; all find the same ones")
    parser.add_argument("--hold", action="store_true", help="let a body with fewer frames than the others keep its last one")
    parser.add_argument("--no-weld", action="store_true", help="do not treat vertices that coincide in the first frame as connected")
    parser.add_argument("--fps", type=float, default=30.0, metavar="N", help="sample glTF animations at N frames per second")
    parser.add_argument("--animation", metavar="NAME", help="play this animation of a glTF file, by name or number")
    parser.add_argument("--f64", action="store_true", help="keep coordinates as 64-bit numbers instead of rounding them to 32 bits")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    return parser
