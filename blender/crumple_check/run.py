"""A check that is under way.

Blender evaluates modifiers in its main thread alone, so `tick` does that there, a few frames at a time. A thread finds the pairs of
the frames that are there. Positions go to a file of temporary files, so memory does not grow with the frames.
"""

from __future__ import annotations

import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

import bpy
import numpy as np

from .bodies import Body, BodyError, number_faces, remove_numbers
from .near import nearest


@dataclass
class Asked:
    """What to check."""

    objects: list[bpy.types.Object]
    first: int
    last: int
    self_collision: bool = False
    clearance: float = 0.0
    ignore: list[tuple[str, str]] = field(default_factory=list)
    title: str | None = None
    """Of the page."""


@dataclass
class Finding:
    """Two objects, or one with itself, that meet or come too close in some frame."""

    kind: str
    a: str
    b: str
    frames: list[int] = field(default_factory=list)
    worst: int = 0
    count: int = 0
    distance: float = 0.0
    faces: dict[str, set[int]] = field(default_factory=dict)
    """Faces of the objects, before modifiers, by the name of the object."""


class Cancelled(Exception):
    """Raised in the thread when the check was cancelled."""


class _Frames:
    """The frames of a body, which wait until they have been evaluated."""

    def __init__(self, run: Run, body: Body, count: int) -> None:
        self._run, self._is_first = run, not run.frames
        file = run.folder / f"{len(run.frames)}.f32"
        # A file cannot be mapped that has no bytes.
        self.stored = np.memmap(file, np.float32, "w+", shape=(count, max(body.vertex_count, 1), 3))[:, : body.vertex_count]
        self.face_of_triangle = body.shown_faces
        self.shape = (len(self), body.vertex_count, 3)

    def __len__(self) -> int:
        return len(self.stored) + self._run.offset

    def __getitem__(self, number: int) -> np.ndarray:
        frame = number - self._run.offset
        if self._is_first:
            # Bodies are read in order, so the frame before is finished when the first body is read again.
            self._run.has_checked(frame)
        self._run.wait_for(frame)
        return np.array(self.stored[frame])


class Run:
    """Call `tick` until `is_done`; then `error` is None and `findings` are there, or `error` says why not."""

    def __init__(self, context: bpy.types.Context, asked: Asked) -> None:
        if not asked.objects:
            raise BodyError("there is nothing to check: no object with faces is chosen")
        if asked.last < asked.first:
            raise BodyError(f"the last frame, {asked.last}, lies before the first, {asked.first}")
        if len(asked.objects) == 1 and not asked.self_collision:
            raise BodyError("there is nothing to check: choose two objects, or Self-collision")
        self.asked, self._shown = asked, context.scene.frame_current
        # By name: an undo step while frames are evaluated makes other objects of the same names.
        self._names = [thing.name for thing in asked.objects]
        self.findings: list[Finding] = []
        self.report = None
        self.page: Path | None = None
        self.error: str | None = None
        self.frames: list[_Frames] = []
        self._temporary = tempfile.TemporaryDirectory(prefix="crumple-", ignore_cleanup_errors=True)
        self.folder = Path(self._temporary.name)
        self._evaluated = self._checked = 0
        self._changed, self._is_cancelled = threading.Condition(), False
        self._count = asked.last - asked.first + 1
        # Reports count frames from 0. Those before the first are not asked for, so that the page has Blender's numbers.
        self.offset = max(asked.first, 0)
        number_faces(asked.objects)
        context.scene.frame_set(asked.first)
        graph = context.evaluated_depsgraph_get()
        self.bodies = [Body(thing, graph) for thing in asked.objects]
        for body in self.bodies:
            self.frames.append(_Frames(self, body, self._count))
        self._thread = threading.Thread(target=self._find, name="crumple")
        self._thread.start()

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to do."""
        return not self._thread.is_alive()

    @property
    def progress(self) -> float:
        """From 0 to 1: half of it for frames that are evaluated, half for those that are checked."""
        passes = 2 if self.asked.clearance > 0 else 1
        return 0.5 * self._evaluated / self._count + 0.5 * self._checked / (self._count * passes)

    def tick(self, context: bpy.types.Context, seconds: float = 0.05) -> None:
        """Evaluates frames for about as long, at least one; waits that long for the thread if all are there."""
        end = perf_counter() + seconds
        while self._evaluated < self._count and not self.is_done:
            try:
                self._evaluate(context)
            except BodyError as error:
                self.error = str(error)
                self.cancel()
            if perf_counter() > end:
                return
        self._thread.join(max(0.0, end - perf_counter()))

    def _evaluate(self, context: bpy.types.Context) -> None:
        number = self.asked.first + self._evaluated
        context.scene.frame_set(number)
        graph = context.evaluated_depsgraph_get()
        for name, body, frames in zip(self._names, self.bodies, self.frames):
            thing = context.scene.objects.get(name)
            if thing is None:
                raise BodyError(f"{name} was removed or renamed while it was checked")
            frames.stored[self._evaluated] = body.positions(thing, graph, number)
        with self._changed:
            self._evaluated += 1
            self._changed.notify_all()

    def wait_for(self, frame: int) -> None:
        """In the thread: returns when a frame has been evaluated."""
        with self._changed:
            self._changed.wait_for(lambda: self._evaluated > frame or self._is_cancelled)
            if self._is_cancelled:
                raise Cancelled

    def has_checked(self, frames: int) -> None:
        """In the thread: that many frames have been checked."""
        self._checked = max(self._checked, frames)

    def cancel(self) -> None:
        """Stops the thread at its next frame."""
        with self._changed:
            self._is_cancelled = True
            self._changed.notify_all()
        self._thread.join()

    def close(self, scene: bpy.types.Scene) -> None:
        """Leaves the scene as it was, apart from what was found."""
        self.cancel()
        remove_numbers([thing for name in self._names if (thing := scene.objects.get(name)) is not None])
        scene.frame_set(self._shown)
        self.report = None
        self.frames.clear()
        self._temporary.cleanup()

    def _find(self) -> None:
        """The thread."""
        try:
            import crumple

            bodies = {body.name: (body.faces, frames) for body, frames in zip(self.bodies, self.frames)}
            ignore = [pair for pair in self.asked.ignore if pair[0] in bodies and pair[1] in bodies]
            frames = range(self.offset, self.offset + self._count)
            self.report = crumple.check(bodies, self_collision=self.asked.self_collision, ignore=ignore, frames=frames)
            self._contacts()
            if self.asked.clearance > 0:
                self._too_close(crumple, bodies, ignore)
            self.page = Path(tempfile.mkdtemp(prefix="crumple-page-")) / "report.html"
            self.report.save_html(self.page, title=self.asked.title)
        except Cancelled:
            self.error = self.error or "cancelled"
        except Exception as error:
            self.error = str(error) or type(error).__name__

    def _contacts(self) -> None:
        found: dict[tuple[int, int], Finding] = {}
        for frame in range(self._count):
            for a, b, pairs in self.report[self.offset + frame].contacts:
                self._add(found, "contact", frame, a, b, len(pairs), (pairs[:, 0], pairs[:, 1]))
        self.findings += found.values()

    def _too_close(self, crumple, bodies, ignore) -> None:  # type: ignore[no-untyped-def]
        """Frames in which bodies, or parts of one, are closer than the clearance, but do not meet."""
        scene = crumple.Scene()
        for name, (faces, frames) in bodies.items():
            scene.add(faces, frames[self.offset], name=name, self_collision=self.asked.self_collision)
        for a, b in ignore:
            if a == b:
                scene.set_self_collision(a, False)
            else:
                scene.ignore(a, b)
        found: dict[tuple[int, int], Finding] = {}
        for frame in range(self._count):
            for name, (_, frames) in bodies.items():
                scene.set_positions(name, frames[self.offset + frame])
            meeting = {(a, b) for a, b, _ in self.report[self.offset + frame].contacts}
            for (a, b), (distance, sides) in nearest(scene.update(), self.asked.clearance, self.bodies).items():
                if (a, b) not in meeting:
                    self._add(found, "near", frame, a, b, 0, sides, distance)
            self.has_checked(self._count + frame + 1)
        self.findings += found.values()

    def _add(self, found, kind, frame, a, b, count, triangles, distance=0.0) -> None:  # type: ignore[no-untyped-def]
        body_a, body_b = self.bodies[a], self.bodies[b]
        number = self.asked.first + frame
        finding = found.setdefault((a, b), Finding(kind, body_a.name, body_b.name))
        is_worse = count > finding.count if kind == "contact" else distance < finding.distance
        if not finding.frames or is_worse:
            finding.worst, finding.count, finding.distance = number, count, distance
        finding.frames.append(number)
        for body, which in ((body_a, triangles[0]), (body_b, triangles[1])):
            if body.object_face is not None:
                faces = body.object_face[body.face_of_triangle[which]]
                finding.faces.setdefault(body.name, set()).update(np.unique(faces[faces >= 0]).tolist())

