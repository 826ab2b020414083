//! Writes a picture as PNG: a header, the rows behind a filter, compressed, and a checksum for each part.
//!
//! By hand, because the crate `png` would add seven crates to every build of the command, for one picture. The
//! compression is that of the page.

use miniz_oxide::deflate::compress_to_vec_zlib;

/// The bytes of a PNG file; `pixels` are rows from the top, red, green and blue.
pub(super) fn encoded(width: u32, pixels: &[[u8; 3]]) -> Vec<u8> {
    let height = (pixels.len() / width as usize) as u32;
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    // Eight bits per channel, colours without transparency, no interlacing.
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    chunk(&mut file, b"IHDR", &header);
    chunk(&mut file, b"IDAT", &compress_to_vec_zlib(&filtered(width as usize, pixels), 9));
    chunk(&mut file, b"IEND", &[]);
    file
}

/// Every row as its difference from the row above: smooth pictures become mostly zeros.
fn filtered(width: usize, pixels: &[[u8; 3]]) -> Vec<u8> {
    const UP: u8 = 2;
    let mut above = vec![[0; 3]; width];
    let mut bytes = Vec::with_capacity(pixels.len() * 3 + pixels.len() / width);
    for row in pixels.chunks_exact(width) {
        bytes.push(UP);
        let differences = row.as_flattened().iter().zip(above.as_flattened());
        bytes.extend(differences.map(|(here, above)| here.wrapping_sub(*above)));
        above.copy_from_slice(row);
    }
    bytes
}

fn chunk(file: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    file.extend((data.len() as u32).to_be_bytes());
    let start = file.len();
    file.extend(kind);
    file.extend(data);
    let sum = checksum(&file[start..]);
    file.extend(sum.to_be_bytes());
}

/// CRC-32, bit by bit: a picture is written once.
fn checksum(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for &byte in bytes {
        sum ^= u32::from(byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
        }
    }
    !sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_file_carry_their_lengths_and_checksums() {
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
        let pixels = [[1, 2, 3], [4, 5, 6], [1, 2, 3], [4, 5, 7]];
        let file = encoded(2, &pixels);
        assert_eq!(&file[12..24], b"IHDR\0\0\0\x02\0\0\0\x02");
        assert!(file.ends_with(b"\0\0\0\0IEND\xae\x42\x60\x82"));
        assert_eq!(filtered(2, &pixels), [2, 1, 2, 3, 4, 5, 6, 2, 0, 0, 0, 0, 0, 1]);
    }
}
