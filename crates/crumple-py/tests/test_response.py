"""What a solver acts on: regions, curves, depths, separations, closest points and rays, by hand and by each other."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import grid, moving

import crumple as cr

FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
CORNER = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])


def spheres(threads: int | None = None) -> tuple[cr.Scene, cr.Frame]:
    scene = cr.Scene(threads=threads)
    for name in "ab":
        body = cr.load(moving(f"spheres_{name}"))[0]
        scene.add(body.mesh, body[5], name=name)
    return scene, scene.update()


def test_regions_add_up_to_the_overlap_and_keep_their_id() -> None:
    scene, frame = spheres()
    (region,) = frame.regions()
    overlap = frame.overlap("a", "b")
    assert (region.a, region.b) == ("a", "b") and np.isclose(region.volume, overlap.volume, rtol=1e-12)
    assert np.isclose(region.area, overlap.area, rtol=1e-9) and np.allclose(region.centroid, overlap.centroid)
    assert np.isclose(np.linalg.norm(region.normal), 1) and region.surface_moments.shape == (3, 3)
    # A translation of `a` changes the volume by the sum of its gradient: against it, `a` comes out fastest.
    assert overlap.gradient_a is not None
    total = overlap.gradient_a.sum(axis=0)
    assert np.allclose(-region.contact_area * region.normal, total)
    crossed = set(frame["a", "b"].pairs[:, 0].tolist())
    assert crossed <= set(region.triangles_a.tolist()) and region.triangles_a.dtype == np.uint32
    depths = frame.depths("a", "b")
    assert region.vertices_a.tolist() == depths["vertex"][depths["depth"] > 0].tolist()
    with scene.positions("a") as p:
        p += np.float32(0.001) * region.normal.astype(np.float32)
    (later,) = scene.update().regions()
    assert later.id == region.id and later.volume < region.volume


def test_curves_run_along_both_surfaces() -> None:
    _, frame = spheres()
    curves, pairs = frame.curves(), {*map(tuple, frame["a", "b"].pairs.tolist())}
    assert len(curves) == 19 and all(curve.is_closed and (curve.a, curve.b) == ("a", "b") for curve in curves)
    assert sum(len(curve) for curve in curves) == len(pairs)
    for curve in curves:
        assert curve.points.shape == (len(curve), 3) and {*map(tuple, curve.triangles.tolist())} <= pairs
        for side, name in enumerate("ab"):
            faces = cr.load(moving(f"spheres_{name}"))[0].mesh.faces
            corners = frame.positions(name)[faces[curve.triangles[:, side]]].astype(float)
            assert np.allclose(np.einsum("kc,kcx->kx", curve.barycentric[:, side], corners), curve.points, atol=1e-9)


def test_depths_are_distances_to_the_way_out() -> None:
    _, frame = spheres()
    depths = frame.depths("a", "b")
    vertices = frame.positions("a")[depths["vertex"]]
    body = cr.load(moving("spheres_b"))[0]
    inside = cr.inside(body.mesh, frame.positions("b"), frame.positions("a"))
    assert depths["vertex"].tolist() == np.flatnonzero(inside).tolist() and len(depths) > 100
    assert np.allclose(vertices + depths["depth"][:, None] * depths["normal"], depths["point"])
    closest = frame.closest_points("b", vertices, signed=True)
    assert np.array_equal(-closest["distance"], depths["depth"]) and np.array_equal(closest["triangle"], depths["triangle"])
    assert np.array_equal(-closest["distance"], frame.closest_points("b", vertices)["distance"])


def test_a_separation_parts_two_bodies() -> None:
    scene = cr.Scene()
    scene.add(FACES, CORNER, name="a")
    scene.add(FACES, CORNER + np.float32([0.75, 0, 0]), name="b")
    found = scene.update().separation("a", "b")
    assert found is not None and np.isclose(np.linalg.norm(found.direction), 1) and 0 < found.depth < 0.25
    assert np.allclose(found.translation, found.depth * found.direction)
    scene.set_positions("a", (CORNER + 1.0001 * found.translation).astype(np.float32))
    frame = scene.update()
    assert frame.contacts == () and frame.separation("a", "b") is None
    with pytest.raises(cr.SceneError, match='body "a" cannot be parted from itself'):
        frame.separation("a", "a")


def test_rays_hit_the_first_body_or_the_one_that_is_named() -> None:
    scene = cr.Scene()
    lower, upper = scene.add(*grid(3)), scene.add(*grid(3, 1.0), name="upper")
    frame = scene.update()
    origins = np.float32([[0.4, 0.3, 3], [0.4, 0.3, 0.5], [5, 5, 3]])
    hits = frame.cast_rays(origins, np.float32([[0, 0, -2]]))
    assert hits["body"].tolist() == [upper, lower, -1] and hits["t"].tolist() == [1.0, 0.25, np.inf]
    assert np.allclose(np.abs(hits["normal"][:2, 2]), 1) and np.isnan(hits["normal"][2]).all()
    at = np.einsum("kc,kcx->kx", hits["barycentric"][:2], grid(3)[1][grid(3)[0][hits["triangle"][:2]]])
    assert np.allclose(at[:, :2], origins[:2, :2])
    assert frame.cast_rays(origins, np.float32([[0, 0, -2]]), body=lower)["t"].tolist() == [1.5, 0.25, np.inf]
    assert len(frame.cast_rays(np.zeros((0, 3), np.float32), np.float32([[0, 0, 1]]))) == 0
    one = frame.cast_rays(np.float32([[0.4, 0.3, 3]]), np.float32([[0, 0, -1], [0, 0, 1]]), body="upper")
    assert one["t"].tolist() == [2.0, np.inf]


def test_questions_that_have_no_answer_say_why() -> None:
    scene = cr.Scene()
    scene.add(FACES, CORNER, name="solid")
    scene.add(FACES[:3], CORNER, name="open")
    frame = scene.update()
    nan, up = np.float32([[0, np.nan, 0]]), np.float32([[0, 0, 1]])
    for question in (
        lambda: frame.closest_points("solid", nan),
        lambda: frame.cast_rays(nan, up),
        lambda: frame.cast_rays(up, nan),
    ):
        with pytest.raises(cr.PositionsError, match="not finite"):
            question()
    with pytest.raises(cr.PositionsError, match="not zero"):
        frame.cast_rays(up, 0 * up)
    with pytest.raises(cr.PositionsError, match="2 origins and 3 directions"):
        frame.cast_rays(CORNER[:2], CORNER[:3])
    with pytest.raises(cr.VolumeError, match='body "open".*signed=False'):
        frame.closest_points("open", CORNER, signed=True)
    with pytest.raises(cr.VolumeError, match='body "open"'):
        frame.depths("solid", "open")
    assert len(frame.depths("open", "solid")) == 4 and frame.closest_points("open", CORNER)["distance"].tolist() == [0.0] * 4
    with pytest.raises(cr.DtypeError, match="points"):
        frame.closest_points("solid", CORNER.astype(int))
    empty = scene.add([], [])
    with pytest.raises(cr.SceneError, match=f"body {empty} .*no triangles"):
        scene.update().closest_points(empty, CORNER)
    for question in (frame.regions, frame.curves, lambda: frame.depths("solid", "open"), lambda: frame.cast_rays(up, up)):
        with pytest.raises(cr.StaleFrameError):
            question()


def test_every_answer_is_the_same_for_any_number_of_threads() -> None:
    def answers(threads: int) -> list[bytes]:
        scene, frame = spheres(threads)
        points = np.random.default_rng(8).uniform(-3, 3, (500, 3)).astype(np.float32)
        region, curve, overlap = frame.regions()[0], frame.curves()[0], frame.overlap("a", "b")
        assert overlap.gradient_a is not None
        pairs, near, apart = frame["a", "b"].pairs, frame.near(0.01), frame.distance("a", "b")
        with scene.positions("a") as p:
            p += np.float32(0.05)
        found = [
            pairs,
            region.centroid,
            np.float64([region.volume, region.area, overlap.volume, apart.lo, apart.hi]),
            curve.points,
            overlap.gradient_a,
            near.vertex_face,
            near.edge_edge,
        ]
        later = scene.update()
        impacts = [(impact.time, impact.kind, impact.vertex, impact.edge_a) for impact in later.impacts()]
        found += [later["a", "b"].pairs, later.closest_points("a", points, signed=True), later.depths("a", "b")]
        found += [later.cast_rays(points, -points)]
        return [*(array.tobytes() for array in found), repr(impacts).encode(), repr(later.safe_step()).encode()]

    first = answers(1)
    for threads in (2, 3, 5):
        assert answers(threads) == first


def test_a_body_that_overlaps_itself_has_regions_a_gradient_and_a_loss() -> None:
    shift = np.float32([0.5, 0.125, 0.125])
    faces, at = np.vstack([FACES, FACES + 4]), np.vstack([CORNER, CORNER + shift])
    found = cr.self_overlap((faces, at))
    expected = cr.overlap((FACES, CORNER), (FACES, CORNER + shift))
    assert np.isclose(found.volume, expected.volume, rtol=1e-13) and found.collides and not found.is_inside_out
    assert expected.gradient_a is not None and expected.gradient_b is not None
    assert np.allclose(found.gradient, np.vstack([expected.gradient_a, expected.gradient_b]), rtol=0, atol=1e-15)
    (region,) = found.regions
    assert region.pairs.dtype == region.triangles.dtype == region.vertices.dtype == np.uint32
    assert np.isclose(np.linalg.norm(region.normal), 1) and np.allclose(region.centroid, expected.centroid)
    value, gradient = found.loss()
    assert np.isclose(value, found.volume) and np.allclose(gradient, found.gradient, rtol=0, atol=1e-15)
    assert found.loss(lambda region: bool((region.vertices > 7).any()))[0] == 0
    scene = cr.Scene()
    body = scene.add(faces, at, name="both")
    again = scene.update().self_overlap("both")
    assert again.volume == found.volume and np.array_equal(again.gradient, found.gradient)
    with scene.positions(body) as p:
        p[4:] += 5
    assert not scene.update().self_overlap(body).collides
    turned = cr.self_overlap((FACES[:, ::-1], CORNER))
    assert turned.is_inside_out and np.isclose(turned.volume, 1 / 6)


def test_an_open_body_is_refused_unless_its_holes_are_capped() -> None:
    with pytest.raises(cr.VolumeError, match=r"along 3 edges .* vertex 0 to vertex 1 \(triangle 0\).*cap_holes=True"):
        cr.self_overlap((FACES[1:], CORNER))
    capped = cr.self_overlap((FACES[1:], CORNER), cap_holes=True)
    assert capped.volume == 0 and not capped.is_inside_out and not capped.collides
    scene = cr.Scene()
    scene.add(FACES[1:], CORNER, name="lid")
    with pytest.raises(cr.VolumeError, match='how much body "lid" overlaps itself cannot be computed'):
        scene.update().self_overlap("lid")
    assert scene.update().self_overlap("lid", cap_holes=True).volume == 0
