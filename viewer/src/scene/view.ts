// Everything that is drawn of a frame: bodies, contacts, overlap, regions, impacts and the picked triangle.

import { Box3, Vector3 } from 'three';
import type { Curve, Depths, Impact, Near, Region } from '../data/found';
import type { Head } from '../data/head';
import { Placement } from '../data/placement';
import type { Frame, Store } from '../data/store';
import type { Selection } from '../selection';
import { BodyView, type Display } from './body';
import { bodyColour, themeColour } from './colours';
import { ContactView, touching } from './contacts';
import { DepthView } from './depths';
import { ImpactView } from './impacts';
import { Lines } from './lines';
import { type Hit, pick } from './pick';
import { RegionView } from './regions';
import { SpanView } from './spans';
import { Stage, type Up } from './stage';

/** Above this many triangles normals are left to the graphics card, which makes every triangle flat. */
const SMOOTH = 400_000;

export class SceneView {
  readonly stage: Stage;
  readonly bodies: BodyView[];
  readonly placement: Placement;
  /** The triangles of each body that meet another in this frame. */
  touching: Uint32Array[] = [];
  /** What met on the way to this frame. */
  private met: Impact[] = [];
  /** The regions and curves of exact overlaps in this frame. */
  exact: { regions: Region[]; curves: Curve[] } = { regions: [], curves: [] };
  /** What is closer than the clearance in this frame. */
  near: Near = { bodies: [], segments: [] };
  /** The vertices inside other bodies in this frame. */
  depths: Depths[] = [];
  private readonly contacts = new ContactView();
  private readonly swallowed: DepthView;
  private readonly spans = new SpanView();
  private readonly impacts = new ImpactView();
  private readonly regions = new RegionView();
  /** Below the line around the picked triangle, so that it stands out from whatever is behind. */
  private readonly halo = new Lines({ width: 7, where: 'everywhere' });
  private readonly selected = new Lines({ width: 3, where: 'everywhere' });
  private readonly partners = new Lines({ width: 2.5, where: 'everywhere' });
  /** Around the picked triangle, which may be smaller than anybody can see. */
  private readonly ring = document.createElement('div');
  /** From where one body is nearest to where the other is. */
  private readonly segments = new Lines({ width: 3, where: 'everywhere' });
  private picked: Selection | null = null;
  private through = true;
  private edges = false;

  constructor(host: HTMLElement, head: Head, store: Store) {
    this.placement = new Placement(head.bounds);
    const corners = (head.bounds ?? [[0, 0, 0]]).map((corner) => new Vector3(...this.placement.placed(corner)));
    this.stage = new Stage(host, new Box3().setFromPoints(corners));
    const total = head.header.bodies.reduce((sum, body) => sum + body.triangles, 0);
    this.bodies = head.header.bodies.map(
      (body, i) => new BodyView(store.meshes[i], body.vertices, bodyColour(i), total <= SMOOTH),
    );
    this.swallowed = new DepthView(head.deepest ?? 0);
    this.partners.mesh.renderOrder = 20;
    this.halo.mesh.renderOrder = 21;
    this.selected.mesh.renderOrder = 22;
    this.segments.mesh.renderOrder = 19;
    const lines = [this.segments.mesh, this.partners.mesh, this.halo.mesh, this.selected.mesh];
    // Where there are regions, they have the colours: red patches would hide them.
    const found = head.exact ? this.regions.group : this.contacts.group;
    const marks = [found, this.swallowed.group, this.spans.group, this.impacts.group, ...lines];
    this.stage.scene.add(...this.bodies.map((body) => body.mesh), ...marks);
    this.stage.onResize((width, height, pixelRatio) => {
      for (const part of [this.contacts, this.impacts, this.regions, this.segments, this.selected, this.halo, this.partners])
        part.setSize(width, height, pixelRatio);
    });
    host.append(this.regions.labels, this.ring);
    this.stage.onDraw(() => {
      this.placeRing();
      this.regions.placeLabels((point) => this.stage.clientAt(point), this.stage.canvas.getBoundingClientRect());
    });
    this.setTheme();
  }

  show(frame: Frame): void {
    this.bodies.forEach((body, i) => body.show(frame.motions[i], frame.inChunk, this.placement));
    this.touching = touching(frame.contacts, this.bodies);
    this.contacts.show(this.touching, this.bodies);
    this.spans.show(frame.overlaps, this.placement);
    this.exact = frame;
    this.showRegions();
    this.met = frame.impacts;
    this.impacts.show(this.met, this.bodies);
    this.showNear(frame.near);
    this.depths = frame.depths;
    this.swallowed.show(this.depths, this.touching, this.bodies);
    this.stage.draw();
  }

  setDisplay(body: number, display: Display): void {
    this.bodies[body].setDisplay(display);
    this.contacts.show(this.touching, this.bodies);
    this.swallowed.show(this.depths, this.touching, this.bodies);
    this.showRegions();
    this.showSegments();
    this.impacts.show(this.met, this.bodies);
    this.stage.draw();
  }

  setThrough(on: boolean): void {
    this.through = on;
    this.contacts.setThrough(on);
    this.swallowed.setThrough(on);
    this.stage.draw();
  }

  setEdges(on: boolean): void {
    this.edges = on;
    for (const body of this.bodies) body.setEdges(on, themeColour('edge'));
    this.stage.draw();
  }

  setSpans(on: boolean): void {
    this.spans.setVisible(on);
    this.regions.setVisible(on);
    this.stage.draw();
  }

  setDepths(on: boolean): void {
    this.swallowed.setVisible(on);
    this.stage.draw();
  }

  setUp(up: Up): void {
    this.stage.lookFrom(up);
  }

  setTheme(): void {
    this.contacts.setColours(themeColour('contact'), themeColour('stripe'), themeColour('outline'));
    this.spans.setColour(themeColour('overlap'));
    this.impacts.setColour(themeColour('impact'));
    this.regions.setColours(themeColour('curve'), themeColour('picked'), themeColour('sheet'));
    this.selected.setColour(themeColour('picked'));
    this.segments.setColour(themeColour('picked'));
    this.halo.setColour(themeColour('sheet'));
    this.partners.setColour(themeColour('partner'));
    if (this.edges) this.setEdges(true);
    this.stage.draw();
  }

  /** Draws lines around the picked triangle and those it meets. */
  select(selection: Selection | null, partners: Selection[]): void {
    this.picked = selection;
    for (const lines of [this.halo, this.selected]) lines.set(selection ? this.around(selection) : []);
    this.partners.set(partners.flatMap((partner) => this.around(partner)));
    this.stage.draw();
  }

  /** The triangle at a point of the window: what is seen there, or a contact that shines through. */
  pickAt(clientX: number, clientY: number): Hit | null {
    const ray = this.stage.rayAt(clientX, clientY);
    const surface = pick(ray, this.bodies);
    const contact = pick(ray, this.bodies, this.touching);
    if (!surface || !contact) return surface;
    // A contact lies in the surface it belongs to, so the two distances differ by rounding at most.
    const onTop = contact.distance <= surface.distance * (1 + 1e-6);
    return onTop || this.through ? contact : surface;
  }

  /** Looks at a triangle from the outside of its surface, a few of its sizes away. */
  lookAt(selection: Selection): void {
    const corners = this.cornersOf(selection);
    const centre = centreOf(corners);
    const size = Math.max(...corners.map((corner) => corner.distanceTo(centre)));
    const [a, b, c] = corners;
    const outwards = b.clone().sub(a).cross(c.clone().sub(a)).normalize();
    this.stage.lookAt(centre, Math.max(0.05, 6 * size), outwards);
  }

  /** Looks at all contacts of the frame, or at the whole scene where there are none. */
  lookAtContacts(): void {
    this.lookAtTriangles(this.allTouching());
  }

  /** Looks at triangles, or at the whole scene if there are none. */
  lookAtTriangles(triangles: Selection[]): void {
    const points = triangles.flatMap((triangle) => this.cornersOf(triangle));
    if (points.length === 0) {
      this.stage.lookAt(new Vector3(), 1);
      return;
    }
    const centre = centreOf(points);
    const radius = points.reduce((most, point) => Math.max(most, point.distanceTo(centre)), 0);
    this.stage.lookAt(centre, Math.max(0.08, 1.3 * radius));
  }

  /** The one of some triangles that comes after the selected one, or before it, by how far they are from a place in the file, or in their order. */
  nearestTo(place: [number, number, number] | null, of: Selection[], selection: Selection | null, by: number): Selection | null {
    const to = place && new Vector3(...this.placement.placed(place));
    const all = of.map((triangle) => ({ triangle, distance: to ? centreOf(this.cornersOf(triangle)).distanceTo(to) : 0 }));
    if (all.length === 0) return null;
    all.sort((one, other) => one.distance - other.distance);
    const at = all.findIndex(({ triangle: { body, triangle } }) => body === selection?.body && triangle === selection.triangle);
    return all[at < 0 ? 0 : (at + by + all.length) % all.length].triangle;
  }

  private allTouching(): Selection[] {
    return this.touching.flatMap((list, body) => Array.from(list, (triangle) => ({ body, triangle })));
  }

  /** Looks at a region, from where the camera is. */
  lookAtRegion({ centroid, volume }: Region): void {
    const centre = new Vector3(...this.placement.placed(centroid));
    this.stage.lookAt(centre, Math.max(0.12, 2 * Math.cbrt(Math.abs(volume)) * this.placement.scale));
  }

  cornersOf({ body, triangle }: Selection): Vector3[] {
    const { positions, triangles } = this.bodies[body];
    return [0, 1, 2].map((side) => new Vector3().fromArray(positions, 3 * triangles.corners[3 * triangle + side]));
  }

  private showRegions(): void {
    const { regions, curves } = this.exact;
    this.regions.show(regions, curves, this.bodies, this.placement);
  }

  private showNear(near: Near): void {
    this.near = near;
    this.bodies.forEach((body, number) => {
      const found = near.bodies.find((of) => of.body === number);
      body.setNear(found?.vertices ?? new Uint32Array(), found?.distances ?? new Float32Array());
    });
    this.showSegments();
  }

  private showSegments(): void {
    const seen = this.near.segments.filter(({ a, b }) => this.bodies[a].visible && this.bodies[b].visible);
    const placed = (point: number[]) => this.placement.placed(point);
    this.segments.set(seen.flatMap(({ ends }) => [...placed(ends.slice(0, 3)), ...placed(ends.slice(3))]));
  }

  private placeRing(): void {
    this.ring.className = 'ring';
    this.ring.hidden = this.picked === null;
    if (!this.picked) return;
    const corners = this.cornersOf(this.picked);
    const centre = this.stage.clientAt(centreOf(corners));
    const reach = corners.map((corner) => this.stage.clientAt(corner)).map(({ x, y }) => Math.hypot(x - centre.x, y - centre.y));
    const box = this.stage.canvas.getBoundingClientRect();
    this.ring.style.translate = `${centre.x - box.left}px ${centre.y - box.top}px`;
    this.ring.hidden = centre.behind || Math.max(...reach) > 24;
  }

  private around(selection: Selection): number[] {
    const corners = this.cornersOf(selection).map((corner) => corner.toArray());
    return [0, 1, 2].flatMap((side) => [...corners[side], ...corners[(side + 1) % 3]]);
  }
}

function centreOf(points: Vector3[]): Vector3 {
  const sum = new Vector3();
  for (const point of points) sum.add(point);
  return sum.divideScalar(Math.max(1, points.length));
}
