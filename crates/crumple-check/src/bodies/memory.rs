//! `--max-memory`: what a run will hold is estimated before it is asked for, and refused with the number.

use anyhow::Result;
use crumple::Precision;
use crumple_io::words::{bytes, counted};

use super::files::FileBody;
use crate::error::hinted;

/// Bytes per vertex: its position now and before, as given and in lanes, and the frame being read.
const PER_VERTEX: u64 = 64;
/// More bytes per vertex of f64 positions: three buffers of the body and the one being read.
const PER_F64_VERTEX: u64 = 4 * 24;
/// Bytes per triangle: 200 for the tree, which is its limit, and its corners in the mesh, welded and as read.
const PER_TRIANGLE: u64 = 200 + 3 * 12;
/// Bytes per pair of triangles: 8 in each of the list that a thread finds, with room to grow; the list of all threads, with
/// room to grow; the sorted list; working memory of sorting; the list of the frame before.
pub const PER_PAIR: u64 = 8 * (2 + 2 + 1 + 1 + 1);
/// Where the system does not say how much memory there is.
const UNKNOWN: u64 = 8 << 30;

/// How much memory a run may use, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    most: u64,
    /// Taken so far, by estimate.
    taken: u64,
}

impl Memory {
    /// As much as the user allows or, if omitted, as is available on this machine.
    pub fn new(given: Option<u64>) -> Self {
        Self { most: most(given), taken: 0 }
    }

    /// Takes what bodies and their trees need, and what is kept of each frame.
    ///
    /// # Errors
    /// If that is more than is left.
    pub fn take<'a>(
        &mut self,
        bodies: impl IntoIterator<Item = &'a FileBody>,
        (frames, per_frame): (usize, u64),
    ) -> Result<()> {
        let (mut count, mut vertices, mut wide, mut triangles) = (0, 0, 0, 0);
        for body in bodies {
            count += 1;
            vertices += body.vertex_count() as u64;
            if body.precision() == Precision::F64 {
                wide += body.vertex_count() as u64;
            }
            triangles += body.triangles().len() as u64;
        }
        let of_vertices = vertices.saturating_mul(PER_VERTEX).saturating_add(wide * PER_F64_VERTEX);
        let of_bodies = of_vertices.saturating_add(triangles.saturating_mul(PER_TRIANGLE));
        let of_frames = (frames as u64).saturating_mul(per_frame);
        self.taken = self.taken.saturating_add(of_bodies).saturating_add(of_frames);
        if self.taken <= self.most {
            return Ok(());
        }
        let (needed, most) = (bytes(self.taken), bytes(self.most));
        let triangles = counted(triangles, "triangle");
        let what = format!(
            "{} of {triangles} in {} need about {needed}, more than the {most} of --max-memory",
            counted(count, "body"),
            counted(frames as u64, "frame")
        );
        let hint = match of_frames > of_bodies {
            true => "process fewer frames at a time (--frames), or allow more",
            false => "check fewer bodies at a time, or allow more",
        };
        Err(hinted(what, hint))
    }

    /// How many pairs of triangles fit into what is left.
    pub fn pairs(self) -> usize {
        usize::try_from((self.most - self.taken) / PER_PAIR).unwrap_or(usize::MAX)
    }

    /// All of it.
    pub fn most(self) -> u64 {
        self.most
    }
}

/// As much as the user allows or, if omitted, as is available on this machine.
pub(crate) fn most(given: Option<u64>) -> u64 {
    given.unwrap_or_else(available)
}

/// What this machine can give to a process now: the least of what the system and the process's control group allow.
fn available() -> u64 {
    let read = |file: &str| std::fs::read_to_string(file).ok();
    let machine = read("/proc/meminfo").and_then(|text| available_of(&text));
    let number = |file: &str| read(file)?.trim().parse::<u64>().ok();
    let group = number("/sys/fs/cgroup/memory.max")
        .map(|most| most.saturating_sub(number("/sys/fs/cgroup/memory.current").unwrap_or(0)));
    machine.into_iter().chain(group).min().unwrap_or(UNKNOWN)
}

/// `MemAvailable` of `/proc/meminfo`, in bytes.
fn available_of(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// Reads `8G`, `512M`, `64k` or a number of bytes; a factor is 1024.
pub fn parse(text: &str) -> Result<u64, String> {
    let wrong = || "write a size, as in 8G, 512M or 1000000".to_owned();
    let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let shift = match text[digits.len()..].to_ascii_lowercase().trim_end_matches(['b', 'i']) {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return Err(wrong()),
    };
    digits.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift)).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_in_powers_of_1024() {
        assert_eq!(
            ["0", "17", "64k", "512M", "8G", "8GiB", "1tb"].map(|text| parse(text).unwrap()),
            [0, 17, 64 << 10, 512 << 20, 8 << 30, 8 << 30, 1 << 40]
        );
        for text in ["", "G", "-1", "1.5G", "8X", "99999999999G"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_available_is_read_from_the_system() {
        assert_eq!(available_of("MemTotal: 9 kB\nMemAvailable:    2048 kB\n"), Some(2 << 20));
        assert_eq!(available_of("MemTotal: 9 kB\n"), None);
        assert!(available() > 0);
    }
}
