"""What is asked in the panel, and what was found. Saved with the file."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)


class CrumpleIgnored(bpy.types.PropertyGroup):
    """Two objects that may touch; an object twice may touch itself."""

    a: PointerProperty(type=bpy.types.Object)
    b: PointerProperty(type=bpy.types.Object)


class CrumpleFinding(bpy.types.PropertyGroup):
    """Two objects that meet or come too close; `name` says which."""

    kind: StringProperty()
    a: StringProperty()
    b: StringProperty()
    first: IntProperty()
    last: IntProperty()
    frames: IntProperty()
    worst: IntProperty()
    count: IntProperty()
    distance: FloatProperty()


class CrumpleSettings(bpy.types.PropertyGroup):
    """Of a scene."""

    objects: EnumProperty(
        name="Objects",
        items=[("VISIBLE", "Visible", "All visible objects with faces"), ("SELECTED", "Selected", "The selected objects")],
    )
    use_scene_range: BoolProperty(name="Range of the scene", default=True, description="Check the frames that the scene plays")
    first: IntProperty(name="First", default=1, description="The first frame to check")
    last: IntProperty(name="Last", default=250, description="The last frame to check")
    self_collision: BoolProperty(name="Self-collision", description="Also find where an object meets itself")
    clearance: FloatProperty(
        name="Clearance", min=0.0, subtype="DISTANCE", description="Also find objects that are closer than this; 0 if not wanted"
    )
    options: StringProperty(
        name="Options", description="More options, as crumple check has them: --containment --max-depth 0.01 --ignore 'arm*,body'"
    )
    mark: BoolProperty(
        name="Mark", default=True, description="Mark what is found: a face attribute, vertex groups, timeline markers"
    )
    ignored: CollectionProperty(type=CrumpleIgnored)
    findings: CollectionProperty(type=CrumpleFinding)
    chosen: IntProperty(name="Finding", description="The finding that is chosen in the list")
    progress: FloatProperty(default=-1.0, options={"SKIP_SAVE"})
    """From 0 to 1 while a check is under way, and -1 otherwise."""
    message: StringProperty(options={"SKIP_SAVE"})
    page: StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})


_CLASSES = (CrumpleIgnored, CrumpleFinding, CrumpleSettings)


def register() -> None:
    for part in _CLASSES:
        bpy.utils.register_class(part)
    bpy.types.Scene.crumple = PointerProperty(type=CrumpleSettings)


def unregister() -> None:
    del bpy.types.Scene.crumple
    for part in reversed(_CLASSES):
        bpy.utils.unregister_class(part)
