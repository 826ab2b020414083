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


@pytest.fixture
def tetrahedron() -> tuple[np.ndarray, np.ndarray]:
    """Faces and positions of a corner of a cube."""
    faces = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    return faces, np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
