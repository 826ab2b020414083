// The WebAssembly module: which build fits this machine, how it is loaded, and how it is called.
//
// A call passes numbers. A number below 0 says that it was refused, and why is then in the text buffer of the module.

/** What the module exports; see crates/crumple-web/src/abi.rs. @internal */
export interface Exports {
  memory: WebAssembly.Memory;
  text_of(bytes: number): number;
  text_address(): number;
  text_length(): number;
  mesh_of(vertices: number, triangles: number): number;
  numbers_address(): number;
  reals_address(): number;
  scene_new(): number;
  scene_free(scene: number): void;
  body_add(scene: number, vertices: number, selfCollision: number, weld: number, thickness: number): number;
  body_set_mesh(scene: number, body: number, vertices: number, weld: number): number;
  body_remove(scene: number, body: number): number;
  body_positions(scene: number, body: number): number;
  body_take_in(scene: number, body: number, correct: number): number;
  body_ignore(scene: number, a: number, b: number, on: number): number;
  body_self_collision(scene: number, body: number, on: number): number;
  scene_update(scene: number): number;
  frame_contacts(scene: number): number;
  frame_near?(scene: number, d: number): number;
  frame_distance?(scene: number, a: number, b: number): number;
  frame_first_impact?(scene: number): number;
  frame_safe_step?(scene: number): number;
  frame_depths?(scene: number, a: number, b: number): number;
}

/** Where the module comes from: bytes, a compiled module, an address, or a response. */
export type WasmSource = BufferSource | WebAssembly.Module | URL | string | Response;

// (module (func (result v128) i32.const 0 i8x16.splat)): valid where there is SIMD, and nowhere else.
const SIMD = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11];

/** Whether this machine runs WebAssembly SIMD. */
export function hasSimd(): boolean {
  return typeof WebAssembly === 'object' && WebAssembly.validate(new Uint8Array(SIMD));
}

let loading: Promise<void> | undefined;
let exports: Exports | undefined;

/** Loads the module once; `source` says from where. A load that failed can be tried again. @internal */
export function load(source: () => WasmSource | Promise<WasmSource>): Promise<void> {
  loading ??= (async () => {
    if (typeof WebAssembly !== 'object') {
      throw new Error('crumple needs WebAssembly, which this browser does not have or has switched off');
    }
    exports = (await instantiate(await source())).exports as unknown as Exports;
  })().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function instantiate(source: WasmSource): Promise<WebAssembly.Instance> {
  if (source instanceof WebAssembly.Module) return WebAssembly.instantiate(source, {});
  if (typeof source === 'string' || source instanceof URL) {
    // Not relative to this file: bundlers would take that for a file of theirs.
    const url = source instanceof URL ? source : new URL(source, globalThis.location?.href);
    // Node's fetch does not read files. Not imported, so that bundlers for browsers do not look for it.
    const node = (globalThis as { process?: { getBuiltinModule?(name: string): { readFileSync(url: URL): BufferSource } } }).process;
    const files = url.protocol === 'file:' ? node?.getBuiltinModule?.('node:fs') : undefined;
    source = files ? files.readFileSync(url) : await fetch(url);
  }
  if (typeof Response === 'function' && source instanceof Response) {
    if (!source.ok) throw new Error(`crumple: ${source.url} cannot be loaded: ${source.status} ${source.statusText}`);
    source = await source.arrayBuffer();
  }
  return (await WebAssembly.instantiate(source as BufferSource, {})).instance;
}

/** The functions of the module. @internal */
export function wasm(): Exports {
  if (!exports) throw new Error('crumple is not loaded yet: await init() first');
  return exports;
}

/** A question that only the build with all questions answers. @internal */
export function question<Name extends 'frame_near' | 'frame_distance' | 'frame_first_impact' | 'frame_safe_step' | 'frame_depths'>(name: Name): NonNullable<Exports[Name]> {
  const ask = wasm()[name];
  if (!ask) throw new Error('crumple was loaded with contacts only: await init() without `only`');
  return ask as NonNullable<Exports[Name]>;
}

/** The answer of a call, unless it was refused. @internal */
export function checked(answer: number): number {
  if (answer === -1) throw new Error(readText());
  // Addresses beyond 2 GB come as negative numbers.
  return answer >>> 0;
}

function readText(): string {
  const { memory, text_address, text_length } = wasm();
  return new TextDecoder().decode(new Uint8Array(memory.buffer, text_address(), text_length()));
}

/** Hands a text to the next call. @internal */
export function writeText(text: string): void {
  const bytes = new TextEncoder().encode(text);
  const address = checked(wasm().text_of(bytes.length));
  new Uint8Array(wasm().memory.buffer, address, bytes.length).set(bytes);
}

/** Whole numbers of the last answer, until the next call. @internal */
export function numbers(count: number, from = 0): Uint32Array<ArrayBuffer> {
  return new Uint32Array(wasm().memory.buffer as ArrayBuffer, wasm().numbers_address() + 4 * from, count);
}

/** Real numbers of the last answer, until the next call. @internal */
export function reals(count: number, from = 0): Float64Array<ArrayBuffer> {
  return new Float64Array(wasm().memory.buffer as ArrayBuffer, wasm().reals_address() + 8 * from, count);
}
