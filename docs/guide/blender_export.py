"""Writes every visible mesh of a Blender scene as NAME.ply and NAME.pc2, for `crumple check NAME.ply@NAME.pc2`.

    blender scene.blend --background --python blender_export.py -- FOLDER

Vertices are taken after all modifiers and in world coordinates, from the first to the last frame of the scene. The
words printed at the end are what `crumple check` takes.
"""

import re
import struct
import sys
from pathlib import Path

import bpy


def evaluated(thing, graph):
    """The mesh as it is in this frame: its vertices, and its faces as lists of vertex numbers."""
    now = thing.evaluated_get(graph)
    mesh = now.to_mesh()
    mesh.transform(now.matrix_world)
    vertices = [tuple(vertex.co) for vertex in mesh.vertices]
    faces = [tuple(face.vertices) for face in mesh.polygons]
    now.to_mesh_clear()
    return vertices, faces


def write_ply(path, vertices, faces):
    with open(path, "wb") as out:
        out.write(b"ply\nformat binary_little_endian 1.0\n")
        out.write(b"element vertex %d\nproperty float x\nproperty float y\nproperty float z\n" % len(vertices))
        out.write(b"element face %d\nproperty list uint uint vertex_indices\nend_header\n" % len(faces))
        for vertex in vertices:
            out.write(struct.pack("<3f", *vertex))
        for face in faces:
            out.write(struct.pack(f"<{1 + len(face)}I", len(face), *face))


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    scene = bpy.context.scene
    bodies = [thing for thing in scene.objects if thing.type == "MESH" and thing.visible_get()]
    caches, counts, words = {}, {}, []
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        for thing in bodies:
            vertices, faces = evaluated(thing, graph)
            if thing.name not in caches:
                name = re.sub(r"[^\w.+-]", "_", thing.name)
                mesh, cache = folder / f"{name}.ply", folder / f"{name}.pc2"
                write_ply(mesh, vertices, faces)
                caches[thing.name] = open(cache, "wb")
                counts[thing.name] = len(vertices)
                frames = scene.frame_end - scene.frame_start + 1
                # Start and step count frames: reports then name frames as Blender does.
                start, step = float(scene.frame_start), 1.0
                caches[thing.name].write(
                    struct.pack("<12siiffi", b"POINTCACHE2", 1, len(vertices), start, step, frames))
                words.append(f"{mesh}@{cache}")
            if len(vertices) != counts[thing.name]:
                sys.exit(f"{thing.name} has {len(vertices)} vertices in frame {frame}, {counts[thing.name]} before: a "
                         "point cache needs the same ones in every frame; switch off the modifier that changes them")
            caches[thing.name].write(b"".join(struct.pack("<3f", *vertex) for vertex in vertices))
    for cache in caches.values():
        cache.close()
    print(*words)


main(Path(sys.argv[sys.argv.index("--") + 1] if "--" in sys.argv else "."))
