"""Finds where meshes collide, in every frame, after all modifiers: a panel in the sidebar of the 3-D view.

    panel.py      what is shown
    settings.py   what is asked, and what was found
    operators.py  what the buttons do
    run.py        a check that is under way: frames are evaluated here, pairs are found in a thread
    bodies.py     objects as arrays
    near.py       which triangles are closer than the clearance
    marks.py      what was found, on the objects and the timeline
"""

from . import operators, panel, settings

_PARTS = (settings, operators, panel)


def register() -> None:
    for part in _PARTS:
        part.register()


def unregister() -> None:
    for part in reversed(_PARTS):
        part.unregister()
