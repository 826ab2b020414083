"""The extension in Blender as a Python module, without a window: `cargo xtask blender`.

A file is made, saved and opened; the operator runs; faces, groups, markers and the page are compared with what must be there.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import MethodType, SimpleNamespace

import bpy
import numpy as np
import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import crumple  # noqa: E402
import crumple_check  # noqa: E402
from crumple_check import marks, operators, run  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def registered() -> Iterator[None]:
    crumple_check.register()
    yield
    crumple_check.unregister()


@pytest.fixture
def scene(tmp_path: Path) -> bpy.types.Scene:
    """A file, made here and opened again: a sheet with a wave falls through a ball that an armature moves, above a floor."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.mesh.primitive_uv_sphere_add(segments=16, ring_count=8, radius=1.0)
    ball = bpy.context.object
    ball.name = "ball"
    bpy.ops.object.armature_add()
    armature = bpy.context.object
    ball.parent, ball.parent_type, ball.parent_bone = armature, "BONE", armature.data.bones[0].name
    armature.pose.bones[0].location = (0.0, 0.0, 0.0)
    armature.pose.bones[0].keyframe_insert("location", frame=1)
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=20, y_subdivisions=20, size=4.0)
    sheet = bpy.context.object
    sheet.name = "sheet"
    sheet.modifiers.new("wave", "WAVE").height = 0.1
    for frame, height in ((1, 4.0), (20, -4.0)):
        sheet.location.z = height
        sheet.keyframe_insert("location", frame=frame)
    bpy.ops.mesh.primitive_plane_add(size=10.0, location=(0.0, 0.0, -6.0))
    bpy.context.object.name = "floor"
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 20
    file = tmp_path / "falling.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    bpy.ops.wm.open_mainfile(filepath=str(file))
    bpy.context.scene.frame_set(7)
    return bpy.context.scene


def colliding(name: str) -> set[int]:
    mesh = bpy.data.objects[name].data
    attribute = mesh.attributes.get(marks.ATTRIBUTE)
    if attribute is None:
        return set()
    assert (attribute.domain, attribute.data_type) == ("FACE", "BOOLEAN")
    return {face for face in range(len(mesh.polygons)) if attribute.data[face].value}


def expected(scene: bpy.types.Scene, a: str, b: str) -> dict[int, tuple[set[int], set[int], int]]:
    """Faces of both objects that meet, by frame: their triangles in world coordinates, given to the library one frame at a time."""
    found = {}
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        sides = []
        for name in (a, b):
            now = bpy.data.objects[name].evaluated_get(graph)
            mesh = now.to_mesh()
            mesh.transform(now.matrix_world)
            mesh.calc_loop_triangles()
            faces = [triangle.polygon_index for triangle in mesh.loop_triangles]
            corners = [tuple(triangle.vertices) for triangle in mesh.loop_triangles]
            sides.append((corners, np.float32([vertex.co for vertex in mesh.vertices]), faces))
            now.to_mesh_clear()
        pairs = crumple.pairs(sides[0][:2], sides[1][:2])
        if len(pairs):
            found[frame] = (*({sides[side][2][triangle] for triangle in pairs[:, side]} for side in (0, 1)), len(pairs))
    return found


def test_the_operator_finds_the_faces_that_collide(scene: bpy.types.Scene) -> None:
    truth = expected(scene, "ball", "sheet")
    scene.frame_set(7)
    assert bpy.ops.crumple.check() == {"FINISHED"}
    (finding,) = scene.crumple.findings
    assert (finding.name, finding.kind) == ("ball × sheet", "contact")
    assert (finding.first, finding.last, finding.frames) == (min(truth), max(truth), len(truth))
    most = max(count for *_, count in truth.values())
    assert finding.count == most and truth[finding.worst][2] == most
    assert colliding("ball") == set.union(*(ball for ball, _, _ in truth.values()))
    assert colliding("sheet") == set.union(*(sheet for _, sheet, _ in truth.values()))
    assert not colliding("floor")
    # The scene is as it was: its frame, and no attribute that was needed on the way.
    assert scene.frame_current == 7 and scene.crumple.progress == -1
    assert not any(thing.data.attributes.get("crumple_face") for thing in scene.objects if thing.type == "MESH")


def test_vertex_groups_and_markers_say_who_and_when(scene: bpy.types.Scene) -> None:
    bpy.ops.crumple.check()
    finding = scene.crumple.findings[0]
    sheet = bpy.data.objects["sheet"]
    group = sheet.vertex_groups["crumple: ball"]
    of_faces = {vertex for face in colliding("sheet") for vertex in sheet.data.polygons[face].vertices}
    in_group = {vertex.index for vertex in sheet.data.vertices if any(part.group == group.index for part in vertex.groups)}
    assert in_group == of_faces and of_faces
    markers = [(marker.name, marker.frame) for marker in scene.timeline_markers]
    assert markers == [("crumple: ball × sheet", finding.first)]
    # A second check replaces the marks, and Clear removes them.
    bpy.ops.crumple.check()
    assert len(scene.timeline_markers) == 1 and len(sheet.vertex_groups) == 1
    bpy.ops.crumple.clear()
    assert not scene.timeline_markers and not sheet.vertex_groups and not colliding("sheet") and not scene.crumple.findings


def test_the_worst_frame_and_the_faces_are_one_click_away(scene: bpy.types.Scene) -> None:
    bpy.ops.crumple.check()
    assert bpy.ops.crumple.worst_frame() == {"FINISHED"}
    assert scene.frame_current == scene.crumple.findings[0].worst
    marked = colliding("sheet")
    assert bpy.ops.crumple.select_faces() == {"FINISHED"}
    bpy.ops.object.mode_set(mode="OBJECT")
    sheet = bpy.data.objects["sheet"].data
    assert {face.index for face in sheet.polygons if face.select} == marked


def test_faces_that_modifiers_make_are_marked_on_the_object(scene: bpy.types.Scene) -> None:
    bpy.data.objects["sheet"].modifiers.new("finer", "SUBSURF").levels = 1
    bpy.ops.crumple.check()
    sheet = bpy.data.objects["sheet"]
    graph = bpy.context.evaluated_depsgraph_get()
    assert len(sheet.evaluated_get(graph).data.polygons) == 4 * len(sheet.data.polygons)
    # The ball reaches no farther than 1 from the middle, and a face is 0.2 wide.
    marked = [np.array(sheet.data.polygons[face].center) for face in colliding("sheet")]
    assert 40 < len(marked) < len(sheet.data.polygons) and max(np.hypot(*center[:2]) for center in marked) < 1.3


def test_pairs_can_be_ignored_and_objects_chosen(scene: bpy.types.Scene) -> None:
    for thing in scene.objects:
        thing.select_set(thing.name in ("ball", "sheet"))
    assert bpy.ops.crumple.ignore() == {"FINISHED"}
    bpy.ops.crumple.check()
    assert not scene.crumple.findings and scene.crumple.message == "nothing collides"
    bpy.ops.crumple.stop_ignoring(index=0)
    bpy.data.objects["ball"].select_set(False)
    bpy.data.objects["floor"].select_set(True)
    scene.crumple.objects = "SELECTED"
    bpy.ops.crumple.check()
    assert not scene.crumple.findings
    scene.crumple.objects, scene.crumple.use_scene_range = "VISIBLE", False
    scene.crumple.first, scene.crumple.last = 1, 3
    bpy.ops.crumple.check()
    assert not scene.crumple.findings


def test_a_sheet_that_passes_through_itself_is_found(scene: bpy.types.Scene) -> None:
    sheet = bpy.data.objects["sheet"].data
    for vertex in sheet.vertices:
        if vertex.co.x > 1.0:
            vertex.co.x, vertex.co.z = 2.0 - vertex.co.x, 0.5 - (vertex.co.x - 1.0)
    scene.crumple.self_collision = True
    bpy.ops.crumple.check()
    assert "sheet with itself" in [finding.name for finding in scene.crumple.findings]
    assert bpy.data.objects["sheet"].vertex_groups.get("crumple: sheet")


def test_objects_that_come_too_close_are_found(scene: bpy.types.Scene) -> None:
    scene.crumple.clearance = 2.2
    bpy.ops.crumple.check()
    near = {finding.name: finding for finding in scene.crumple.findings if finding.kind == "near"}
    found = near["floor × sheet"]
    # In the last frame the sheet is two units above the floor; its wave reaches 0.1 down at most.
    assert (found.worst, found.last) == (20, 20) and 1.9 <= found.distance <= 2.2
    assert colliding("floor") == {0}
    met = next(finding for finding in scene.crumple.findings if finding.kind == "contact")
    assert near["ball × sheet"].first < met.first


def test_a_check_that_is_cancelled_leaves_nothing(scene: bpy.types.Scene) -> None:
    things = [thing for thing in scene.objects if thing.type == "MESH"]
    under_way = run.Run(bpy.context, run.Asked(things, 1, 20))
    under_way.tick(bpy.context, seconds=0.0)
    assert 0 < under_way.progress < 1 and not under_way.is_done
    under_way.cancel()
    under_way.close(scene)
    assert under_way.is_done and under_way.error == "cancelled"
    assert scene.frame_current == 7
    assert not any(thing.data.attributes.get("crumple_face") for thing in things)


class Window:
    """What the operator uses of a window, which Blender does not have here: a timer."""

    def __init__(self) -> None:
        self.window = self.window_manager = self
        self.windows: list[object] = []
        self.timers = 0

    def __getattr__(self, name: str) -> object:
        return getattr(bpy.context, name)

    def event_timer_add(self, seconds: float, window: object) -> object:
        self.timers += 1
        return self

    def event_timer_remove(self, timer: object) -> None:
        self.timers -= 1

    def modal_handler_add(self, operator: object) -> None:
        pass


def started() -> tuple[SimpleNamespace, Window]:
    """The operator as the button starts it."""
    window, check = Window(), operators.CRUMPLE_OT_check
    operator = SimpleNamespace(report=lambda kind, text: None)
    for name in ("_begin", "_end", "_refuse", "invoke", "modal"):
        setattr(operator, name, MethodType(getattr(check, name), operator))
    assert operator.invoke(window, None) == {"RUNNING_MODAL"}
    return operator, window


def test_a_timer_goes_on_with_the_work_and_shows_it(scene: bpy.types.Scene) -> None:
    operator, window = started()
    assert not operators.CRUMPLE_OT_check.poll(bpy.context) and operators.CRUMPLE_OT_cancel.poll(bpy.context)
    assert operator.modal(window, SimpleNamespace(type="MOUSEMOVE")) == {"PASS_THROUGH"}
    seen, result = [], {"RUNNING_MODAL"}
    while result == {"RUNNING_MODAL"}:
        result = operator.modal(window, SimpleNamespace(type="TIMER"))
        seen.append(scene.crumple.progress)
    assert result == {"FINISHED"} and window.timers == 0 and seen[:-1] == sorted(seen[:-1])
    assert len(scene.crumple.findings) == 1 and operators.CRUMPLE_OT_check.poll(bpy.context)


def test_escape_and_the_button_cancel(scene: bpy.types.Scene) -> None:
    operator, window = started()
    assert operator.modal(window, SimpleNamespace(type="ESC")) == {"CANCELLED"}
    assert scene.crumple.message == "cancelled" and window.timers == 0
    operator, window = started()
    assert bpy.ops.crumple.cancel() == {"FINISHED"}
    assert operator.modal(window, SimpleNamespace(type="TIMER")) == {"CANCELLED"}
    assert not scene.crumple.findings and scene.frame_current == 7


def test_opening_another_file_ends_a_check(scene: bpy.types.Scene) -> None:
    operator, window = started()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert operators._running is None
    assert operator.modal(window, SimpleNamespace(type="TIMER")) == {"CANCELLED"}


def test_an_object_that_is_removed_on_the_way_is_named(scene: bpy.types.Scene) -> None:
    operator, window = started()
    bpy.data.objects.remove(bpy.data.objects["floor"])
    while operator.modal(window, SimpleNamespace(type="TIMER")) == {"RUNNING_MODAL"}:
        pass
    assert scene.crumple.message == "floor was removed or renamed while it was checked"


def test_what_cannot_be_checked_is_said(scene: bpy.types.Scene) -> None:
    scene.crumple.objects = "SELECTED"
    for thing in scene.objects:
        thing.select_set(False)
    with pytest.raises(RuntimeError, match="no object with faces is chosen"):
        bpy.ops.crumple.check()
    scene.crumple.objects = "VISIBLE"
    build = bpy.data.objects["sheet"].modifiers.new("build", "BUILD")
    build.frame_start, build.frame_duration = 1, 20
    with pytest.raises(RuntimeError, match="sheet has .* vertices in frame 2, but .* before"):
        bpy.ops.crumple.check()
    assert operators._running is None and scene.frame_current == 7


def test_the_page_shows_what_was_found(scene: bpy.types.Scene) -> None:
    bpy.ops.crumple.check()
    page = Path(scene.crumple.page)
    text = page.read_text(encoding="utf-8")
    assert "falling.blend" in text and all(re.search(rf'"{name}"', text) for name in ("ball", "sheet", "floor"))
    # The page numbers frames as Blender does.
    assert f'"numbers":{{"first":{scene.crumple.findings[0].first},' in text.replace(" ", "")
    opened = []
    with pytest.MonkeyPatch.context() as patch:
        import webbrowser

        patch.setattr(webbrowser, "open", lambda url, *more, **other: opened.append(url) or True)
        assert bpy.ops.crumple.open_page() == {"FINISHED"}
    assert opened == [page.as_uri()]
    if kept := os.environ.get("CRUMPLE_PAGE"):
        Path(kept).write_text(text, encoding="utf-8")
        print(json.dumps({"page": kept}))


def test_the_findings_are_those_of_the_command(scene: bpy.types.Scene, tmp_path: Path) -> None:
    """The objects of every frame, written as numbered meshes, are checked by the command."""
    things = [thing for thing in scene.objects if thing.type == "MESH"]
    asked = run.Asked(things, 1, 20, options="--depth --containment --clearance 2.2")
    under_way = run.Run(bpy.context, asked)
    while not under_way.is_done:
        under_way.tick(bpy.context)
    assert under_way.error is None
    under_way.report.save_json(tmp_path / "blender.jsonl")
    files = []
    for body, frames in zip(under_way.bodies, under_way.frames):
        for frame, positions in enumerate(frames.stored, 1):
            text = [f"v {x} {y} {z}" for x, y, z in positions.tolist()] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in body.faces.tolist()]
            (tmp_path / f"{body.name}_{frame:04}.obj").write_text("\n".join(text), encoding="utf-8")
        files.append(str(tmp_path / f"{body.name}_####.obj"))
    under_way.close(scene)
    words = ["--depth", "--containment", "--clearance", "2.2", "--no-weld", "--json", "--quiet"]
    done = subprocess.run([sys.executable, "-m", "crumple", "check", *files, *words], capture_output=True)
    assert (tmp_path / "blender.jsonl").read_bytes().splitlines()[-1] == done.stdout.splitlines()[-1], done.stderr


def test_the_manifest_names_what_is_there() -> None:
    tomllib = pytest.importorskip("tomllib")
    manifest = tomllib.loads((HERE.parent / "crumple_check/blender_manifest.toml").read_text(encoding="utf-8"))
    assert manifest["id"] == "crumple_check" and manifest["type"] == "add-on"
    tool = Path(bpy.utils.system_resource("SCRIPTS")) / "addons_core/bl_pkg/cli/blender_ext.py"
    words = [sys.executable, str(tool), "validate", str(HERE.parent / "crumple_check")]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
