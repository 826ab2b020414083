//! Lists that both sides read and write: what JavaScript hands in, and answers.
//!
//! JavaScript asks for the address of a list and uses it before its next call; a list may move whenever it grows.

/// The lists of one module instance.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    /// Vertices and triangles of a body to be added: the bits of the coordinates, then the corners.
    pub(crate) mesh: Vec<u32>,
    /// A name that comes in, or a message that goes out.
    pub(crate) text: Vec<u8>,
    /// Whole numbers of an answer.
    pub(crate) numbers: Vec<u32>,
    /// Real numbers of an answer.
    pub(crate) reals: Vec<f64>,
}

/// A body that was handed in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given<'a> {
    pub(crate) positions: &'a [[f32; 3]],
    pub(crate) triangles: &'a [[u32; 3]],
}

/// Why a call was refused, in words for the caller.
#[derive(Debug)]
pub(crate) struct Refusal(pub(crate) String);

impl<E: std::error::Error> From<E> for Refusal {
    /// The error and its causes in one line.
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            message.push_str(": ");
            message.push_str(&error.to_string());
            cause = error.source();
        }
        Self(message)
    }
}

impl Buffers {
    /// Makes room for a text of this many bytes.
    pub(crate) fn text_of(&mut self, bytes: usize) -> Result<&mut [u8], Refusal> {
        resized(&mut self.text, bytes)
    }

    /// Makes room for a body.
    pub(crate) fn mesh_of(&mut self, vertices: usize, triangles: usize) -> Result<&mut [u32], Refusal> {
        let numbers = vertices.checked_add(triangles).and_then(|sum| sum.checked_mul(3));
        resized(&mut self.mesh, numbers.ok_or_else(too_large)?)
    }

    /// The text that came in.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.text).into_owned()
    }

    /// Keeps a message for the other side to read.
    pub(crate) fn refuse(&mut self, Refusal(message): Refusal) {
        self.text.clear();
        self.text.extend_from_slice(message.as_bytes());
    }

    /// The positions and triangles that came in.
    pub(crate) fn body(&self, vertices: usize) -> Result<Given<'_>, Refusal> {
        let threes: &[[u32; 3]] = bytemuck::try_cast_slice(&self.mesh).map_err(|_| too_large())?;
        let (positions, triangles) = threes.split_at_checked(vertices).ok_or_else(too_large)?;
        Ok(Given { positions: bytemuck::cast_slice(positions), triangles })
    }

    /// Gives back the memory of a large body once it was added.
    pub(crate) fn free_mesh(&mut self) {
        self.mesh = Vec::new();
    }
}

fn resized<T: Clone + Default>(list: &mut Vec<T>, len: usize) -> Result<&mut [T], Refusal> {
    list.clear();
    list.try_reserve_exact(len).map_err(|_| too_large())?;
    list.resize(len, T::default());
    Ok(list)
}

fn too_large() -> Refusal {
    Refusal("there is not enough memory for this body: WebAssembly can address 4 GB".to_owned())
}
