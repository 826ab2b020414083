//! Every published scene by name, for the command and for tests that visit all of them.

use crate::bumpy::{bumpy_spheres, bumpy_spheres_in};
use crate::dense::{Crowd, dense_crowd};
use crate::error::SceneError;
use crate::scene::Scene;
use crate::shape::Solid::{Icosahedron, Octahedron, Tetrahedron};

/// One line of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name to ask for.
    pub name: &'static str,
    /// What happens in the scene, in one line.
    pub about: &'static str,
    make: fn() -> Result<Scene, SceneError>,
}

impl Entry {
    /// Makes the scene.
    pub fn scene(&self) -> Scene {
        // The numbers in the table below lie within every limit, and a test makes each scene.
        match (self.make)() {
            Ok(scene) => scene.named(self.name),
            Err(error) => unreachable!("scene {}: {error}", self.name),
        }
    }
}

/// Every published scene, in the order of the experiments.
pub fn catalogue() -> &'static [Entry] {
    CATALOGUE
}

/// The published scene of this name, upper and lower case alike.
///
/// # Errors
///
/// [`SceneError::Unknown`], which lists the names there are.
pub fn by_name(name: &str) -> Result<Scene, SceneError> {
    CATALOGUE.iter().find(|entry| entry.name.eq_ignore_ascii_case(name)).map(Entry::scene).ok_or_else(|| {
        SceneError::Unknown { name: name.to_owned(), names: CATALOGUE.iter().map(|entry| entry.name).collect() }
    })
}

const CATALOGUE: &[Entry] = &[
    Entry {
        name: "LE1",
        about: "two bumpy spheres of 20,480 triangles move into each other, 200 frames",
        make: || bumpy_spheres(Icosahedron, 5),
    },
    Entry { name: "LE2-1280", about: "LE1 at 1,280 triangles a body", make: || bumpy_spheres(Icosahedron, 3) },
    Entry { name: "LE2-5120", about: "LE1 at 5,120 triangles a body", make: || bumpy_spheres(Icosahedron, 4) },
    Entry {
        name: "LE2-8192",
        about: "LE1 at 8,192 triangles a body, from the octahedron",
        make: || bumpy_spheres(Octahedron, 5),
    },
    Entry {
        name: "LE2-16384",
        about: "LE1 at 16,384 triangles a body, from the tetrahedron",
        make: || bumpy_spheres(Tetrahedron, 6),
    },
    Entry { name: "LE2-20480", about: "LE1 again, under the name of its size", make: || bumpy_spheres(Icosahedron, 5) },
    Entry {
        name: "LE2-32768",
        about: "LE1 at 32,768 triangles a body, from the octahedron",
        make: || bumpy_spheres(Octahedron, 6),
    },
    Entry {
        name: "LE2-65536",
        about: "LE1 at 65,536 triangles a body, from the tetrahedron",
        make: || bumpy_spheres(Tetrahedron, 7),
    },
    Entry {
        name: "LE3-spheres",
        about: "27 bumpy spheres of 5,120 triangles crowd towards one point, 200 frames",
        make: || dense_crowd(Crowd::Spheres, 4),
    },
    Entry {
        name: "LE3-arms",
        about: "27 bodies of 5,120 triangles with waving arms crowd towards one point, 200 frames",
        make: || dense_crowd(Crowd::Arms, 4),
    },
    Entry {
        name: "CR2",
        about: "LE1 at 327,680 triangles a body, in 20 frames",
        make: || bumpy_spheres_in(20, Icosahedron, 7),
    },
];
