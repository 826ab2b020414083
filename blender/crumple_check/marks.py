"""What was found, on the objects and the timeline: a face attribute, vertex groups, markers."""

from __future__ import annotations

import bpy
import numpy as np

from .run import Finding

ATTRIBUTE = "crumple_colliding"
"""Boolean, of faces: they meet another face in some frame, or come too close."""

PREFIX = "crumple: "
"""Of the names of vertex groups and timeline markers, so that they can be found again."""


def clear(scene: bpy.types.Scene) -> None:
    """Removes the marks of an earlier check."""
    for thing in scene.objects:
        if thing.type != "MESH" or thing.data.library is not None:
            continue
        attribute = thing.data.attributes.get(ATTRIBUTE)
        if attribute is not None:
            thing.data.attributes.remove(attribute)
        for group in [group for group in thing.vertex_groups if group.name.startswith(PREFIX)]:
            thing.vertex_groups.remove(group)
    for marker in [marker for marker in scene.timeline_markers if marker.name.startswith(PREFIX)]:
        scene.timeline_markers.remove(marker)


def mark(scene: bpy.types.Scene, findings: list[Finding]) -> None:
    """Marks what was found."""
    faces: dict[str, set[int]] = {}
    for finding in findings:
        for name, found in finding.faces.items():
            faces.setdefault(name, set()).update(found)
            other = finding.b if name == finding.a else finding.a
            _group(scene.objects.get(name), f"{PREFIX}{other}", found)
        # One marker where each episode begins.
        for frame in (frame for frame in finding.frames if frame - 1 not in set(finding.frames)):
            scene.timeline_markers.new(f"{PREFIX}{title(finding)}", frame=frame)
    for name, found in faces.items():
        thing = scene.objects.get(name)
        if is_markable(thing):
            attribute = thing.data.attributes.new(ATTRIBUTE, "BOOLEAN", "FACE")
            attribute.data.foreach_set("value", _mask(thing, found))


def title(finding: Finding) -> str:
    """Who meets whom."""
    return f"{finding.a} with itself" if finding.a == finding.b else f"{finding.a} × {finding.b}"


def is_markable(thing: bpy.types.Object | None) -> bool:
    """Whether the faces of an object can be marked: those of curves, text and linked files cannot."""
    return thing is not None and thing.type == "MESH" and thing.data.library is None


def select(thing: bpy.types.Object) -> int:
    """Selects the marked faces of a mesh, and only those; returns how many there are. Not in edit mode."""
    mesh = thing.data
    attribute = mesh.attributes.get(ATTRIBUTE)
    marked = np.zeros(len(mesh.polygons), bool)
    if attribute is not None:
        attribute.data.foreach_get("value", marked)
    # Blender selects an element with all its vertices, so those come first.
    vertices = np.zeros(len(mesh.vertices), bool)
    vertices[_vertices(mesh, np.flatnonzero(marked))] = True
    mesh.vertices.foreach_set("select", vertices)
    mesh.edges.foreach_set("select", np.zeros(len(mesh.edges), bool))
    mesh.polygons.foreach_set("select", marked)
    mesh.update()
    return int(marked.sum())


def _mask(thing: bpy.types.Object, faces: set[int]) -> np.ndarray:
    mask = np.zeros(len(thing.data.polygons), bool)
    mask[sorted(face for face in faces if face < len(mask))] = True
    return mask


def _vertices(mesh: bpy.types.Mesh, faces: np.ndarray) -> list[int]:
    return sorted({vertex for face in faces.tolist() for vertex in mesh.polygons[face].vertices})


def _group(thing: bpy.types.Object | None, name: str, faces: set[int]) -> None:
    """A vertex group of the vertices of some faces."""
    if not is_markable(thing):
        return
    group = thing.vertex_groups.get(name) or thing.vertex_groups.new(name=name)
    known = np.array(sorted(face for face in faces if face < len(thing.data.polygons)), np.int64)
    group.add(_vertices(thing.data, known), 1.0, "REPLACE")
