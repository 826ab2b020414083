//! Reads meshes and animations and writes reports: all file I/O, so that the library `crumple` does none.
//!
//! Meshes are plain arrays in the order of the file, so vertex and triangle numbers in a report are those of the file.
//!
//! ```
//! use crumple_io::{Encoding, MeshFile, read, write};
//!
//! let folder = std::env::temp_dir().join("crumple-io-tour");
//! std::fs::create_dir_all(&folder)?;
//! let triangle = MeshFile {
//!     positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
//!     triangles: vec![[0, 1, 2]],
//!     ..MeshFile::default()
//! };
//! write::write_ply(folder.join("triangle.ply"), &triangle, Encoding::LittleEndian)?;
//! assert_eq!(read::read_ply(folder.join("triangle.ply"))?.positions, triangle.positions);
//!
//! // `read` accepts a mesh, an animation, numbered meshes or a mesh with a point cache, and returns bodies with frames.
//! for mut body in read(folder.join("triangle.ply"))? {
//!     let mut positions = vec![[0.0; 3]; body.vertex_count()];
//!     for frame in 0..body.frame_count() {
//!         body.frame(frame, &mut positions)?;
//!         println!("{}: {} triangles, {positions:?}", body.name(), body.triangles().len());
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod body;
mod carriers;
mod error;
mod foreign;
mod frames;
mod inputs;
mod labels;
mod mesh_file;
mod polygon;
mod sequence;
mod split;
mod text;
mod uri;

pub mod read;
pub mod report;
pub mod words;
pub mod write;

pub use body::{AnimatedBody, FrameSource, ReadOptions, Room, read, read_points, read_source};
pub use carriers::Carriers;
pub use error::{Hinted, Place, ReadError, WriteError};
pub use frames::{FrameRange, FrameRun};
pub use mesh_file::{Encoding, MeshFile};
pub use read::{CacheFormat, MeshFormat, ObjBodies, PointCache, read_mesh};
pub use sequence::Source;
pub use split::{Mask, Split};
pub use write::{CsvColumns, PairsCsv, PointCacheWriter};
