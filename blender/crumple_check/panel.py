"""The panel in the sidebar of the 3-D view."""

from __future__ import annotations

import bpy


class CRUMPLE_UL_findings(bpy.types.UIList):
    """Findings, one per line."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property) -> None:  # type: ignore[no-untyped-def]
        layout.label(text=item.name, icon="ERROR" if item.kind == "contact" else "DRIVER_DISTANCE")
        layout.label(text=f"{item.first}–{item.last}")


class CRUMPLE_PT_panel(bpy.types.Panel):
    """What to check, the button, and what was found"""

    bl_label = "Crumple"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Crumple"

    def draw(self, context: bpy.types.Context) -> None:
        layout, settings = self.layout, context.scene.crumple
        layout.use_property_split = True
        column = layout.column()
        column.enabled = settings.progress < 0
        self._draw_question(column, settings)
        if settings.progress >= 0:
            row = layout.row(align=True)
            row.progress(factor=settings.progress, text=f"{100 * settings.progress:.0f} %")
            row.operator("crumple.cancel", text="", icon="X")
        else:
            layout.operator("crumple.check", icon="VIEWZOOM")
        if settings.message:
            layout.label(text=settings.message)
        if settings.findings:
            self._draw_findings(layout, settings)

    def _draw_question(self, layout: bpy.types.UILayout, settings) -> None:  # type: ignore[no-untyped-def]
        layout.prop(settings, "objects", expand=True)
        layout.prop(settings, "use_scene_range")
        if not settings.use_scene_range:
            row = layout.row(align=True)
            row.prop(settings, "first")
            row.prop(settings, "last")
        layout.prop(settings, "self_collision")
        layout.prop(settings, "clearance")
        layout.prop(settings, "options")
        layout.prop(settings, "mark")
        for index, pair in enumerate(settings.ignored):
            row = layout.row(align=True)
            names = [thing.name if thing else "?" for thing in (pair.a, pair.b)]
            row.label(text=f"ignore {names[0]}" + (f", {names[1]}" if pair.a != pair.b else " with itself"))
            row.operator("crumple.stop_ignoring", text="", icon="X").index = index
        layout.operator("crumple.ignore")

    def _draw_findings(self, layout: bpy.types.UILayout, settings) -> None:  # type: ignore[no-untyped-def]
        layout.template_list("CRUMPLE_UL_findings", "", settings, "findings", settings, "chosen")
        if 0 <= settings.chosen < len(settings.findings):
            finding = settings.findings[settings.chosen]
            how = {"contact": f", {finding.count} pairs", "impact": f", {finding.count} impacts", "near": f", distance {finding.distance:.4g}"}
            layout.label(text=f"{finding.frames} frames; worst: {finding.worst}{how.get(finding.kind, '')}")
        row = layout.row(align=True)
        row.operator("crumple.worst_frame")
        row.operator("crumple.select_faces")
        row = layout.row(align=True)
        row.operator("crumple.open_page", icon="URL")
        row.operator("crumple.clear", icon="TRASH")


_CLASSES = (CRUMPLE_UL_findings, CRUMPLE_PT_panel)


def register() -> None:
    for part in _CLASSES:
        bpy.utils.register_class(part)


def unregister() -> None:
    for part in reversed(_CLASSES):
        bpy.utils.unregister_class(part)
