// What both ways of loading have in common.

export { hasSimd, type WasmSource } from './module.js';
export { Scene, type BodyInput, type MeshInput, type Method } from './scene.js';
export type { BodyId, Closest, Contact, Depths, Frame, Impact, NearFeatures, NearGroup, Point } from './frame.js';
export { WorkerScene, type WorkerFrame } from './worker-scene.js';
