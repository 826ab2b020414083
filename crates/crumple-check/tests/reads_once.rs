//! Every frame of a point cache is read once and checked once, whatever `check` writes.

use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex};

use anyhow::Result;
use crumple_check::bodies::FileBody;
use crumple_check::bodies::files::take_in;
use crumple_check::bodies::moving::Motion;
use crumple_check::sink::{FilesInUse, Sinks};
use crumple_check::{Check, Ended, Options, Outcome, Silent, error};
use crumple_io::{AnimatedBody, CacheFormat, MeshFile, PointCache, Room};

/// How often each byte of a file was read.
type Times = Arc<Mutex<Vec<u32>>>;

/// The bytes of a file, and how often each of them was read.
#[derive(Debug)]
struct Counted {
    bytes: Cursor<Vec<u8>>,
    times: Times,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let at = self.bytes.position() as usize;
        let read = self.bytes.read(buffer)?;
        self.times.lock().unwrap()[at..at + read].iter_mut().for_each(|times| *times += 1);
        Ok(read)
    }
}

impl Seek for Counted {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

const FRAMES: usize = 40;
const HEADER: usize = 32;
const FRAME: usize = 4 * 12;

/// A tetrahedron at `x`.
fn tetrahedron(x: f32) -> [[f32; 3]; 4] {
    [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0], [x, 0.0, 1.0]]
}

/// Point caches of two tetrahedra, of which the second moves into the first from frame 20 on.
fn caches() -> [Vec<u8>; 2] {
    [(2.0, 0.001), (5.0, 0.101)].map(|(start, step)| {
        let mut bytes = b"POINTCACHE2\0".to_vec();
        bytes.extend([1, 4, 0, 0, FRAMES as i32].iter().flat_map(|number| number.to_le_bytes()));
        for frame in 0..FRAMES {
            let positions = tetrahedron(start - step * frame as f32);
            bytes.extend(positions.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
        }
        bytes
    })
}

/// The bodies of point caches, and how often each byte of them is read.
fn bodies(caches: [Vec<u8>; 2], weld: bool) -> (Vec<FileBody>, [Times; 2]) {
    let mesh = MeshFile {
        name: "body".into(),
        positions: tetrahedron(0.0).to_vec(),
        triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
        ..MeshFile::default()
    };
    let counts = caches.each_ref().map(|bytes| Arc::new(Mutex::new(vec![0; bytes.len()])));
    let mut bodies = Vec::new();
    for (bytes, times) in caches.into_iter().zip(&counts) {
        let reader = Counted { bytes: Cursor::new(bytes), times: Arc::clone(times) };
        let cache = PointCache::new(reader, CacheFormat::Pc2, "motion.pc2").unwrap();
        let body = AnimatedBody::with_point_cache(mesh.clone(), "body.ply", cache).unwrap();
        take_in(&mut bodies, vec![body], weld);
    }
    (bodies, counts)
}

fn check_with(bodies: Vec<FileBody>, options: &str) -> Result<Outcome> {
    let check = Check::new(bodies, &Options::from_json(options)?)?;
    let sinks = Sinks::of_files(&check, &FilesInUse::default())?;
    Ok(check.run(sinks, &mut Silent)?.0)
}

#[test]
fn every_byte_of_a_point_cache_is_read_once() {
    let folder = std::env::temp_dir().join(format!("crumple-reads-once-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str| folder.join(name).display().to_string();
    let (page, csv, meshes) = (file("page.html"), file("pairs.csv"), file("meshes"));
    let all =
        format!(r#"{{"self": true, "html": {page:?}, "csv": {csv:?}, "export": {meshes:?}, "containment": true}}"#);
    for (options, weld, frames) in [
        (all.as_str(), true, 0..FRAMES),
        ("{}", false, 0..FRAMES),
        (r#"{"first": true}"#, true, 0..FRAMES),
        (r#"{"frames": "7..12"}"#, false, 7..12),
    ] {
        let (bodies, counts) = bodies(caches(), weld);
        let outcome = check_with(bodies, options).unwrap();
        assert!(matches!(outcome.ended, Ended::Whole));
        assert_eq!(outcome.collides(), frames.end == FRAMES, "{options}");
        for times in counts {
            let times = times.lock().unwrap();
            assert!(times[..HEADER].iter().all(|&times| times == 1), "{options}: the header");
            for (frame, times) in times[HEADER..].chunks_exact(FRAME).enumerate() {
                let expected = u32::from(frames.contains(&frame));
                assert!(times.iter().all(|&times| times == expected), "{options}: frame {frame}: {times:?}");
            }
        }
    }
    // Vertices are joined by the first frame, which is then read besides those that are asked for.
    let (bodies, counts) = bodies(caches(), true);
    check_with(bodies, r#"{"frames": "7..12"}"#).unwrap();
    for times in counts {
        let read: u32 = times.lock().unwrap()[HEADER..].iter().sum();
        assert_eq!(read as usize, 6 * FRAME);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn positions_are_checked_once_a_frame_by_the_body_that_takes_them_in() {
    // A body checks positions whenever it takes some in, and its version counts how often it has. That neither readers nor
    // the page look for NaN is a test of theirs.
    let (bodies, _) = bodies(caches(), true);
    for file in bodies {
        let (mut motion, mut body) = Motion::start(file, 0).unwrap();
        for frame in 0..FRAMES {
            motion.go_to(frame, |read| Ok(body.write_positions(|_, new| read(Room::F32(new)))?)).unwrap();
            assert_eq!(body.version(), 1 + frame as u64);
        }
    }
}

#[test]
fn a_coordinate_that_is_not_finite_is_reported_once_with_file_frame_vertex_and_value() {
    for (frame, value) in [(0, f32::NAN), (17, f32::INFINITY), (FRAMES - 1, f32::NEG_INFINITY)] {
        let mut caches = caches();
        let vertex = HEADER + frame * FRAME + 2 * 12;
        caches[1][vertex + 4..vertex + 8].copy_from_slice(&value.to_le_bytes());
        let (bodies, counts) = bodies(caches, true);
        let error = match check_with(bodies, r#"{"self": true}"#).map(|outcome| outcome.ended) {
            Ok(Ended::Failed(error)) | Err(error) => error,
            Ok(ended) => panic!("{ended:?}"),
        };
        let expected = format!(
            "motion.pc2: frame {frame}: vertex 2 has y = {value}, which is not a finite single-precision number"
        );
        assert_eq!(error::what_happened(&error), expected);
        assert!(counts[1].lock().unwrap().iter().all(|&times| times <= 1));
    }
}
