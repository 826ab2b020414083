"""What the tests share: fixtures of the repository, and small bodies."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"


def moving(name: str) -> str:
    """A mesh with its point cache, as `load` takes it."""
    return f"{FIXTURES / name}.ply@{FIXTURES / name}.pc2"


def listed(name: str) -> np.ndarray:
    """Rows of `frame i j`, computed by CGAL."""
    rows = np.loadtxt(FIXTURES / name, dtype=np.uint32, comments="#")
    return rows[np.lexsort(rows.T[::-1])]


def grid(cells: int, height: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Faces and positions of a square sheet from 0 to 1."""
    side = np.linspace(0, 1, cells + 1, dtype=np.float32)
    x, y = np.meshgrid(side, side)
    positions = np.stack([x.ravel(), y.ravel(), np.full(x.size, height, np.float32)], axis=1)
    corner = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).ravel()
    low = np.stack([corner, corner + 1, corner + cells + 2], axis=1)
    high = np.stack([corner, corner + cells + 2, corner + cells + 1], axis=1)
    return np.concatenate([low, high]), positions.astype(np.float32)


def bent_tube(angle: float, rings: int = 60, around: int = 16, rise: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """A closed tube of radius 0.5 along a helix of radius 1.2, whose ends run into each other if it is long and flat enough."""
    along, turn = np.linspace(0, angle, rings), np.arange(around) * 2 * np.pi / around
    out = np.stack([np.cos(along), np.sin(along), 0 * along], axis=1)
    ring = 0.5 * (np.cos(turn)[None, :, None] * out[:, None] + np.sin(turn)[None, :, None] * [0, 0, 1])
    centre = 1.2 * out + rise * along[:, None] * [0, 0, 1]
    at = np.vstack([(centre[:, None] + ring).reshape(-1, 3), centre[0], centre[-1]])
    i, j = (x.ravel() for x in np.meshgrid(np.arange(rings - 1), np.arange(around), indexing="ij"))
    a, b = i * around + j, i * around + (j + 1) % around
    k, last = np.arange(around), (rings - 1) * around
    following = (k + 1) % around
    first_cap = np.stack([np.full(around, len(at) - 2), k, following], axis=1)
    last_cap = np.stack([np.full(around, len(at) - 1), last + following, last + k], axis=1)
    sides = [np.stack([a, a + around, b], axis=1), np.stack([b, a + around, b + around], axis=1)]
    return np.concatenate([*sides, first_cap, last_cap]), at


@pytest.fixture
def tetrahedron() -> tuple[np.ndarray, np.ndarray]:
    """Faces and positions of a corner of a cube."""
    faces = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    return faces, np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
