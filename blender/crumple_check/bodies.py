"""Objects as arrays: triangles once, vertices in every frame, after all modifiers and in world coordinates with y up."""

from __future__ import annotations

import bpy
import numpy as np

FACE_NUMBER = "crumple_face"
"""A face attribute with the number of each face. Modifiers pass it on, so that a new face leads back to the one it came from."""

TYPES = {"MESH", "CURVE", "SURFACE", "FONT", "META"}
"""Objects that have faces."""


class BodyError(Exception):
    """An object that cannot be checked; the message says why."""


class Body:
    """An object to check, as it was in the first frame."""

    def __init__(self, thing: bpy.types.Object, graph: bpy.types.Depsgraph) -> None:
        self.name = thing.name
        now = thing.evaluated_get(graph)
        mesh = now.to_mesh()
        try:
            mesh.calc_loop_triangles()
            self.faces = np.empty((len(mesh.loop_triangles), 3), np.int32)
            mesh.loop_triangles.foreach_get("vertices", self.faces.ravel())
            self.face_of_triangle = np.empty(len(mesh.loop_triangles), np.int32)
            mesh.loop_triangles.foreach_get("polygon_index", self.face_of_triangle)
            self.vertex_count = len(mesh.vertices)
            self.object_face = self._object_faces(thing, mesh)
        finally:
            now.to_mesh_clear()

    @staticmethod
    def _object_faces(thing: bpy.types.Object, mesh: bpy.types.Mesh) -> np.ndarray | None:
        """The face of the object, before modifiers, that each face comes from; None if that is not known."""
        if thing.type != "MESH":
            return None
        numbers = mesh.attributes.get(FACE_NUMBER)
        if numbers is not None and numbers.domain == "FACE":
            found = np.empty(len(mesh.polygons), np.int32)
            numbers.data.foreach_get("value", found)
            return found
        same = len(mesh.polygons) == len(thing.data.polygons)
        return np.arange(len(mesh.polygons), dtype=np.int32) if same else None

    def positions(self, thing: bpy.types.Object, graph: bpy.types.Depsgraph, frame: int) -> np.ndarray:
        """The vertices in the current frame."""
        now = thing.evaluated_get(graph)
        mesh = now.to_mesh()
        try:
            if len(mesh.vertices) != self.vertex_count:
                raise BodyError(
                    f"{self.name} has {len(mesh.vertices)} vertices in frame {frame}, but {self.vertex_count} before: "
                    "switch off the modifier that changes them, or ignore the object"
                )
            local = np.empty((self.vertex_count, 3), np.float32)
            mesh.vertices.foreach_get("co", local.ravel())
            world = np.array(now.matrix_world, np.float64)
        finally:
            now.to_mesh_clear()
        placed = (local @ world[:3, :3].T + world[:3, 3]).astype(np.float32)
        # The page has y up, as glTF has. This turn changes no number but in sign, so it changes no answer.
        return placed[:, [0, 2, 1]] * np.float32([1, 1, -1])

    @property
    def shown_faces(self) -> np.ndarray:
        """The face that the page names for each triangle: that of the object where it is known, else that after modifiers."""
        if self.object_face is not None and (self.object_face >= 0).all():
            return self.object_face[self.face_of_triangle].astype(np.uint32)
        return self.face_of_triangle.astype(np.uint32)


def chosen(context: bpy.types.Context, which: str) -> list[bpy.types.Object]:
    """The objects to check: the selected ones, or all that are visible."""
    things = context.selected_objects if which == "SELECTED" else context.visible_objects
    return sorted((thing for thing in things if thing.type in TYPES), key=lambda thing: thing.name)


def number_faces(things: list[bpy.types.Object]) -> None:
    """Gives the faces of objects whose modifiers may change faces their numbers."""
    for thing in things:
        if thing.type == "MESH" and thing.modifiers and thing.data.library is None:
            remove_numbers([thing])
            attribute = thing.data.attributes.new(FACE_NUMBER, "INT", "FACE")
            attribute.data.foreach_set("value", np.arange(len(thing.data.polygons), dtype=np.int32))


def remove_numbers(things: list[bpy.types.Object]) -> None:
    """Takes the numbers away."""
    for thing in things:
        attribute = thing.data.attributes.get(FACE_NUMBER) if thing.type == "MESH" else None
        if attribute is not None:
            thing.data.attributes.remove(attribute)
