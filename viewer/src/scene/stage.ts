// The window into the scene: camera, light, and a picture drawn only when something has changed.

import { type Box3, DirectionalLight, HemisphereLight, PerspectiveCamera, Raycaster, Scene, Vector2, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

export type Up = 'y' | 'z';

/** How much of the window the scene fills when all of it is looked at. */
const FILLED = 0.9;

export class Stage {
  readonly scene = new Scene();
  readonly canvas: HTMLCanvasElement;
  readonly camera = new PerspectiveCamera(32, 1, 0.01, 100);
  private readonly renderer: WebGLRenderer;
  private controls: OrbitControls;
  private waiting = false;
  /** Whether there has been a window to fit the scene into. */
  private fitted = false;
  private readonly drawn: (() => void)[] = [];
  private readonly resized: ((width: number, height: number, pixelRatio: number) => void)[] = [];

  /** Throws where the browser has no WebGL. */
  constructor(
    private readonly host: HTMLElement,
    /** The box of everything that will be shown, around the origin. */
    private readonly box: Box3,
  ) {
    // Asked first, because three.js complains in the console before it throws.
    if (!document.createElement('canvas').getContext('webgl2')) throw new Error('this browser has no WebGL 2');
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true });
    this.canvas = this.renderer.domElement;
    host.prepend(this.canvas);
    const sky = new HemisphereLight(0xffffff, 0x8d8f98, 1.9);
    // The key light comes over the viewer's left shoulder, wherever the viewer goes.
    const key = new DirectionalLight(0xffffff, 2.1);
    key.position.set(-0.7, 0.9, 1.2);
    this.camera.add(key, key.target);
    this.scene.add(sky, this.camera);
    this.controls = this.makeControls();
    new ResizeObserver(() => this.fit()).observe(host);
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener('change', () => this.fit());
  }

  /** Calls `act` after every picture. */
  onDraw(act: () => void): void {
    this.drawn.push(act);
  }

  onResize(act: (width: number, height: number, pixelRatio: number) => void): void {
    this.resized.push(act);
    this.fit();
  }

  /** Draws soon; many calls in one moment cost one picture. */
  draw(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.setDepths();
      this.renderer.render(this.scene, this.camera);
      for (const act of this.drawn) act();
    });
  }

  /** Shows the whole scene from a place a little above, with this axis upwards. */
  lookFrom(up: Up): void {
    this.camera.up.set(0, up === 'y' ? 1 : 0, up === 'z' ? 1 : 0);
    const from = up === 'y' ? new Vector3(0.35, 0.42, 1) : new Vector3(0.35, -1, 0.42);
    // The controls take over the upward direction when they are made.
    this.controls.dispose();
    this.camera.position.copy(from.normalize());
    this.controls = this.makeControls();
    this.controls.target.set(0, 0, 0);
    this.camera.position.setLength(this.distanceFor(this.box));
    this.controls.update();
    this.draw();
  }

  /** How far from the middle of a box the camera must be, in its present direction, for all corners to be in sight. */
  private distanceFor(box: Box3): number {
    const { camera } = this;
    camera.lookAt(0, 0, 0);
    const tall = Math.tan((camera.fov / 2) * (Math.PI / 180)) * FILLED;
    const wide = tall * camera.aspect;
    const turned = camera.quaternion.clone().invert();
    let distance = 0.1;
    for (let corner = 0; corner < 8; corner++) {
      const at = new Vector3(
        corner & 1 ? box.max.x : box.min.x,
        corner & 2 ? box.max.y : box.min.y,
        corner & 4 ? box.max.z : box.min.z,
      ).applyQuaternion(turned);
      distance = Math.max(distance, at.z + Math.max(Math.abs(at.x) / wide, Math.abs(at.y) / tall));
    }
    return distance;
  }

  /** Looks at a ball, from where it fills the window: the present direction, or nearly `from` where given. */
  lookAt(centre: Vector3, radius: number, from = new Vector3()): void {
    const present = this.camera.position.clone().sub(this.controls.target).normalize();
    // A little of the present direction keeps the camera off the pole, and flat triangles with a direction.
    const away = present.multiplyScalar(0.35).add(from).normalize();
    const half = (this.camera.fov / 2) * (Math.PI / 180);
    const narrow = Math.min(half, Math.atan(Math.tan(half) * this.camera.aspect));
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(away, (0.92 * radius) / Math.sin(narrow));
    this.controls.update();
    this.draw();
  }

  /** Turns the camera around what it looks at, in radians, and moves it nearer or farther. */
  turn(sideways: number, upwards: number, distance = 1): void {
    const { up, position } = this.camera;
    const { target } = this.controls;
    const away = position.clone().sub(target).multiplyScalar(distance);
    const below = away.angleTo(up);
    const right = new Vector3().crossVectors(up, away).normalize();
    // Not over the pole, where up and down change places.
    away.applyAxisAngle(right, Math.max(0.02 - below, Math.min(Math.PI - 0.02 - below, -upwards)));
    away.applyAxisAngle(up, sideways);
    position.copy(target).add(away);
    this.controls.update();
    this.draw();
  }

  /** The ray under a point of the window. */
  rayAt(clientX: number, clientY: number): Raycaster['ray'] {
    const box = this.canvas.getBoundingClientRect();
    const x = ((clientX - box.left) / box.width) * 2 - 1;
    const y = 1 - ((clientY - box.top) / box.height) * 2;
    const caster = new Raycaster();
    this.camera.updateMatrixWorld();
    caster.setFromCamera(new Vector2(x, y), this.camera);
    return caster.ray;
  }

  /** Where in the window a point of the scene is drawn. */
  clientAt(point: Vector3): { x: number; y: number; behind: boolean } {
    this.camera.updateMatrixWorld();
    const projected = point.clone().project(this.camera);
    const box = this.canvas.getBoundingClientRect();
    const x = box.left + ((projected.x + 1) / 2) * box.width;
    const y = box.top + ((1 - projected.y) / 2) * box.height;
    return { x, y, behind: projected.z > 1 };
  }

  /** Spends the steps of depth on what can be seen: the scene lies within 1 of the origin. */
  private setDepths(): void {
    const { camera, controls } = this;
    camera.near = camera.position.distanceTo(controls.target) / 50;
    camera.far = camera.position.length() + 1.5;
    camera.updateProjectionMatrix();
  }

  private makeControls(): OrbitControls {
    const controls = new OrbitControls(this.camera, this.canvas);
    controls.minDistance = 0.005;
    controls.maxDistance = 30;
    controls.zoomToCursor = true;
    controls.addEventListener('change', () => this.draw());
    return controls;
  }

  private fit(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    const pixelRatio = Math.min(devicePixelRatio, 2);
    this.renderer.setPixelRatio(pixelRatio);
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    for (const act of this.resized) act(width, height, pixelRatio);
    if (!this.fitted) this.lookFrom('y');
    this.fitted = true;
    this.draw();
  }
}
