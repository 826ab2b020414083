//! Every published scene by name, for the command and for tests that visit all of them.

use crate::apart::crowd_apart;
use crate::breathing::breathing_body;
use crate::bumpy::{bumpy_spheres, bumpy_spheres_in, bumpy_spheres_with_detail, visiting_spheres};
use crate::cloth::rolling_cloth;
use crate::deforming::deforming_pair;
use crate::dense::{Crowd, dense_crowd};
use crate::error::SceneError;
use crate::extreme::{inside_out, scattered_sheet, twisted_bars};
use crate::heap::{heap, heap_of_boxes};
use crate::knot::swelling_knot;
use crate::overlap::{BodyPair, OverlapKind, overlapping, overlapping_in_layers};
use crate::scene::Scene;
use crate::shape::Solid::{Icosahedron, Octahedron, Tetrahedron};
use crate::wave::{deep_bodies, waving_bodies};

/// One line of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name to ask for.
    pub name: &'static str,
    /// What happens in the scene, in one line.
    pub about: &'static str,
    make: Make,
}

impl Entry {
    /// Makes the scene.
    pub fn scene(&self) -> Scene {
        made(self.name, self.make)
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

/// Small versions of all scenes, for tests that try everything on everything: at most about 1,300 triangles per body.
pub fn small() -> Vec<Scene> {
    let makers: [(&str, Make); 11] = [
        ("small-spheres-320", || bumpy_spheres(Icosahedron, 2)),
        ("small-spheres-1280", || bumpy_spheres(Icosahedron, 3)),
        ("small-spheres-512", || bumpy_spheres(Octahedron, 3)),
        ("small-spheres-1024", || bumpy_spheres(Tetrahedron, 4)),
        ("small-crowd-of-spheres", || dense_crowd(Crowd::Spheres, 1)),
        ("small-crowd-of-arms", || dense_crowd(Crowd::Arms, 2)),
        ("small-cloth", || rolling_cloth(25)),
        ("small-heap", || heap(60, 1)),
        ("small-twist", || twisted_bars(60)),
        ("small-scatter", || scattered_sheet(20)),
        ("small-inside-out", || inside_out(3)),
    ];
    makers.into_iter().map(|(name, make)| made(name, make)).collect()
}

type Make = fn() -> Result<Scene, SceneError>;

/// The numbers in this file lie within every limit, and tests make each scene.
fn made(name: &str, make: Make) -> Scene {
    match make() {
        Ok(scene) => scene.named(name),
        Err(error) => unreachable!("scene {name}: {error}"),
    }
}

const CATALOGUE: &[Entry] = &[
    Entry {
        name: "LE1",
        about: "two bumpy spheres of 20,480 triangles move into each other, 200 frames",
        make: || bumpy_spheres(Icosahedron, 5),
    },
    Entry { name: "LE2-1280", about: "LE1 at 1,280 triangles per body", make: || bumpy_spheres(Icosahedron, 3) },
    Entry { name: "LE2-5120", about: "LE1 at 5,120 triangles per body", make: || bumpy_spheres(Icosahedron, 4) },
    Entry {
        name: "LE2-8192",
        about: "LE1 at 8,192 triangles per body, from the octahedron",
        make: || bumpy_spheres(Octahedron, 5),
    },
    Entry {
        name: "LE2-16384",
        about: "LE1 at 16,384 triangles per body, from the tetrahedron",
        make: || bumpy_spheres(Tetrahedron, 6),
    },
    Entry { name: "LE2-20480", about: "LE1 again, under the name of its size", make: || bumpy_spheres(Icosahedron, 5) },
    Entry {
        name: "LE2-32768",
        about: "LE1 at 32,768 triangles per body, from the octahedron",
        make: || bumpy_spheres(Octahedron, 6),
    },
    Entry {
        name: "LE2-65536",
        about: "LE1 at 65,536 triangles per body, from the tetrahedron",
        make: || bumpy_spheres(Tetrahedron, 7),
    },
    Entry {
        name: "LE2-paper-1280",
        about: "1,280 triangles per body, with bumps that follow the mesh: pairs as in the paper's table 1",
        make: || bumpy_spheres_with_detail(Icosahedron, 3, 0.17, 0.6),
    },
    Entry {
        name: "LE2-paper-5120",
        about: "LE2-paper-1280 at 5,120 triangles per body",
        make: || bumpy_spheres_with_detail(Icosahedron, 4, 0.225, 1.0),
    },
    Entry {
        name: "LE2-paper-8192",
        about: "LE2-paper-1280 at 8,192 triangles per body",
        make: || bumpy_spheres_with_detail(Octahedron, 5, 0.37, 1.0),
    },
    Entry {
        name: "LE2-paper-16384",
        about: "LE2-paper-1280 at 16,384 triangles per body",
        make: || bumpy_spheres_with_detail(Tetrahedron, 6, 0.76, 1.0),
    },
    Entry {
        name: "LE2-paper-20480",
        about: "LE2-paper-1280 at 20,480 triangles per body",
        make: || bumpy_spheres_with_detail(Icosahedron, 5, 1.0, 1.0),
    },
    Entry {
        name: "LE2-paper-32768",
        about: "LE2-paper-1280 at 32,768 triangles per body",
        make: || bumpy_spheres_with_detail(Octahedron, 6, 0.98, 1.0),
    },
    Entry {
        name: "LE2-paper-65536",
        about: "LE2-paper-1280 at 65,536 triangles per body",
        make: || bumpy_spheres_with_detail(Tetrahedron, 7, 1.9, 1.0),
    },
    Entry {
        name: "LE3-spheres-apart",
        about: "27 bumpy spheres of 5,120 triangles hit each other and are pushed apart, 200 frames",
        make: || crowd_apart(Crowd::Spheres, 4),
    },
    Entry {
        name: "LE3-arms-apart",
        about: "27 bodies of 5,120 triangles with waving arms hit each other and are pushed apart, 200 frames",
        make: || crowd_apart(Crowd::Arms, 4),
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
        name: "GE2",
        about: "two waved bodies of 12,500 triangles stand still, deep in each other, one frame",
        make: || deep_bodies(25),
    },
    Entry {
        name: "GE3-1500",
        about: "two bodies of 1,620 triangles that a wave runs through go in and out of each other, 100 frames",
        make: || waving_bodies(9),
    },
    Entry { name: "GE3-13000", about: "GE3-1500 at 12,500 triangles per body", make: || waving_bodies(25) },
    Entry {
        name: "CR1",
        about: "a cloth of 80,000 triangles rolls up on itself, 60 frames",
        make: || rolling_cloth(200),
    },
    Entry {
        name: "CR2",
        about: "LE1 at 327,680 triangles per body, in 20 frames",
        make: || bumpy_spheres_in(20, Icosahedron, 7),
    },
    Entry { name: "CR3", about: "1,000 bodies of 80 triangles fall into a heap, 100 frames", make: || heap(1_000, 1) },
    Entry {
        name: "CR4-twist",
        about: "two bars of 19,456 triangles are twisted by eight turns, 100 frames",
        make: || twisted_bars(240),
    },
    Entry {
        name: "CR4-scatter",
        about: "a sheet of 20,000 triangles tears apart and fills a cube around a sphere, 100 frames",
        make: || scattered_sheet(100),
    },
    Entry {
        name: "CR4-inside-out",
        about: "a sphere of 20,480 triangles turns inside out, one part before another, 100 frames",
        make: || inside_out(5),
    },
    Entry {
        name: "CR6-1000",
        about: "1,000 boxes of 12 triangles fall into a heap, 100 frames",
        make: || heap_of_boxes(1_000),
    },
    Entry {
        name: "CR6-10000",
        about: "10,000 boxes of 12 triangles fall into a heap, 100 frames",
        make: || heap_of_boxes(10_000),
    },
    Entry {
        name: "MR1",
        about: "two bumpy spheres of 20,480 triangles touch and part again, 120 frames",
        make: || visiting_spheres(5),
    },
    Entry {
        name: "HE1-knot-rabbit-simple",
        about: "knot (11,520 triangles) and rabbit (50,000) overlap in one place, one frame",
        make: || Ok(overlapping(BodyPair::KnotRabbit, OverlapKind::Simple)),
    },
    Entry {
        name: "HE1-knot-rabbit-complex",
        about: "knot (11,520 triangles) and rabbit (50,000) overlap in many places, one frame",
        make: || Ok(overlapping(BodyPair::KnotRabbit, OverlapKind::Complex)),
    },
    Entry {
        name: "HE1-rabbit-reptile-simple",
        about: "rabbit (50,000 triangles) and reptile (109,520) overlap in one place, one frame",
        make: || Ok(overlapping(BodyPair::RabbitReptile, OverlapKind::Simple)),
    },
    Entry {
        name: "HE1-rabbit-reptile-complex",
        about: "rabbit (50,000 triangles) and reptile (109,520) overlap in many places, one frame",
        make: || Ok(overlapping(BodyPair::RabbitReptile, OverlapKind::Complex)),
    },
    Entry {
        name: "HE1-reptile-santa-simple",
        about: "reptile (109,520 triangles) and santa (151,380) overlap in one place, one frame",
        make: || Ok(overlapping(BodyPair::ReptileSanta, OverlapKind::Simple)),
    },
    Entry {
        name: "HE1-reptile-santa-complex",
        about: "reptile (109,520 triangles) and santa (151,380) overlap in many places, one frame",
        make: || Ok(overlapping(BodyPair::ReptileSanta, OverlapKind::Complex)),
    },
    Entry {
        name: "HE1-knot-dragon-simple",
        about: "knot (11,520 triangles) and dragon (518,420) overlap in one place, one frame",
        make: || Ok(overlapping(BodyPair::KnotDragon, OverlapKind::Simple)),
    },
    Entry {
        name: "HE1-knot-dragon-complex",
        about: "knot (11,520 triangles) and dragon (518,420) overlap in many places, one frame",
        make: || Ok(overlapping(BodyPair::KnotDragon, OverlapKind::Complex)),
    },
    Entry {
        name: "HE1-knot-rabbit-3-1",
        about: "knot (11,520 triangles) and rabbit (50,000) overlap in 3 and 1 layers, one frame",
        make: || overlapping_in_layers(1),
    },
    Entry {
        name: "HE1-knot-rabbit-4-6",
        about: "knot (11,520 triangles) and rabbit (50,000) overlap in 4 and 6 layers, one frame",
        make: || overlapping_in_layers(2),
    },
    Entry {
        name: "HE1-rabbit-reptile-7-5",
        about: "rabbit (50,000 triangles) and reptile (109,520) overlap in 7 and 5 layers, one frame",
        make: || overlapping_in_layers(3),
    },
    Entry {
        name: "HE1-rabbit-reptile-4-2",
        about: "rabbit (50,000 triangles) and reptile (109,520) overlap in 4 and 2 layers, one frame",
        make: || overlapping_in_layers(4),
    },
    Entry {
        name: "HE1-reptile-santa-8-6",
        about: "reptile (109,520 triangles) and santa (151,380) overlap in 8 and 6 layers, one frame",
        make: || overlapping_in_layers(5),
    },
    Entry {
        name: "HE3",
        about: "a closed body of 10,368 triangles breathes and wobbles, 300 frames",
        make: || breathing_body(300),
    },
    Entry {
        name: "HE4",
        about: "a ball of 5,000 triangles passes through a body of 151,380, both deforming, 100 frames",
        make: deforming_pair,
    },
    Entry {
        name: "HE5",
        about: "a knot of 11,520 triangles swells until its strands overlap each other, 100 frames",
        make: || swelling_knot(24),
    },
];
