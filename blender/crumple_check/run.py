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
    options: str = ""
    """More options of `crumple check`, as on the command line."""
    title: str | None = None
    """Of the page."""


@dataclass
class Finding:
    """Two objects, or one with itself, and what was found about them: all episodes of one kind."""

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
        self._run = run
        file = run.folder / f"{len(run.frames)}.f32"
        # A file cannot be mapped that has no bytes.
        self.stored = np.memmap(file, np.float32, "w+", shape=(count, max(body.vertex_count, 1), 3))[:, : body.vertex_count]
        self.face_of_triangle = body.shown_faces
        self.shape, self.dtype = (count, body.vertex_count, 3), np.dtype(np.float32)
        # Reports number frames as Blender does; they know no frame before 0.
        self.first_number = run.asked.first if run.asked.first >= 0 else None

    def __len__(self) -> int:
        return len(self.stored)

    def __getitem__(self, frame: int) -> np.ndarray:
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
        return 0.5 * (self._evaluated + self._checked) / self._count

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

    def _has_checked(self) -> None:
        """In the thread: one more frame has been checked."""
        self._checked += 1

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

            self.bodies_checked = {body.name: (body.faces, frames) for body, frames in zip(self.bodies, self.frames)}
            names = self.bodies_checked.keys()
            given = crumple.check_options(self.asked.options)
            given["ignore"] = [*given.get("ignore", ()), *(pair for pair in self.asked.ignore if names >= set(pair))]
            if self.asked.clearance > 0:
                given["clearance"] = self.asked.clearance
            given["self_collision"] = self.asked.self_collision or given.get("self_collision", False)
            self.page = Path(tempfile.mkdtemp(prefix="crumple-page-")) / "report.html"
            self.report = crumple.check(
                self.bodies_checked, html=self.page, title=self.asked.title, progress=self._has_checked, **given
            )
            self._group()
        except Cancelled:
            self.error = self.error or "cancelled"
        except Exception as error:
            self.error = str(error) or type(error).__name__

    def _group(self) -> None:
        """Joins the episodes of each kind and two objects, with the faces that Blender marks."""
        found: dict[tuple[str, int, int], Finding] = {}
        for episode in self.report.findings:
            bodies = self.bodies[episode.a], self.bodies[episode.b]
            finding = found.setdefault(
                (episode.kind, episode.a, episode.b), Finding(episode.kind, bodies[0].name, bodies[1].name)
            )
            worst = episode.worst["frame"]
            if not finding.frames:
                # The most severe episode comes first.
                finding.worst, finding.count = self.asked.first + worst, episode.worst["count"]
                finding.distance = episode.distance or 0.0
            finding.frames += range(self.asked.first + episode.first, self.asked.first + episode.last + 1)
            if episode.kind == "near":
                self._mark_near(finding, episode, worst)
            elif episode.kind == "contact":
                for frame in range(episode.first, episode.last + 1):
                    self._mark_contacts(finding, episode, frame)
        for finding in found.values():
            # Regions of one contact share frames.
            finding.frames = sorted(set(finding.frames))
        self.findings = list(found.values())

    def _mark_contacts(self, finding: Finding, episode, frame: int) -> None:  # type: ignore[no-untyped-def]
        for contact in self.report[frame].contacts:
            if (contact.a, contact.b) == (episode.a, episode.b):
                self._mark(finding, (contact.a, contact.b), (contact.pairs[:, 0], contact.pairs[:, 1]))

    def _mark_near(self, finding: Finding, episode, frame: int) -> None:  # type: ignore[no-untyped-def]
        """Of what is too close, the faces of the worst frame are marked."""
        import crumple

        bodies = [self.bodies[number] for number in dict.fromkeys((episode.a, episode.b))]
        scene = crumple.Scene()
        for body in bodies:
            faces, frames = self.bodies_checked[body.name]
            scene.add(faces, frames[frame], name=body.name, self_collision=len(bodies) == 1)
        for sides in nearest(scene.update(), self.asked.clearance or episode.distance, bodies):
            self._mark(finding, (episode.a, episode.b), sides)

    def _mark(self, finding: Finding, bodies: tuple[int, int], triangles) -> None:  # type: ignore[no-untyped-def]
        for number, which in zip(bodies, triangles):
            body = self.bodies[number]
            if body.object_face is not None:
                faces = body.object_face[body.face_of_triangle[which]]
                finding.faces.setdefault(body.name, set()).update(np.unique(faces[faces >= 0]).tolist())
