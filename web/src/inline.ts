// The package with the WebAssembly inside: for a page that is one file, and for places that cannot load files.
//
// Carries the build with SIMD only, compressed. Every browser that can decompress it here has SIMD, too.

import { BYTES } from './bytes.js';
import { hasSimd, load } from './module.js';

export * from './api.js';

/** Loads the WebAssembly module, once: further calls wait for the first. */
export function init(): Promise<void> {
  return load(async () => {
    if (!hasSimd()) throw new Error('crumple/inline needs WebAssembly SIMD, which this browser lacks: import crumple instead');
    const bytes = Uint8Array.from(atob(BYTES), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Response(stream).arrayBuffer();
  });
}
