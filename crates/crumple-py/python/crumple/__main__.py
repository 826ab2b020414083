"""The command: `python -m crumple check walk.glb`, or `crumple check walk.glb`."""

from __future__ import annotations

import sys

from ._crumple import run_command


def main() -> int:
    """Runs the command with the arguments of this process and returns its exit code."""
    if sys.argv[1:2] == ["farm"]:
        from ._farm import main as farm

        return farm(sys.argv[2:])
    return run_command(["crumple", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
