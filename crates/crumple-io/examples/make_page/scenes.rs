//! The scenes: the demo, and the special cases a page must handle.

use std::f32::consts::TAU;

use crumple_scenes::{Scene, SceneError, Solid, bumpy_spheres, bumpy_spheres_in, sphere};

/// Bodies, and where their vertices are in every frame.
pub(crate) struct PageScene {
    pub(crate) title: String,
    pub(crate) bodies: Vec<PageBody>,
    pub(crate) frames: u64,
    /// What the file would call the first frame.
    pub(crate) first_number: u64,
    pub(crate) positions: Box<dyn Fn(u64) -> Vec<Vec<[f32; 3]>>>,
    pub(crate) with_itself: bool,
    pub(crate) counts_only: bool,
    pub(crate) overlap: bool,
    pub(crate) note: Option<String>,
}

pub(crate) struct PageBody {
    pub(crate) name: String,
    pub(crate) triangles: Vec<[u32; 3]>,
    pub(crate) vertices: usize,
    pub(crate) closed: bool,
    pub(crate) face_of_triangle: Option<Vec<u32>>,
}

pub(crate) const NAMES: &str = "demo, small, overlap, single, apart, itself, crowd, hostile, counts, empty";

pub(crate) fn by_name(name: &str) -> Result<PageScene, SceneError> {
    Ok(match name {
        "demo" => of_scene("Two bumpy spheres collide", bumpy_spheres(Solid::Icosahedron, 5)?),
        "small" => of_scene("Two small spheres", bumpy_spheres_in(40, Solid::Icosahedron, 3)?),
        "overlap" => {
            let shown = of_scene("Two spheres and their overlap", bumpy_spheres_in(60, Solid::Icosahedron, 4)?);
            PageScene { overlap: true, note: Some("resolution   48 x 48\noperation    intersection".into()), ..shown }
        }
        "single" => only(of_scene("One frame", bumpy_spheres_in(40, Solid::Icosahedron, 3)?), 30, 1),
        "apart" => only(of_scene("Nothing meets", bumpy_spheres_in(40, Solid::Icosahedron, 3)?), 0, 8),
        "itself" => itself(),
        "crowd" => crowd()?,
        "hostile" => {
            let mut shown = only(
                of_scene("</title><script>alert(1)</script>", bumpy_spheres_in(40, Solid::Icosahedron, 2)?),
                20,
                10,
            );
            shown.bodies[0].name = "</script><script>document.title='taken'</script><!--".into();
            shown.bodies[1].name = "\"><img src=x onerror=\"document.title='taken'\"> & \u{202e}\u{0} 'ñ 漢字".into();
            PageScene { note: Some("</pre></section><script>document.title='taken'</script>".into()), ..shown }
        }
        "counts" => {
            PageScene { counts_only: true, ..of_scene("Counts only", bumpy_spheres_in(40, Solid::Icosahedron, 3)?) }
        }
        "empty" => PageScene {
            bodies: vec![],
            frames: 0,
            ..of_scene("Nothing at all", bumpy_spheres_in(2, Solid::Icosahedron, 0)?)
        },
        other => {
            let names = NAMES.split(", ").collect();
            return Err(SceneError::Unknown { name: other.into(), names });
        }
    })
}

fn of_scene(title: &str, scene: Scene) -> PageScene {
    let bodies = scene.bodies().iter().map(|body| PageBody {
        name: body.name().into(),
        triangles: body.triangles().to_vec(),
        vertices: body.vertex_count(),
        closed: body.is_closed(),
        face_of_triangle: None,
    });
    PageScene {
        title: title.into(),
        bodies: bodies.collect(),
        frames: scene.frame_count() as u64,
        first_number: 0,
        positions: Box::new(move |frame| scene.frame(frame as usize)),
        with_itself: false,
        counts_only: false,
        overlap: false,
        note: None,
    }
}

/// Some frames of a scene, numbered as they were.
fn only(shown: PageScene, first: u64, frames: u64) -> PageScene {
    let positions = shown.positions;
    PageScene { frames, first_number: first, positions: Box::new(move |frame| positions(frame + first)), ..shown }
}

/// A sheet that rolls up until it goes through itself, made of quads as files have them.
fn itself() -> PageScene {
    const ACROSS: u32 = 96;
    const ALONG: u32 = 32;
    let mut triangles = vec![];
    for row in 0..ALONG {
        for column in 0..ACROSS {
            let corner = row * (ACROSS + 1) + column;
            let above = corner + ACROSS + 1;
            triangles.extend([[corner, corner + 1, above + 1], [corner, above + 1, above]]);
        }
    }
    let positions = |frame: u64| {
        let turns = 0.2 + 1.1 * frame as f32 / 59.0;
        let vertex = |number: u32| {
            let (along, across) =
                ((number / (ACROSS + 1)) as f32 / ALONG as f32, (number % (ACROSS + 1)) as f32 / ACROSS as f32);
            let angle = TAU * turns * (across - 0.5);
            // The radius shrinks as the sheet rolls up and wavers along it, so that the ends pass through each other.
            let radius = 0.5 / turns.max(0.5) * (1.0 + 0.08 * (along * 9.0 + across * 7.0).sin());
            [radius * angle.sin(), radius * (1.0 - angle.cos()), 1.6 * (along - 0.5)]
        };
        vec![(0..(ACROSS + 1) * (ALONG + 1)).map(vertex).collect()]
    };
    let body = PageBody {
        name: "sheet".into(),
        vertices: ((ACROSS + 1) * (ALONG + 1)) as usize,
        closed: false,
        face_of_triangle: Some((0..triangles.len() as u32).map(|triangle| triangle / 2).collect()),
        triangles,
    };
    PageScene {
        title: "A sheet rolls up".into(),
        bodies: vec![body],
        frames: 60,
        first_number: 0,
        positions: Box::new(positions),
        with_itself: true,
        counts_only: false,
        overlap: false,
        note: None,
    }
}

/// 343 small balls, most of which stand still while every seventh swings into its neighbour.
fn crowd() -> Result<PageScene, SceneError> {
    let ball = sphere(Solid::Icosahedron, 2)?;
    let place = |number: u32| [number % 7, number / 7 % 7, number / 49].map(|step| step as f32 * 2.6);
    let bodies = (0..343).map(|number| PageBody {
        name: format!("ball {number:03}"),
        triangles: ball.triangles.clone(),
        vertices: ball.positions.len(),
        closed: true,
        face_of_triangle: None,
    });
    let bodies = bodies.collect();
    let positions = move |frame: u64| {
        let swing = 1.5 * (TAU * frame as f32 / 40.0).sin();
        let at = |number: u32| {
            let [x, y, z] = place(number);
            let x = if number.is_multiple_of(7) { x + swing } else { x };
            ball.positions.iter().map(|p| [p[0] + x, p[1] + y, p[2] + z]).collect()
        };
        (0..343).map(at).collect()
    };
    Ok(PageScene {
        title: "343 balls".into(),
        bodies,
        frames: 40,
        first_number: 0,
        positions: Box::new(positions),
        with_itself: false,
        counts_only: false,
        overlap: false,
        note: None,
    })
}
