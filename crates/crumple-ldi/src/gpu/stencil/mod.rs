//! The paper's path: the body is drawn n_max times, and the stencil picks another layer each time.
//!
//! Paper: Heidelberger, Teschner & Gross 2003, sections 3.2 and 4 (the OpenGL listing and the read-back section).
//!
//! The stencil of a pixel counts its fragments. A test `Greater` with reference n lets a fragment pass if **n is greater
//! than what the stencil holds**, the reference on the left (read the other way round, nothing would ever be drawn). With
//! no depth test, whatever passes overwrites what was there before:
//!
//! ```text
//!             fails the test   passes          the target then holds   the stencil then holds
//! pass 1      count it         count it        fragment 1              how many fragments there are
//! pass n      leave it         count it        fragment n              n, or fewer where there are fewer
//! ```
//!
//! In pass n the counts 0 … n−1 are smaller than n, so fragments 1 … n pass, each counting itself, and the n-th is the last
//! to be written. Fragments arrive in no order of depth, only in the *same* order every time: the triangles are drawn by
//! the same shaders from the same buffers, positions are declared invariant, and samples are decided in whole numbers. Columns are sorted afterwards.
//!
//! Pass 1 must be waited for, since the number of passes follows from it; that is the first read-back. The other passes do
//! not depend on each other: each draws into its own region of one large target (`layers`), all in one render pass, and
//! the second read-back is the answer. More layers than the target has regions take several rounds; each is taken apart
//! into columns before the next, so there is still no further read-back.
//!
//! Departs: the paper reads depths from the depth buffer. Here a crossing is a colour, its depth on the window's grid and
//! its side in one word of 32 bits: OpenGL can neither copy nor load depth textures, 24-bit depth can be copied nowhere,
//! and a depth buffer does not say which face it came from. The stencil, which not every backend can copy either, becomes
//! a colour by drawing its eight bits (`bits.wgsl`). Neither copy of a texture nor a padded row is left, and all backends
//! run the same commands.
//!
//! And the card's own rasteriser only proposes samples. Cards put vertices on a grid of 1/256 of a pixel; that moves the
//! outlines, and of the built-in bodies at 128 by 128 one pixel in 10,000 came out with other counts than on the CPU, in
//! some images four. So a triangle is drawn as a larger one over all samples it can cover, and the fragment shader
//! discards those it does not, by the test of whole numbers that the compute path makes (`layers.wgsl`). A discarded
//! fragment is not counted by the stencil. Both paths then see the same crossings, and every column of a closed body is
//! even here too.
//!
//! The stencil has 8 bits and stops at 255: a body with more than 254 layers is refused.
//!
//! Cost: n_max times the triangles and about four times the samples they cover.

mod layers;
mod pipelines;

pub(crate) use self::layers::Layers;
pub(crate) use self::pipelines::Pipelines;
