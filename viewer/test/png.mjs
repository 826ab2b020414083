// The pixels of a screenshot: as much of PNG as chromium writes (8 bits, RGB or RGBA, not interlaced).

import { inflateSync } from 'node:zlib';

/** Four bytes per pixel, row by row. */
export function readPng(png) {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = { 2: 3, 6: 4 }[png[25]];
  if (png[24] !== 8 || !channels || png[28] !== 0) throw new Error('not the kind of PNG that is read here');
  const parts = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const packed = inflateSync(Buffer.concat(parts));
  const size = width * channels;
  const rows = new Uint8Array(size * height);
  const pixels = new Uint8Array(4 * width * height).fill(255);
  for (let y = 0; y < height; y++) {
    const filter = packed[y * (size + 1)];
    for (let x = 0; x < size; x++) {
      const left = x < channels ? 0 : rows[y * size + x - channels];
      const above = y === 0 ? 0 : rows[(y - 1) * size + x];
      const corner = x < channels || y === 0 ? 0 : rows[(y - 1) * size + x - channels];
      const guess = [0, left, above, (left + above) >> 1, filter === 4 ? nearest(left, above, corner) : 0][filter];
      const value = packed[y * (size + 1) + 1 + x] + guess;
      rows[y * size + x] = value;
      pixels[4 * (y * width + Math.floor(x / channels)) + (x % channels)] = value;
    }
  }
  return pixels;
}

/** Whichever of the three is nearest to left + above - corner. */
function nearest(left, above, corner) {
  const [a, b, c] = [Math.abs(above - corner), Math.abs(left - corner), Math.abs(left + above - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}
