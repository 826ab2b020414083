"""Bodies from files: the readers of the library, and USD through `usd-core`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Union

from ._crumple import LoadedBody, load_files

if TYPE_CHECKING:
    from ._usd import UsdBody

USD = (".usd", ".usda", ".usdc", ".usdz")


def load(
    path: str | os.PathLike[str],
    *,
    fps: float = 30.0,
    animation: str | None = None,
    obj_bodies: str = "file",
    f64: bool = False,
) -> Sequence[Union[LoadedBody, UsdBody]]:
    """The bodies of a file: a mesh and its frames for each. Frames are read when they are asked for.

    A path is a mesh (.obj .ply .stl .off), an animation (.gltf .glb), a folder or `name_####.ply` of numbered meshes, a mesh with
    a point cache as in `body.ply@motion.pc2`, or USD (.usd .usda .usdc .usdz; needs `pip install crumple[usd]`). glTF is
    sampled at `fps` frames per second; `animation` chooses one by name or number. `obj_bodies` is "file", "objects" or
    "groups": which parts of an OBJ file become bodies of their own. With `f64`, positions of OBJ and OFF files and `double` ones of
    PLY files are float64, as they are in the file, instead of rounded to float32.

    >>> import crumple as cr
    >>> cr.load("missing.ply")
    Traceback (most recent call last):
    crumple.errors.MissingFileError: missing.ply: cannot be read: No such file or directory (os error 2)
    """
    text = os.fspath(path)
    if PurePath(text).suffix.lower() in USD:
        from ._usd import load_usd

        return load_usd(text)
    return load_files(text, fps=fps, animation=animation, obj_bodies=obj_bodies, f64=f64)
