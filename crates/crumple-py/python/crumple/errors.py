"""The exceptions of crumple: one class per kind of error, each also a class that Python programs expect.

>>> import crumple as cr
>>> try:
...     cr.Scene(method="magic")
... except ValueError as error:
...     print(type(error).__name__)
UnknownMethodError
"""

__all__ = [
    "CrumpleError",
    "DtypeError",
    "MeshError",
    "MissingFileError",
    "NameTakenError",
    "NoSuchFrameError",
    "OptionError",
    "PositionsError",
    "ReadError",
    "ReportError",
    "SceneBusyError",
    "SceneError",
    "StaleFrameError",
    "TaskError",
    "ThicknessError",
    "UnknownBodyError",
    "UnknownMethodError",
    "VolumeError",
    "WorkLimitError",
]


class CrumpleError(Exception):
    """Base of all exceptions of this package."""


class MeshError(CrumpleError, ValueError):
    """Faces were refused: their shape, their type, or a vertex that is not there."""


class PositionsError(CrumpleError, ValueError):
    """Positions were refused: their shape, their number, or a coordinate that is not finite."""


class DtypeError(PositionsError, TypeError):
    """Positions are of a type that float32 cannot represent without rounding; `cast=True` rounds."""


class SceneError(CrumpleError, ValueError):
    """A scene refused a call."""


class UnknownBodyError(SceneError, IndexError, KeyError):
    """A name or id names no body of this scene."""

    __str__ = Exception.__str__


class NameTakenError(SceneError):
    """A scene has a body of this name already."""


class ThicknessError(SceneError):
    """A thickness is negative, not finite, or larger than its body."""


class SceneBusyError(CrumpleError, RuntimeError):
    """The positions of a body are being written by another `with scene.positions(...)`."""


class WorkLimitError(CrumpleError, RuntimeError):
    """A question takes more work than `max_work` of its scene allows."""


class StaleFrameError(CrumpleError, RuntimeError):
    """A frame was asked after its scene had been changed."""


class UnknownMethodError(CrumpleError, ValueError):
    """There is no method of this name; `crumple.methods()` lists them."""


class OptionError(CrumpleError, ValueError):
    """An option has a value that it cannot take."""


class VolumeError(CrumpleError, ValueError):
    """A body has no inside: it is open, flat, empty, or its triangles are not oriented."""


class ReadError(CrumpleError, OSError, ValueError):
    """A file could not be read, or does not follow its format."""


class MissingFileError(ReadError, FileNotFoundError):
    """There is no such file."""


class NoSuchFrameError(CrumpleError, IndexError):
    """A frame past the last one was asked for."""


class ReportError(CrumpleError, ValueError):
    """A report cannot be written as asked."""


class TaskError(CrumpleError, RuntimeError):
    """Frames could not be checked on a worker of a cluster; the message says which, and why."""
