"""What the buttons of the panel do."""

from pathlib import Path

import bpy

from . import marks
from .bodies import BodyError, chosen
from .run import Asked, Run

_running: Run | None = None
"""The check that is under way: there is one at a time, since evaluating frames changes the frame that is shown."""


class CRUMPLE_OT_check(bpy.types.Operator):
    """Find where the objects collide, in every frame, after all modifiers"""

    bl_idname = "crumple.check"
    bl_label = "Check"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return context.mode == "OBJECT" and _running is None

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Without a window: returns when all is done."""
        if not self._begin(context):
            return {"CANCELLED"}
        while not _running.is_done:
            _running.tick(context)
        return self._end(context)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """From the panel: Blender stays usable, a timer goes on with the work."""
        if not self._begin(context):
            return {"CANCELLED"}
        self._timer = context.window_manager.event_timer_add(0.05, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if _running is None:
            # Another file was opened.
            return {"CANCELLED"}
        if event.type == "ESC":
            _running.cancel()
        elif event.type != "TIMER":
            return {"PASS_THROUGH"}
        if not _running.is_done:
            _running.tick(context)
        context.scene.crumple.progress = _running.progress
        _redraw(context)
        if not _running.is_done:
            return {"RUNNING_MODAL"}
        context.window_manager.event_timer_remove(self._timer)
        return self._end(context)

    def _begin(self, context: bpy.types.Context) -> bool:
        global _running
        settings, scene = context.scene.crumple, context.scene
        first, last = (scene.frame_start, scene.frame_end) if settings.use_scene_range else (settings.first, settings.last)
        ignore = [(pair.a.name, pair.b.name) for pair in settings.ignored if pair.a and pair.b]
        things = chosen(context, settings.objects)
        try:
            import crumple  # noqa: F401
        except ImportError:
            return self._refuse(settings, "the Python package crumple is not there: build the extension with its wheel")
        try:
            title, options = bpy.path.basename(bpy.data.filepath) or scene.name, settings.options
            asked = Asked(things, first, last, settings.self_collision, settings.clearance, ignore, options, title)
            _running = Run(context, asked)
        except BodyError as error:
            return self._refuse(settings, str(error))
        settings.progress, settings.message = 0.0, ""
        return True

    def _refuse(self, settings, message: str) -> bool:  # type: ignore[no-untyped-def]
        settings.message = message
        self.report({"ERROR"}, message)
        return False

    def _end(self, context: bpy.types.Context) -> set[str]:
        global _running
        run, _running = _running, None
        settings = context.scene.crumple
        settings.progress = -1.0
        run.close(context.scene)
        _redraw(context)
        if run.error is not None:
            settings.message = run.error
            self.report({"INFO" if run.error == "cancelled" else "ERROR"}, run.error)
            return {"CANCELLED"}
        settings.page = str(run.page)
        _show(settings, run)
        marks.clear(context.scene)
        if settings.mark:
            marks.mark(context.scene, run.findings)
        self.report({"INFO"}, settings.message)
        return {"FINISHED"}


def _show(settings, run: Run) -> None:  # type: ignore[no-untyped-def]
    """Puts the findings into the list, those with the most frames first."""
    settings.findings.clear()
    settings.chosen = 0
    for finding in sorted(run.findings, key=lambda finding: (finding.kind, -len(finding.frames))):
        item = settings.findings.add()
        item.name, item.kind = marks.title(finding), finding.kind
        item.a, item.b = finding.a, finding.b
        item.first, item.last, item.frames = finding.frames[0], finding.frames[-1], len(finding.frames)
        item.worst, item.count, item.distance = finding.worst, finding.count, finding.distance
    frames = {frame for finding in run.findings for frame in finding.frames}
    settings.message = f"{len(frames)} frames with findings" if frames else "nothing collides"
    unmarked = [body.name for body in run.bodies if body.object_face is None]
    if frames and unmarked:
        settings.message += f"; faces of {', '.join(unmarked)} cannot be marked, since modifiers make new ones"


class CRUMPLE_OT_cancel(bpy.types.Operator):
    """Stop the check"""

    bl_idname = "crumple.cancel"
    bl_label = "Cancel"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return _running is not None

    def execute(self, context: bpy.types.Context) -> set[str]:
        _running.cancel()
        return {"FINISHED"}


class _OfFinding(bpy.types.Operator):
    """What needs a finding that is chosen."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        settings = context.scene.crumple
        return _running is None and 0 <= settings.chosen < len(settings.findings)

    def finding(self, context: bpy.types.Context):  # type: ignore[no-untyped-def]
        return context.scene.crumple.findings[context.scene.crumple.chosen]


class CRUMPLE_OT_worst_frame(_OfFinding):
    """Go to the frame in which the most triangles of these objects meet, or in which they are closest"""

    bl_idname = "crumple.worst_frame"
    bl_label = "Worst frame"

    def execute(self, context: bpy.types.Context) -> set[str]:
        context.scene.frame_set(self.finding(context).worst)
        return {"FINISHED"}


class CRUMPLE_OT_select_faces(_OfFinding):
    """Select the colliding faces of these objects, in edit mode"""

    bl_idname = "crumple.select_faces"
    bl_label = "Select faces"

    def execute(self, context: bpy.types.Context) -> set[str]:
        finding = self.finding(context)
        if context.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        things = [context.scene.objects.get(name) for name in {finding.a, finding.b}]
        things = [thing for thing in things if marks.is_markable(thing)]
        if not things:
            self.report({"ERROR"}, "the faces of these objects cannot be selected")
            return {"CANCELLED"}
        for thing in context.selected_objects:
            thing.select_set(False)
        count = 0
        for thing in things:
            count += marks.select(thing)
            thing.select_set(True)
        context.view_layer.objects.active = things[0]
        context.tool_settings.mesh_select_mode = (False, False, True)
        bpy.ops.object.mode_set(mode="EDIT")
        self.report({"INFO"}, f"{count} faces")
        return {"FINISHED"}


class CRUMPLE_OT_open_page(bpy.types.Operator):
    """Open the page that plays the objects in motion, with what collides in red, in the browser"""

    bl_idname = "crumple.open_page"
    bl_label = "Open page"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return bool(context.scene.crumple.page)

    def execute(self, context: bpy.types.Context) -> set[str]:
        page = Path(context.scene.crumple.page)
        if not page.exists():
            self.report({"ERROR"}, "the page is not there any more: check again")
            return {"CANCELLED"}
        bpy.ops.wm.url_open(url=page.as_uri())
        return {"FINISHED"}


class CRUMPLE_OT_clear(bpy.types.Operator):
    """Remove the marks and the list of what was found"""

    bl_idname = "crumple.clear"
    bl_label = "Clear"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return context.mode == "OBJECT" and _running is None

    def execute(self, context: bpy.types.Context) -> set[str]:
        marks.clear(context.scene)
        context.scene.crumple.findings.clear()
        context.scene.crumple.message = ""
        return {"FINISHED"}


class CRUMPLE_OT_ignore(bpy.types.Operator):
    """Let the two selected objects touch; of one selected object, its own parts"""

    bl_idname = "crumple.ignore"
    bl_label = "Ignore selected"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return 1 <= len(context.selected_objects) <= 2

    def execute(self, context: bpy.types.Context) -> set[str]:
        things = context.selected_objects
        pair = context.scene.crumple.ignored.add()
        pair.a, pair.b = things[0], things[-1]
        return {"FINISHED"}


class CRUMPLE_OT_stop_ignoring(bpy.types.Operator):
    """Check these two objects again"""

    bl_idname = "crumple.stop_ignoring"
    bl_label = "Stop ignoring"
    bl_options = {"UNDO"}

    index: bpy.props.IntProperty()

    def execute(self, context: bpy.types.Context) -> set[str]:
        context.scene.crumple.ignored.remove(self.index)
        return {"FINISHED"}


def _redraw(context: bpy.types.Context) -> None:
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()


_CLASSES = (
    CRUMPLE_OT_check,
    CRUMPLE_OT_cancel,
    CRUMPLE_OT_worst_frame,
    CRUMPLE_OT_select_faces,
    CRUMPLE_OT_open_page,
    CRUMPLE_OT_clear,
    CRUMPLE_OT_ignore,
    CRUMPLE_OT_stop_ignoring,
)


@bpy.app.handlers.persistent
def _abandon(*_: object) -> None:
    """Ends a check whose file is about to be closed."""
    global _running
    if _running is not None:
        _running.close(bpy.context.scene)
        bpy.context.scene.crumple.progress = -1.0
        _running = None


def register() -> None:
    for part in _CLASSES:
        bpy.utils.register_class(part)
    bpy.app.handlers.load_pre.append(_abandon)


def unregister() -> None:
    _abandon()
    bpy.app.handlers.load_pre.remove(_abandon)
    for part in reversed(_CLASSES):
        bpy.utils.unregister_class(part)
