// What is seen: the bodies, what collides in red, a floor, and a camera that can be turned.

import {
  BufferAttribute, BufferGeometry, CircleGeometry, Color, DirectionalLight, DoubleSide, HemisphereLight, Mesh, MeshBasicMaterial,
  MeshStandardMaterial, type Object3D, PerspectiveCamera, Raycaster, Scene, Vector2, Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { SoftBody } from './sim/soft';

/** Where the cloth falls, and how much around it is seen. */
const MIDDLE = new Vector3(0, 0.3, 0);
const RADIUS = 0.92;

/** A body on the screen, with the triangles that collide drawn once more in red. */
interface Shown {
  body: SoftBody;
  mesh: Mesh<BufferGeometry, MeshStandardMaterial>;
  red: Mesh<BufferGeometry, MeshBasicMaterial>;
}

export class View {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(36, 1, 0.01, 50);
  readonly controls: OrbitControls;
  readonly canvas: HTMLCanvasElement;
  readonly #renderer: WebGLRenderer;
  readonly #floor = new Mesh(new CircleGeometry(1.7, 64), new MeshBasicMaterial());
  #shown: Shown[] = [];

  /** Throws where the browser has no WebGL. */
  constructor(private readonly host: HTMLElement) {
    // Asked first, because three.js complains in the console before it throws.
    if (!document.createElement('canvas').getContext('webgl2')) {
      throw new Error('This browser has no WebGL 2, or it is switched off: turn on hardware acceleration in its settings, or open this page in another browser.');
    }
    this.#renderer = new WebGLRenderer({ antialias: true, alpha: true });
    this.canvas = this.#renderer.domElement;
    host.append(this.canvas);
    const key = new DirectionalLight(0xffffff, 2.1);
    key.position.set(-0.7, 1.4, 1.2);
    this.#floor.rotation.x = -Math.PI / 2;
    this.scene.add(new HemisphereLight(0xffffff, 0x8d8f98, 1.7), key, this.#floor);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enabled = false;
    this.lookAt(MIDDLE, RADIUS);
    new ResizeObserver(() => this.#fit()).observe(host);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.colour());
    this.#fit();
  }

  /** Looks at a ball around a point. */
  lookAt(centre: Vector3, radius: number): void {
    this.controls.target.copy(centre);
    const away = new Vector3(0.35, 0.42, 1).normalize();
    this.camera.position.copy(centre).addScaledVector(away, (1.15 * radius) / Math.sin((18 * Math.PI) / 180));
    this.camera.near = radius / 50;
    this.camera.far = radius * 40;
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  /** Shows these bodies in place of others. */
  show(bodies: readonly SoftBody[]): void {
    const wasSeen = this.#floor.visible;
    this.clear();
    // The camera stays where it was turned to, unless a file was looked at.
    if (!wasSeen) this.lookAt(MIDDLE, RADIUS);
    this.#floor.visible = true;
    this.#shown = bodies.map((body) => {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(body.x, 3));
      geometry.setIndex(new BufferAttribute(body.indices, 1));
      const mesh = new Mesh(geometry, new MeshStandardMaterial({ roughness: 0.75, side: DoubleSide }));
      // The red triangles lie in the same place: they are drawn a little nearer.
      const red = new Mesh(new BufferGeometry(), new MeshBasicMaterial({ side: DoubleSide, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2 }));
      red.geometry.setAttribute('position', geometry.getAttribute('position'));
      mesh.frustumCulled = red.frustumCulled = false;
      this.scene.add(mesh, red);
      return { body, mesh, red };
    });
    this.colour();
  }

  clear(): void {
    for (const { mesh, red } of this.#shown) {
      for (const part of [mesh, red]) {
        part.removeFromParent();
        part.geometry.dispose();
        part.material.dispose();
      }
    }
    this.#shown = [];
    this.#floor.visible = false;
  }

  /** Takes over the triangles of a body that was cut. */
  retriangulate(body: SoftBody): void {
    const shown = this.#shown.find((one) => one.body === body);
    shown?.mesh.geometry.setIndex(new BufferAttribute(body.indices, 1));
  }

  /** Takes the colours from the style sheet, which knows light and dark. */
  colour(): void {
    const probe = document.createElement('i');
    document.body.append(probe);
    // A colour that depends on the scheme is known only once it is used.
    const of = (name: string): Color => {
      probe.style.color = `var(${name})`;
      return new Color(getComputedStyle(probe).color);
    };
    this.#shown.forEach(({ body, mesh, red }) => {
      mesh.material.color = of(body.isClosed ? '--ball' : '--cloth');
      red.material.color = of('--contact');
    });
    this.#floor.material.color = of('--floor');
    probe.remove();
  }

  /** Draws the bodies where they are, with these triangles in red, by the order of the bodies. */
  draw(colliding: readonly (ReadonlySet<number> | undefined)[]): void {
    this.#shown.forEach(({ body, mesh, red }, i) => {
      mesh.geometry.getAttribute('position').needsUpdate = true;
      mesh.geometry.computeVertexNormals();
      const triangles = colliding[i];
      red.visible = !!triangles?.size;
      if (!triangles?.size) return;
      let index = red.geometry.getIndex();
      if (!index || index.count < 3 * triangles.size) {
        index = new BufferAttribute(new Uint32Array(6 * triangles.size), 1);
        red.geometry.setIndex(index);
      }
      const corners = index.array as Uint32Array;
      let at = 0;
      for (const triangle of triangles) for (let k = 0; k < 3; k++) corners[at++] = body.indices[3 * triangle + k]!;
      index.needsUpdate = true;
      red.geometry.setDrawRange(0, at);
    });
    this.render();
  }

  render(): void {
    this.#renderer.render(this.scene, this.camera);
  }

  /** The ray through a point of the window. */
  ray(x: number, y: number): Raycaster {
    const box = this.canvas.getBoundingClientRect();
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2), this.camera);
    return caster;
  }

  /** The first body, triangle and point on a ray; of the given bodies only, if they are given. */
  pick(caster: Raycaster, only?: SoftBody): { body: SoftBody; triangle: number; point: Vector3 } | undefined {
    const among = this.#shown.filter(({ body }) => !only || body === only);
    // Bodies move: what three.js remembers about their size is out of date.
    for (const { mesh } of among) mesh.geometry.computeBoundingSphere();
    const hit = caster.intersectObjects(among.map(({ mesh }) => mesh as Object3D), false)[0];
    const body = among.find(({ mesh }) => mesh === hit?.object)?.body;
    return hit && body ? { body, triangle: hit.faceIndex!, point: hit.point } : undefined;
  }

  #fit(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.#renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.#renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    // A narrow window sees as much from side to side.
    this.camera.fov = this.camera.aspect < 1 ? Math.min(80, 36 / this.camera.aspect) : 36;
    this.camera.updateProjectionMatrix();
  }
}
