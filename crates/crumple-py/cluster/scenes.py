"""Files for the tests on a cluster: a long cloth, a million tiny frames, and a large scene."""

from __future__ import annotations

from pathlib import Path

import numpy as np

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"


def write_ply(file: Path, faces: np.ndarray, positions: np.ndarray) -> None:
    """A mesh as binary PLY."""
    header = (
        f"ply\nformat binary_little_endian 1.0\nelement vertex {len(positions)}\nproperty float x\nproperty float y\n"
        f"property float z\nelement face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    rows = np.zeros(len(faces), [("count", "u1"), ("corners", "<i4", 3)])
    rows["count"], rows["corners"] = 3, faces
    file.write_bytes(header.encode() + positions.astype("<f4").tobytes() + rows.tobytes())


def pc2_header(vertices: int, frames: int) -> bytes:
    """The header of a point cache."""
    numbers = np.array([1, vertices], "<i4").tobytes() + np.array([0, 1], "<f4").tobytes()
    return b"POINTCACHE2\0" + numbers + np.array([frames], "<i4").tobytes()


def sheet(side: int) -> np.ndarray:
    """The faces of a grid of `side` times `side` vertices."""
    corner = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).ravel()
    low = np.stack([corner, corner + 1, corner + side + 1], axis=1)
    high = np.stack([corner, corner + side + 1, corner + side], axis=1)
    return np.concatenate([low, high])


def long_cloth(folder: Path, frames: int) -> str:
    """The cloth of the fixtures at a quarter of its resolution, with its four frames drawn out to many."""
    cache = (FIXTURES / "cloth.pc2").read_bytes()
    keys = np.frombuffer(cache, "<f4", offset=32).reshape(4, 201, 201, 3)[:, ::4, ::4]
    keys = np.ascontiguousarray(keys).reshape(4, -1, 3)
    write_ply(folder / "cloth.ply", sheet(51), keys[0])
    with (folder / "cloth.pc2").open("wb") as out:
        out.write(pc2_header(keys.shape[1], frames))
        for time in np.linspace(0, 3, frames):
            key = min(int(time), 2)
            part = np.float32(time - key)
            out.write((keys[key] * (1 - part) + keys[key + 1] * part).astype("<f4").tobytes())
    return f"{folder / 'cloth.ply'}@{folder / 'cloth.pc2'}"


def tiny_frames(folder: Path, frames: int) -> list[str]:
    """A triangle that passes through another one, again and again."""
    triangle = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    upright = np.float32([[0.2, 0.2, -0.5], [0.4, 0.2, 0.5], [0.2, 0.4, 0.5]])
    write_ply(folder / "floor.ply", np.array([[0, 1, 2]]), triangle)
    write_ply(folder / "leaf.ply", np.array([[0, 1, 2]]), upright)
    height = np.float32(3) * np.sin(np.arange(frames, dtype=np.float32) / np.float32(50))
    moved = np.repeat(upright[None], frames, axis=0)
    moved[:, :, 2] += height[:, None]
    (folder / "leaf.pc2").write_bytes(pc2_header(3, frames) + moved.astype("<f4").tobytes())
    return [str(folder / "floor.ply"), f"{folder / 'leaf.ply'}@{folder / 'leaf.pc2'}"]


def large_scene(folder: Path, bodies: int, side: int) -> list[str]:
    """Wavy sheets, each a little above the last and turned, so that neighbours cross: 2 (side - 1)² triangles per body."""
    faces, files = sheet(side), []
    place = np.linspace(-1, 1, side)
    u, v = (part.ravel() for part in np.meshgrid(place, place))
    for number in range(bodies):
        turn = 0.37 * number
        x, y = u * np.cos(turn) - v * np.sin(turn), u * np.sin(turn) + v * np.cos(turn)
        z = 0.01 * np.sin(3 * u + number) * np.cos(4 * v)
        # They stand in a long row, so that the scene has a side to cut it across.
        positions = np.stack([x + 0.25 * number, y, z + 0.004 * (number % 5)], axis=1)
        file = folder / f"sheet_{number}.ply"
        write_ply(file, faces, positions.astype(np.float32))
        files.append(str(file))
    return files
