// Blocks of bytes: how they come out of the page, and the small numbers they are made of (see write/page/bytes.rs).

/** Unpacks the block in the element `id`. */
export async function readBlock(id: string): Promise<Bytes> {
  const text = document.getElementById(id)?.textContent;
  if (text == null) throw new Error(`the page has no block ${id}: it may have been cut off`);
  const packed = new Blob([fromBase64(text)]).stream();
  const block = await new Response(packed.pipeThrough(new DecompressionStream('deflate'))).arrayBuffer();
  return new Bytes(block);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** A block, read from front to back. */
export class Bytes {
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private at = 0;

  constructor(block: ArrayBuffer) {
    this.bytes = new Uint8Array(block);
    this.view = new DataView(block);
  }

  byte(): number {
    return this.view.getUint8(this.at++);
  }

  /** A number written seven bits a byte. Products, not shifts: it may have more than 32 bits. */
  count(): number {
    let value = 0;
    let unit = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) return value;
      unit *= 0x80;
    }
  }

  /** The number a folded step away from `before`. */
  step(before: number): number {
    const folded = this.count();
    return before + (folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2);
  }

  floats(count: number): number[] {
    const values = Array.from({ length: count }, (_, i) => this.view.getFloat32(this.at + 4 * i, true));
    this.at += 4 * count;
    return values;
  }

  /** The next `count` bytes, not copied. */
  take(count: number): Uint8Array {
    if (this.at + count > this.bytes.length) throw new Error('a block of the page ends too early');
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }
}
