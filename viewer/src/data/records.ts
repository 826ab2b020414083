// Made from the records of crumple-io; see crates/crumple-io/src/write/page/tests/typescript.rs.

/** An animation, and the place of its first frame in the page. */
export interface Animation {
  name: string;
  start: number;
}

/** One body of the scene. */
export interface BodyRecord {
  /** Whether its surface is closed. */
  closed: boolean;
  /** The file's face each triangle was cut from, where the file had polygons. */
  face_of_triangle?: number[];
  /** What the other records call it. */
  id: number;
  /** What its file calls it. */
  name: string;
  /** `f64` if its positions are such numbers; they are f32 numbers otherwise. */
  precision?: string;
  /** How many triangles it has. */
  triangles: number;
  /** How many vertices it has. */
  vertices: number;
}

/** How two bodies lie to each other. */
export type BodyStatus = 'apart' | 'near' | 'touching' | 'crossing' | 'inside';

/** What all frames of a `check` come to. */
export interface CheckSummary {
  /** False if the run ended before its last frame, interrupted or by an error; missing otherwise. */
  complete?: boolean;
  /** What counts, the most severe first; an empty list if nothing does. */
  findings?: Finding[];
  /** The first of those. */
  first?: number;
  /** How many frames were looked at. */
  frames: number;
  /** In how many of them something meets. */
  frames_in_contact: number;
  /** In how many frames something is closer than the clearance, where that was asked. */
  frames_too_close?: number;
  /** In how many frames a body lies inside another without meeting it, where that was asked. */
  frames_with_containment?: number;
  /** The impacts of all steps between frames together, where they were looked for. */
  impacts?: number;
  /** How many regions of contacts were left out because the skeleton joins what carries them, in all frames together. */
  joined_regions?: number;
  /** How many findings a baseline accepts, which are not listed. */
  known?: number;
  /** The last of those. */
  last?: number;
  /** Frames that are missing from a report that was put together from several, as first and last. */
  missing?: [number, number][];
  /** The pairs of all frames together. */
  pairs: number;
  /** The last frame that was looked at, if the run ended before its last one. */
  reached?: number;
  /** How bodies lie to each other, in the frame in which it is worst; where volumes were asked, unless very many are tested. */
  statuses?: StatusRecord[];
  /** What was tested. */
  tested?: Tested;
  /** The one with the most pairs. */
  worst?: WorstFrame;
}

/** One number per frame each. */
export interface Columns {
  /** The deepest contact; missing where no depth is known. */
  depth: (number | null)[];
  /** The frame as records count it. */
  frame: number[];
  /** Impacts of the step that led to the frame; missing where they were not looked for. */
  impacts: (number | null)[];
  /** The number that the files give it, within its animation where there are several. */
  number: number[];
  pairs: number[];
  query_us: number[];
  update_us: number[];
  /** All overlaps together; missing where none was computed. */
  volume: (number | null)[];
}

/** Something found in consecutive frames: two bodies, from when to when, and where it is worst. */
export interface Finding {
  /** One body; of `FindingKind::Inside` the one inside. */
  a: number;
  /** The animation, where several are played one after another. */
  animation?: string;
  /** The area of the surface that is inside there in the worst frame, where that is known. */
  area?: number;
  /** The other body, or the same one. */
  b: number;
  /** How deep the bodies are in each other, there, in the worst frame, where that is known. */
  depth?: number;
  /** How close the bodies come, of `FindingKind::Near`. */
  distance?: number;
  /** The first frame. */
  first: number;
  /** How many frames these are. */
  frames: number;
  /** What it is. */
  kind: FindingKind;
  /** The last frame. */
  last: number;
  /** The most pairs, or impacts, of any of its frames. */
  most_pairs: number;
  /** What the files call these frames and the worst one; missing where that is how they are counted. */
  numbers?: FindingNumbers;
  /** The pairs of triangles, or the impacts, of all its frames together. */
  pairs: number;
  /** The region of the contact, of `FindingKind::Contact`; missing where regions are not known. */
  region?: FindingRegion;
  /** How it compares with the baseline, where there is one. */
  status?: Status;
  /** The volume that both bodies share in the worst frame, where that is known. */
  volume?: number;
  /** The frame in which it is worst, with its pairs of triangles or its impacts: the deepest frame where depths are known, the one with the largest volume where volumes are, the nearest of `FindingKind::Near`, else the one with the most pairs. */
  worst: WorstFrame;
}

/** What kind of thing was found. The order is that of severity, where nothing else decides. */
export type FindingKind = 'inside' | 'contact' | 'impact' | 'near';

/** The numbers that files give the frames of a finding, within its animation where several are played. */
export interface FindingNumbers {
  /** That of the first frame. */
  first: number;
  /** That of the last frame. */
  last: number;
  /** That of the worst frame. */
  worst: number;
}

/** The region of a contact that a finding is about, as it is in the worst frame. */
export interface FindingRegion {
  /** How many bones these are apart in the skeleton, where they are bones of one. */
  apart?: number;
  /** The area of its triangles. */
  area: number;
  /** What carries the triangles of each side, bones or materials, where the file has some. */
  carriers?: [string, string];
  /** Where it is. */
  centroid: [number, number, number];
  /** The region that it is a part of in the frame after its last. */
  merged_into?: number;
  /** Its number among the regions of the two bodies, from 1. It stays from frame to frame, and is the same when the region comes back. */
  number: number;
  /** How far each side reaches from there. */
  reach: [number, number];
  /** The centre of each side. */
  rest: [[number, number, number], [number, number, number]];
  /** The region that it was a part of in the frame before its first. */
  split_from?: number;
  /** Triangles of each side, sorted: all, or of many a sample that is chosen alike in every frame. */
  triangles: [number[], number[]];
}

/** What the viewer reads first. `viewer/src/data/records.ts` is made of this type and those it holds. */
export interface Head {
  /** The animations that are played one after another, if there are several. */
  animations?: Animation[];
  /** The box of all vertices in all frames; missing without vertices, or if one is infinite. */
  bounds?: [[number, number, number], [number, number, number]];
  /** How many frames each chunk holds. */
  chunks: number[];
  /** Up to which distance vertices are coloured; missing if they are not. */
  clearance?: number;
  /** The largest depth that is shaded; missing if none is. */
  deepest?: number;
  /** Whether overlaps are exact: then there are regions and curves instead of spans. */
  exact: boolean;
  /** Changes when a viewer for the old number would misread the page. */
  format: number;
  /** The frames per second the animation is meant to run at. */
  fps: number;
  frames: Columns;
  header: Header;
  /** Every two bodies in the frames in which they meet; empty if there are very many. */
  meetings: PairColumn[];
  /** As given in the end. */
  summary: CheckSummary;
  title: string;
}

/** The first record: what was looked at, and how. */
export interface Header {
  /** The animation that was played, where a file has several. */
  animation?: string;
  /** The bodies; their ids are their indices in this list. */
  bodies: BodyRecord[];
  /** How many frames were asked for. */
  frames: number;
  /** The method, by its name on the command line. */
  method: string;
  /** The first of them and how many the files have, where not all were asked for. */
  part?: PartRecord;
  /** `SCHEMA`. */
  schema: string;
  /** The unit of all numbers that are lengths, areas or volumes, where the formats of all files have one: `m` of glTF. */
  unit?: string;
}

/** Two bodies in the frames in which they meet. */
export interface PairColumn {
  a: number;
  /** Places of frames, counted from 0 in the page. */
  at: number[];
  b: number;
  /** Depths; empty where none is known. */
  depth?: (number | null)[];
  /** Pairs of triangles. */
  pairs: number[];
}

/** Which part of the frames of its files a report is about. */
export interface PartRecord {
  /** The first frame. */
  first: number;
  /** How many frames the files have. */
  of: number;
}

/** How a finding compares with a baseline. */
export type Status = 'new' | 'worse';

/** How two bodies that were tested lie to each other. */
export interface StatusRecord {
  /** One body. */
  a: number;
  /** The other body. */
  b: number;
  /** The worst of all frames. */
  status: BodyStatus;
}

/** How much was tested; where both are 0, nothing was. */
export interface Tested {
  /** Pairs of bodies, without those that were ignored. */
  body_pairs: number;
  /** Bodies tested against themselves. */
  self: number;
}

/** The frame with the most of what is counted. */
export interface WorstFrame {
  /** Its pairs, or its points inside. */
  count: number;
  /** The frame. */
  frame: number;
}
