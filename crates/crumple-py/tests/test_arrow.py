"""The Arrow table, read by hand as the interface describes it, since no reader of Arrow is needed to make one."""

from __future__ import annotations

import ctypes
import gc
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_int64, c_void_p
from typing import Any

import numpy as np
import pytest

import crumple as cr


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_char_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(Schema))),
    ("dictionary", POINTER(Schema)),
    ("release", CFUNCTYPE(None, POINTER(Schema))),
    ("private_data", c_void_p),
]
Array._fields_ = [
    *((name, c_int64) for name in ("length", "null_count", "offset", "n_buffers", "n_children")),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(Array))),
    ("dictionary", POINTER(Array)),
    ("release", CFUNCTYPE(None, POINTER(Array))),
    ("private_data", c_void_p),
]
Stream._fields_ = [
    ("get_schema", CFUNCTYPE(c_int, POINTER(Stream), POINTER(Schema))),
    ("get_next", CFUNCTYPE(c_int, POINTER(Stream), POINTER(Array))),
    ("get_last_error", CFUNCTYPE(c_char_p, POINTER(Stream))),
    ("release", CFUNCTYPE(None, POINTER(Stream))),
    ("private_data", c_void_p),
]

_pointer_in = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_in.restype, _pointer_in.argtypes = c_void_p, [ctypes.py_object, c_char_p]


def values(array: Any, dtype: Any, length: int, buffer: int = 1) -> np.ndarray:
    size = length * np.dtype(dtype).itemsize
    return np.frombuffer(ctypes.string_at(array.buffers[buffer], size) if size else b"", dtype)


def strings(array: Any) -> list[str]:
    offsets = values(array, np.int32, array.length + 1)
    text = values(array, np.uint8, int(offsets[-1]), 2).tobytes()
    return [text[start:end].decode() for start, end in zip(offsets, offsets[1:])]


def read(table: cr.ArrowTable) -> dict[str, list[Any]]:
    """All columns of a table, taken as a consumer takes them: moved out, read, released."""
    capsule = table.__arrow_c_stream__()
    stream = Stream.from_address(_pointer_in(capsule, b"arrow_array_stream"))
    schema, array, end = Schema(), Array(), Array()
    assert stream.get_schema(stream, schema) == 0 and schema.format == b"+s"
    assert stream.get_next(stream, array) == 0 and stream.get_next(stream, end) == 0 and not end.release
    stream.release(stream)
    assert not stream.release
    del capsule
    gc.collect()
    columns: dict[str, list[Any]] = {}
    for number in range(schema.n_children):
        field, column = schema.children[number].contents, array.children[number].contents
        assert field.format == b"I" and (column.null_count, column.offset, column.length) == (0, 0, array.length)
        numbers = values(column, np.uint32, column.length).tolist()
        if field.dictionary:
            assert field.dictionary.contents.format == b"u"
            names = strings(column.dictionary.contents)
            numbers = [names[number] for number in numbers]
        columns[field.name.decode()] = numbers
    for structure in (schema, array):
        structure.release(structure)
        assert not structure.release
    return columns


def report() -> cr.Report:
    tile = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    return cr.check({"flöor": ([[0, 1, 2]], tile), "card": ([[0, 1, 2]], np.stack([tile, tile + 9, tile]))})


def test_a_table_holds_every_pair_with_the_names_of_the_bodies() -> None:
    found = report()
    table = found.to_arrow()
    expected = {"frame": [0, 2], "a": ["flöor"] * 2, "b": ["card"] * 2, "triangle_a": [0, 0], "triangle_b": [0, 0]}
    assert read(table) == expected and read(table) == expected
    assert table.column_names == list(expected) and len(table) == 2


def test_an_empty_table_and_one_that_nobody_takes_are_released() -> None:
    table = cr.ArrowTable([("frame", np.zeros(0, np.uint32), None)])
    assert read(table) == {"frame": []} and read(cr.ArrowTable([])) == {}
    for _ in range(100):
        table.__arrow_c_stream__()
        table.__arrow_c_schema__()


def test_columns_that_do_not_fit_are_refused() -> None:
    one, two = np.zeros(1, np.uint32), np.zeros(2, np.uint32)
    for columns in ([("x", one, None), ("y", two, None)], [("x", one, [])], [("x\0", one, None)]):
        with pytest.raises(cr.ReportError):
            cr.ArrowTable(columns)
