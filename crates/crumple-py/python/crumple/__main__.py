"""The command: `python -m crumple check walk.glb`, or `crumple check walk.glb`."""

from __future__ import annotations

import sys

from ._crumple import run_command


def main() -> int:
    """Runs the command with the arguments of this process and returns its exit code."""
    return run_command(["crumple", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
