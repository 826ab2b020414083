// The package: `await init()`, then `new Scene()`.

import { hasSimd, load, type WasmSource } from './module.js';

export * from './api.js';

/** How the module is loaded; everything may be omitted. */
export interface InitOptions {
  /** Where the WebAssembly comes from, in place of the file beside this one. */
  source?: WasmSource | undefined;
  /** Whether to load the build with SIMD. If omitted, where there is SIMD. */
  simd?: boolean | undefined;
  /** Loads a third of the bytes: contacts by the default method, and no other question. */
  only?: 'contacts' | undefined;
}

/** Loads the WebAssembly module, once: further calls wait for the first. */
export function init({ source, simd = hasSimd(), only }: InitOptions = {}): Promise<void> {
  return load(() => {
    if (source) return source;
    // Written out, so that bundlers see the files.
    if (only === 'contacts') {
      return simd ? new URL('./crumple.contacts.wasm', import.meta.url) : new URL('./crumple.contacts.scalar.wasm', import.meta.url);
    }
    return simd ? new URL('./crumple.wasm', import.meta.url) : new URL('./crumple.scalar.wasm', import.meta.url);
  });
}
