"""The options of `check` as they are on the command line, for whoever has a line of text: `python -m crumple farm`, Blender."""

from __future__ import annotations

import argparse
import inspect
import shlex
from collections.abc import Collection
from typing import Any, NoReturn

from ._check import check
from .errors import OptionError

_SPELLED = {"self_collision": "self", "weld": "no-weld"}
"""Keywords with another name on the command line."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise OptionError(f"{message}; `crumple check --help` describes the options")


def add_options(parser: argparse.ArgumentParser, without: Collection[str] = ()) -> None:
    """Adds the options of `check`; `without` are keywords that there is no use for."""
    options = parser.add_argument_group("options of `crumple check`", "`crumple check --help` describes them")
    for name, parameter in inspect.signature(check).parameters.items():
        if name in ("bodies", "progress", "cast") or name in without:
            continue
        flag = f"--{_SPELLED.get(name, name.replace('_', '-'))}"
        if parameter.annotation in ("bool", "bool | None"):
            options.add_argument(flag, dest=name, action="store_true")
        else:
            is_list = str(parameter.annotation).startswith("Iterable")
            options.add_argument(flag, dest=name, action="append" if is_list else "store")


def given(args: argparse.Namespace) -> dict[str, Any]:
    """The keywords of `check` that were given as options."""
    names = inspect.signature(check).parameters
    found = {name: value for name, value in vars(args).items() if name in names and value not in (None, False)}
    return {**found, "weld": False} if "weld" in found else found


def check_options(text: str) -> dict[str, Any]:
    """The keywords of `check` from options as they are on the command line.

    >>> import crumple as cr
    >>> cr.check_options("--self --max-depth 0.01 --ignore 'arm*,body'")
    {'self_collision': True, 'ignore': ['arm*,body'], 'max_depth': '0.01'}
    """
    parser = _Parser(add_help=False, allow_abbrev=False)
    add_options(parser)
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise OptionError(f"{text}: {error}") from error
    return given(parser.parse_args(words))
