"""Compares answers of the Python package with those of python-fcl, ipc-toolkit, manifold3d and trimesh.

    python peers/answers.py [--data DIR]

Run by `cargo xtask verify --data DIR`, in an environment in which these packages, meshio, PyVista, pandas, pyarrow, polars, usd-core
and crumple can be imported.

- Two bodies: the pairs of triangles are those of python-fcl, they meet or not as ipc-toolkit has it, and the volume of their overlap is
  that of manifold3d. The bodies are the spheres in `fixtures` and, with `--data`, meshes of that folder, turned and moved at random with a
  fixed seed, so that nothing is degenerate.
- Points are inside as trimesh has it.
- Energies of what is near have the values and derivatives of ipc-toolkit (`potential.py`).
- Mesh objects of trimesh, meshio and PyVista are taken, and tables are read by pandas, pyarrow and polars; a stage of USD is read.

A pair of triangles that only one of the two libraries reports is decided in rational arithmetic, since FCL computes in floating point.
If crumple is wrong, or another answer differs, the program ends with an error.
"""

import argparse
import tempfile
import time
from fractions import Fraction
from pathlib import Path

import fcl
import ipctk
import manifold3d
import meshio
import numpy as np
import pandas
import polars
import pyarrow
import pyvista
import trimesh
from pxr import Gf, Usd, UsdGeom

import crumple as cr
import potential

ROOT = Path(__file__).resolve().parent.parent

PLACED = [("knot_12k", "hand_16k"), ("spot_23k", "knot_12k"), ("hand_16k", "spot_23k"), ("knot_12k", "bunny_60k")]
"""Two meshes of the data that do not intersect themselves, which ipc-toolkit would report, too."""

PLACEMENTS = 3
"""How often each two of them are placed, from deep inside each other to apart."""


def spheres():
    """The two bodies of the fixtures, with six frames each."""
    folder = ROOT / "fixtures"
    return [cr.load(f"{folder}/spheres_{name}.ply@{folder}/spheres_{name}.pc2")[0] for name in "ab"]


def fcl_model(faces, positions):
    model = fcl.BVHModel()
    model.beginModel(len(positions), len(faces))
    model.addSubModel(positions, faces)
    model.endModel()
    return model


def fcl_pairs(a, b, most=1_000_000):
    request, result = fcl.CollisionRequest(num_max_contacts=most, enable_contact=True), fcl.CollisionResult()
    fcl.collide(fcl.CollisionObject(a), fcl.CollisionObject(b), request, result)
    pairs = {(contact.b1, contact.b2) for contact in result.contacts}
    return np.array(sorted(pairs), np.uint32).reshape(-1, 2)


def orientation(a, b, c, d):
    """On which side of the plane through three points a fourth one is: the sign of a determinant, exactly."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = ([p[k] - d[k] for k in range(3)] for p in (a, b, c))
    return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)


def crosses(p, q, triangle):
    """Whether a segment shares a point with a closed triangle; None if it lies in the plane of the triangle."""
    a, b, c = triangle
    ends = orientation(a, b, c, p), orientation(a, b, c, q)
    if ends[0] == 0 and ends[1] == 0:
        return None
    if ends[0] * ends[1] > 0:
        return False
    sides = [orientation(p, q, *edge) for edge in ((a, b), (b, c), (c, a))]
    return all(side >= 0 for side in sides) or all(side <= 0 for side in sides)


def share_a_point(first, second):
    """Whether two triangles share a point, in rational arithmetic; None if an edge of one lies in the plane of the other."""
    first, second = ([[Fraction(float(x)) for x in corner] for corner in triangle] for triangle in (first, second))
    found = [
        crosses(triangle[k], triangle[(k + 1) % 3], other)
        for triangle, other in ((first, second), (second, first))
        for k in range(3)
    ]
    return True if True in found else None if None in found else False


class Comparison:
    """Two bodies, compared with three libraries; counts what was compared."""

    def __init__(self):
        self.pairs = self.decided = self.questions = 0
        self.worst = 0.0

    def compare(self, what, bodies):
        """`bodies` are two faces and positions."""
        (faces_a, a), (faces_b, b) = bodies
        ours = cr.pairs((faces_a, a), (faces_b, b))
        theirs = fcl_pairs(*(fcl_model(faces, at.astype(float)) for faces, at in bodies))
        self.compare_pairs(what, bodies, {*map(tuple, ours.tolist())}, {*map(tuple, theirs.tolist())})
        positions = np.concatenate([a, b]).astype(float)
        faces = np.concatenate([faces_a.astype(np.int32), faces_b.astype(np.int32) + len(a)])
        mesh = ipctk.CollisionMesh(positions, ipctk.edges(faces), faces)
        assert ipctk.has_intersections(mesh, positions) == (len(ours) > 0), f"{what}: {len(ours)} pairs, but ipc-toolkit differs"
        solids = [manifold3d.Manifold(manifold3d.Mesh(vert_properties=at, tri_verts=faces)) for faces, at in bodies]
        volume, found = (solids[0] ^ solids[1]).volume(), cr.overlap(*bodies)
        size = min(abs(solid.volume()) for solid in solids)
        # Both round in double precision.
        assert abs(found.volume - volume) <= 1e-9 * size, f"{what}: a volume of {found.volume}, but manifold3d has {volume}"
        self.worst = max(self.worst, abs(found.volume - volume) / size)
        self.pairs += len(ours)
        self.questions += 1

    def compare_pairs(self, what, bodies, ours, theirs):
        (faces_a, a), (faces_b, b) = bodies
        for i, j in ours ^ theirs:
            truth = share_a_point(a[faces_a[i]], b[faces_b[j]])
            assert truth is not None, f"{what}: triangles {i} and {j} are degenerate"
            assert truth == ((i, j) in ours), f"{what}: crumple is wrong about triangles {i} and {j}, python-fcl is right"
            self.decided += 1


def compare_spheres(comparison):
    bodies = spheres()
    for frame in range(len(bodies[0])):
        comparison.compare(f"spheres, frame {frame}", [(body.mesh.faces, body[frame]) for body in bodies])


def compare_meshes(comparison, data):
    """Meshes at random places: the second is turned and moved, the farther the later."""
    for number, names in enumerate(PLACED):
        first, second = (cr.load(data / "static" / f"{name}.ply")[0] for name in names)
        chance = np.random.default_rng(number)
        for step in range(PLACEMENTS):
            turn = trimesh.transformations.random_rotation_matrix(chance.random(3))[:3, :3]
            way = chance.normal(size=3)
            moved = second[0].astype(float) @ turn.T + (0.1 + 0.35 * step) * way / np.linalg.norm(way)
            bodies = [(first.mesh.faces, first[0]), (second.mesh.faces, moved.astype(np.float32))]
            comparison.compare(f"{names[0]} and {names[1]}, place {step}", bodies)


def compare_points(bodies, count=2000):
    """Points are inside as trimesh has it; it casts rays in floating point, so that it may err close to the surface."""
    total = 0
    for what, faces, positions in bodies:
        low, high = positions.min(axis=0), positions.max(axis=0)
        points = np.random.default_rng(5).uniform(low, high, (count, 3)).astype(np.float32)
        mesh = trimesh.Trimesh(positions, faces, process=False)
        found = cr.inside(faces, positions, points)
        differ = np.flatnonzero(found != mesh.contains(points))
        if len(differ):
            distances = np.abs(trimesh.proximity.signed_distance(mesh, points[differ]))
            far = differ[distances >= 1e-6 * (high - low).max()]
            assert len(far) == 0, f"{what}: points {far} differ from trimesh"
        # The signed distance of a scene has the same sign.
        scene = cr.Scene()
        scene.add(faces, positions)
        closest = scene.update().closest_points(0, points, signed=True)
        assert ((closest["distance"] <= 0) == found).all(), what
        _, distances, _ = trimesh.proximity.closest_point(mesh, points)
        assert np.allclose(np.abs(closest["distance"]), distances, atol=1e-6 * (high - low).max()), f"{what}: distances of trimesh"
        total += count
        print(f"  {what}: {int(found.sum())} of {count} points are inside; {len(differ)} on the surface, where trimesh differs")
    return total


def check_objects(bodies):
    """Mesh objects of other libraries are the same bodies."""
    (a, b), frame = bodies, 5
    expected = cr.pairs((a.mesh, a[frame]), (b.mesh, b[frame]))
    objects = {
        "trimesh": trimesh.Trimesh(b[frame], b.mesh.faces, process=False),
        "meshio": meshio.Mesh(b[frame], [("triangle", b.mesh.faces)]),
        "PyVista": pyvista.PolyData.from_regular_faces(b[frame], b.mesh.faces.astype(np.int64)),
    }
    for name, mesh in objects.items():
        assert np.array_equal(cr.pairs((a.mesh, a[frame]), mesh), expected), name
        scene = cr.Scene()
        scene.add(a.mesh, a[frame], name="a")
        scene.add(mesh, name="b")
        assert np.array_equal(scene.update()["a", "b"].pairs, expected), name
        assert len(cr.check({"a": a, "b": mesh}, frames=slice(5, 6)).pairs) == len(expected), name
    print(f"  objects of {', '.join(objects)} are taken")


def check_tables(bodies):
    report = cr.check({"a": bodies[0], "b": bodies[1]})
    table, pairs = report.to_arrow(), report.pairs
    frames = {
        "pandas": report.to_pandas(),
        "pyarrow": pyarrow.table(table).to_pandas(),
        "polars": pandas.DataFrame({name: column.to_list() for name, column in polars.DataFrame(table).to_dict().items()}),
    }
    for name, frame in frames.items():
        assert list(frame.columns) == list(pairs.dtype.names), name
        assert (frame["triangle_b"].to_numpy() == pairs["triangle_b"]).all() and len(frame) == len(pairs), name
        assert set(frame["a"]) == {"a"} and set(frame["b"]) == {"b"}, name
    print(f"  tables of {len(pairs)} pairs are read by {', '.join(frames)}")


def check_usd():
    """A stage with a quad that falls through another one that is turned by its parent."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "stage.usda")
        stage = Usd.Stage.CreateNew(path)
        stage.SetStartTimeCode(1)
        stage.SetEndTimeCode(4)
        quad = [(-1, 0, -1), (1, 0, -1), (1, 0, 1), (-1, 0, 1)]
        parent = UsdGeom.Xform.Define(stage, "/turned")
        parent.AddRotateXOp().Set(90.0)
        for name in ("/turned/wall", "/falling"):
            mesh = UsdGeom.Mesh.Define(stage, name)
            mesh.CreateFaceVertexCountsAttr([4])
            mesh.CreateFaceVertexIndicesAttr([0, 1, 2, 3])
            mesh.CreatePointsAttr([Gf.Vec3f(*corner) for corner in quad])
            if name == "/falling":
                place = mesh.AddTranslateOp()
                for time_code, height in zip(range(1, 5), (3.0, 0.5, -0.5, -3.0)):
                    place.Set(Gf.Vec3d(0, height, 0), time_code)
        stage.GetRootLayer().Save()
        bodies = cr.load(path)
        assert [body.shape for body in bodies] == [(1, 4, 3), (4, 4, 3)]
        assert np.allclose(bodies[0][0][:, 2], 0, atol=1e-6)
        report = cr.check(path)
        assert sorted(set(report.pairs["frame"].tolist())) == [1, 2]
        print("  a stage of USD is read:", report)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder of meshes, as `cargo xtask verify` has it")
    arguments = parser.parse_args()
    started = time.perf_counter()
    comparison = Comparison()
    compare_spheres(comparison)
    bodies = spheres()
    with_inside = [("a sphere", bodies[0].mesh.faces, bodies[0][5])]
    if arguments.data:
        compare_meshes(comparison, arguments.data)
        knot = cr.load(arguments.data / "static/knot_12k.ply")[0]
        with_inside.append(("knot_12k", knot.mesh.faces, knot[0]))
    print(
        f"  {comparison.questions} times two bodies: {comparison.pairs} pairs as python-fcl has them"
        f" ({comparison.decided} decided for crumple in rational arithmetic), yes or no as ipc-toolkit,"
        f" volumes within {comparison.worst:.1e} of manifold3d"
    )
    compare_points(with_inside)
    check_objects(bodies)
    check_tables(bodies)
    check_usd()
    potential.compare(arguments.data)
    print(f"  the Python package agrees, in {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
