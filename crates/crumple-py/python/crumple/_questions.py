"""Questions about one or two bodies, without a scene. A body is `(mesh, positions)` or an object that has both."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _crumple
from ._arrays import body as _body
from ._arrays import positions as _positions
from ._crumple import Distance
from ._near import Near
from ._overlap import Overlap, SelfOverlap
from .errors import OptionError


def pairs(a: Any, b: Any, *, cast: bool = False) -> NDArray[np.uint32]:
    """All pairs of triangles of two bodies that share a point, sorted: (k, 2).

    Builds a tree for each body; for bodies that are asked about again and again, a Scene keeps them.

    >>> import numpy as np, crumple as cr
    >>> tile = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    >>> cr.pairs(([[0, 1, 2]], tile), ([[0, 1, 2]], tile + np.float32([0.5, 0, 0]))).tolist()
    [[0, 0]]
    """
    return _crumple.pairs_of_bodies(*_body(a, None, cast), *_body(b, None, cast))


def self_pairs(body: Any, *, weld: bool = False, cast: bool = False) -> NDArray[np.uint32]:
    """All pairs of triangles of one body that collide, sorted: (k, 2), the smaller number first.

    Triangles that share a vertex or an edge collide only where they meet beyond it. With `weld`, vertices at equal positions
    are the same vertex.
    """
    return _crumple.pairs_of_one_body(*_body(body, None, cast), weld)


def distance(a: Any, b: Any, *, cast: bool = False) -> Distance:
    """How far apart the surfaces of two bodies are, between two certified bounds, and where they are nearest.

    >>> import numpy as np, crumple as cr
    >>> tile = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    >>> apart = cr.distance(([[0, 1, 2]], tile), ([[0, 1, 2]], tile + np.float32([0, 0, 0.25])))
    >>> apart.lo <= 0.25 <= apart.hi, round(float(apart), 12), apart.triangles
    (True, 0.25, (0, 0))
    """
    return _crumple.distance_of_bodies(*_body(a, None, cast), *_body(b, None, cast))


def near(a: Any, b: Any, distance: float, *, cast: bool = False) -> Near:
    """All pairs of features of two bodies that are closer than a distance; in the tables, body 0 is `a` and body 1 is `b`."""
    return _crumple.near_features(*_body(a, None, cast), *_body(b, None, cast), distance)


def inside(
    body: Any,
    positions: Any,
    points: Any = None,
    *,
    exact: bool = True,
    resolution: int = 128,
    parity: bool = False,
    assume_closed: bool = False,
    cast: bool = False,
) -> NDArray[np.bool_]:
    """Which points are inside a closed body: `inside(mesh, positions, points)` or `inside(body, points)`.

    Every point is decided by exact arithmetic; with `exact=False` by a depth image of `resolution` samples per side,
    which is faster for many points and may be wrong about points nearer to the surface than half a sample. Points on the surface
    are inside; points that are not finite are outside. `parity` ignores the orientation of triangles, `assume_closed` accepts an
    open surface.

    >>> import numpy as np, crumple as cr
    >>> corner = cr.Mesh([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    >>> V = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> cr.inside(corner, V, np.float32([[0.1, 0.1, 0.1], [0.5, 0.5, 0.0], [0.5, 0.5, 0.1]])).tolist()
    [True, True, False]
    """
    if points is None:
        (mesh, at), points = _body(body, None, cast), positions
    else:
        mesh, at = _body(body, positions, cast)
    tested = _positions(points, cast, "points")
    return _crumple.inside_points(
        mesh, at, tested, exact=exact, resolution=resolution, parity=parity, assume_closed=assume_closed
    )


def overlap(
    a: Any,
    b: Any,
    *,
    exact: bool = True,
    resolution: int = 128,
    parity: bool = False,
    assume_closed: bool = False,
    cast: bool = False,
) -> Overlap:
    """How much two closed bodies overlap, exact up to rounding: volume, area, centroid, and the gradient of the volume.

    With `exact=False` it is sampled by depth images of `resolution` samples per side, with an estimate of the error; only then
    can `parity` ignore the orientation of triangles, and `assume_closed` accept an open surface.

    >>> import numpy as np, crumple as cr
    >>> corner = cr.Mesh([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    >>> V = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> found = cr.overlap((corner, V), (corner, V + np.float32([0.5, 0, 0])))
    >>> round(found.volume * 48, 12), found.gradient_b.shape
    (1.0, (4, 3))
    >>> round(cr.overlap((corner, V), (corner, V), exact=False).volume, 3)
    0.167
    """
    if exact and (parity or assume_closed):
        raise OptionError("parity and assume_closed are for sampled overlaps: pass exact=False as well")
    (mesh_a, at_a), (mesh_b, at_b) = _body(a, None, cast), _body(b, None, cast)
    samples = None if exact else resolution
    return _crumple.overlap_of_bodies(
        mesh_a, at_a, mesh_b, at_b, resolution=samples, parity=parity, assume_closed=assume_closed
    )


def self_overlap(body: Any, *, cap_holes: bool = False, weld: bool = False, cast: bool = False) -> SelfOverlap:
    """How much a closed body overlaps itself, exact up to rounding: the volume, its gradient, and the connected parts.

    With `weld`, vertices at equal positions are the same vertex. An open surface is refused; with `cap_holes` every hole is closed
    by triangles to the mean of the vertices around it, and the answer depends on these triangles.

    >>> import numpy as np, crumple as cr
    >>> corner = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    >>> V = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> found = cr.self_overlap((np.vstack([corner, corner + 4]), np.vstack([V, V + np.float32([0.5, 0, 0])])))
    >>> round(48 * found.volume, 12), found.gradient.shape, found.is_inside_out
    (1.0, (8, 3), False)
    """
    return _crumple.self_overlap_of_body(*_body(body, None, cast), weld, cap_holes)
