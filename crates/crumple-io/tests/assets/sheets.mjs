// Writes a bumpy sheet that bends at a joint as glTF: plain, compressed by Draco, and compressed by meshoptimizer.
//
//     npm install draco3d meshoptimizer && node sheets.mjs
import fs from 'fs';
import draco3d from 'draco3d';
import { MeshoptEncoder } from 'meshoptimizer';
await MeshoptEncoder.ready;
const n = 12;
const positions = [], joints = [], weights = [];
for (let y = 0; y <= n; y++) for (let x = 0; x <= n; x++) {
  positions.push(Math.fround(x / n), Math.fround(y / n), Math.fround(0.2 * Math.sin(x) * Math.cos(1.3 * y)));
  joints.push(0, 1, 0, 0); weights.push(Math.fround(1 - y / n), Math.fround(y / n), 0, 0);
}
const indices = [];
for (let y = 0; y < n; y++) for (let x = 0; x < n; x++) {
  const a = y * (n + 1) + x, b = a + 1, c = a + n + 1, d = c + 1;
  indices.push(a, b, d, a, d, c);
}
const P = new Float32Array(positions), J = new Uint16Array(joints), W = new Float32Array(weights), I = new Uint32Array(indices);
const count = P.length / 3;
const times = new Float32Array([0, 1]);
const s = Math.SQRT1_2;
const turns = new Float32Array([0, 0, 0, 1, 0, -s, 0, s]);
const pad = b => Buffer.concat([b, Buffer.alloc((4 - b.length % 4) % 4)]);
const bytes = a => Buffer.from(a.buffer, a.byteOffset, a.byteLength);
function glb(doc, bin) {
  const text = JSON.stringify(doc), j = Buffer.from(text.padEnd(Math.ceil(text.length / 4) * 4));
  const b = pad(bin), head = Buffer.alloc(12), h1 = Buffer.alloc(8), h2 = Buffer.alloc(8);
  head.write('glTF'); head.writeUInt32LE(2, 4); head.writeUInt32LE(12 + 8 + j.length + 8 + b.length, 8);
  h1.writeUInt32LE(j.length, 0); h1.write('JSON', 4); h2.writeUInt32LE(b.length, 0); h2.write('BIN\0', 4);
  return Buffer.concat([head, h1, j, h2, b]);
}
const scene = { asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0, 1] }],
  nodes: [{ name: 'sheet', mesh: 0, skin: 0 }, { children: [2] }, { translation: [0, 0.5, 0] }],
  skins: [{ joints: [1, 2] }],
  animations: [{ samplers: [{ input: 4, output: 5 }], channels: [{ sampler: 0, target: { node: 2, path: 'rotation' } }] }] };
const acc = (view, componentType, count, type, more = {}) => ({ ...(view === null ? {} : { bufferView: view }), componentType, count, type, ...more });
const primitive = { attributes: { POSITION: 0, JOINTS_0: 1, WEIGHTS_0: 2 }, indices: 3 };
function layout(parts) { // [buffer] -> views, bin
  const views = []; let bin = Buffer.alloc(0);
  for (const p of parts) { views.push({ buffer: 0, byteOffset: bin.length, byteLength: p.length }); bin = Buffer.concat([bin, pad(p)]); }
  return { views, bin };
}
// plain
{ const { views, bin } = layout([bytes(P), bytes(J), bytes(W), bytes(I), bytes(times), bytes(turns)]);
  const doc = { ...scene, meshes: [{ primitives: [primitive] }], accessors: [acc(0, 5126, count, 'VEC3'), acc(1, 5123, count, 'VEC4'), acc(2, 5126, count, 'VEC4'), acc(3, 5125, I.length, 'SCALAR'), acc(4, 5126, 2, 'SCALAR'), acc(5, 5126, 2, 'VEC4')], bufferViews: views, buffers: [{ byteLength: bin.length }] };
  fs.writeFileSync('sheet.glb', glb(doc, bin)); }
// draco
const E = await draco3d.createEncoderModule({});
function draco(method, speed) {
  const enc = new E.Encoder(), mb = new E.MeshBuilder(), mesh = new E.Mesh();
  mb.AddFacesToMesh(mesh, I.length / 3, I);
  const p = mb.AddFloatAttributeToMesh(mesh, E.POSITION, count, 3, P);
  const j = mb.AddUInt16Attribute(mesh, E.GENERIC, count, 4, J);
  const w = mb.AddFloatAttribute(mesh, E.GENERIC, count, 4, W);
  enc.SetEncodingMethod(method); enc.SetSpeedOptions(speed, speed); enc.SetAttributeQuantization(E.POSITION, 14); enc.SetAttributeQuantization(E.GENERIC, 12);
  const out = new E.DracoInt8Array(); const len = enc.EncodeMeshToDracoBuffer(mesh, out);
  const b = Buffer.alloc(len); for (let i = 0; i < len; i++) b[i] = out.GetValue(i);
  return { b, p, j, w, points: mesh.num_points() };
}
for (const [name, method, speed] of [['edgebreaker', E.MESH_EDGEBREAKER_ENCODING, 0], ['sequential', E.MESH_SEQUENTIAL_ENCODING, 10]]) {
  const d = draco(method, speed);
  const { views, bin } = layout([d.b, bytes(times), bytes(turns)]);
  const prim = { ...primitive, extensions: { KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: d.p, JOINTS_0: d.j, WEIGHTS_0: d.w } } } };
  const doc = { ...scene, extensionsUsed: ['KHR_draco_mesh_compression'], extensionsRequired: ['KHR_draco_mesh_compression'], meshes: [{ primitives: [prim] }], accessors: [acc(null, 5126, count, 'VEC3'), acc(null, 5123, count, 'VEC4'), acc(null, 5126, count, 'VEC4'), acc(null, 5125, I.length, 'SCALAR'), acc(1, 5126, 2, 'SCALAR'), acc(2, 5126, 2, 'VEC4')], bufferViews: views, buffers: [{ byteLength: bin.length }] };
  fs.writeFileSync(`sheet_draco_${name}.glb`, glb(doc, bin));
}
// meshopt: version 0 (EXT) with filters, version 1 (KHR), index sequences
function meshopt(name, ext, version, filtered, sequence) {
  const parts = [], exts = [];
  const add = (src, cnt, size, mode, filter) => { const b = Buffer.from(MeshoptEncoder.encodeGltfBuffer(src, cnt, size, mode, version)); parts.push(b); exts.push({ count: cnt, byteStride: size, mode, ...(filter ? { filter } : {}) }); };
  if (filtered) add(MeshoptEncoder.encodeFilterExp(P, count, 12, 15), count, 12, 'ATTRIBUTES', 'EXPONENTIAL'); else add(new Uint8Array(bytes(P)), count, 12, 'ATTRIBUTES');
  add(new Uint8Array(bytes(J)), count, 8, 'ATTRIBUTES');
  add(new Uint8Array(bytes(W)), count, 16, 'ATTRIBUTES');
  add(new Uint8Array(bytes(I)), I.length, 4, sequence ? 'INDICES' : 'TRIANGLES');
  add(new Uint8Array(bytes(times)), 2, 4, 'ATTRIBUTES');
  let rot;
  if (filtered) { add(MeshoptEncoder.encodeFilterQuat(turns, 2, 8, 16), 2, 8, 'ATTRIBUTES', 'QUATERNION'); rot = acc(5, 5122, 2, 'VEC4', { normalized: true }); }
  else { add(new Uint8Array(bytes(turns)), 2, 16, 'ATTRIBUTES'); rot = acc(5, 5126, 2, 'VEC4'); }
  const { views, bin } = layout(parts); let offset = 0;
  const full = views.map((v, k) => { const len = exts[k].count * exts[k].byteStride; const view = { buffer: 1, byteOffset: offset, byteLength: len, ...(exts[k].mode === 'ATTRIBUTES' && k < 3 ? { byteStride: exts[k].byteStride } : {}), extensions: { [ext]: { buffer: 0, byteOffset: v.byteOffset, byteLength: v.byteLength, ...exts[k] } } }; offset += len; offset = Math.ceil(offset / 4) * 4; return view; });
  const doc = { ...scene, extensionsUsed: [ext], extensionsRequired: [ext], meshes: [{ primitives: [primitive] }], accessors: [acc(0, 5126, count, 'VEC3'), acc(1, 5123, count, 'VEC4'), acc(2, 5126, count, 'VEC4'), acc(3, 5125, I.length, 'SCALAR'), acc(4, 5126, 2, 'SCALAR'), rot], bufferViews: full, buffers: [{ byteLength: bin.length }, { byteLength: offset, extensions: { [ext]: { fallback: true } } }] };
  fs.writeFileSync(`${name}.glb`, glb(doc, bin));
}
meshopt('sheet_meshopt', 'EXT_meshopt_compression', 0, false, false);
meshopt('sheet_meshopt_filtered', 'EXT_meshopt_compression', 0, true, true);
meshopt('sheet_meshopt_khr', 'KHR_meshopt_compression', 1, true, false);
