// The page as a whole: controls, the loop, and the file that is dropped on it.

import type { Method } from 'crumple/inline';
import { Check } from './check';
import { Figures } from './figures';
import { Hand, type Tool } from './hand';
import { type StepReport, World } from './sim/world';
import { View } from './view';

const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const number = (value: number): string => value.toLocaleString('en');
const counted = (value: number, what: string): string => `${number(value)} ${what}${value === 1 ? '' : 's'}`;

export class Playground {
  readonly view: View;
  readonly hand: Hand;
  world: World | undefined;
  report: StepReport | undefined;
  #check: Check | undefined;
  #paused = false;
  #since = 0;
  readonly #figures = new Figures(element('figures'));

  constructor(private readonly host: HTMLElement) {
    this.view = new View(host);
    this.hand = new Hand(this.view, () => this.world);
    this.hand.tool = 'drag';
    this.#listen();
    this.reset();
    const loop = (now: number): void => {
      requestAnimationFrame(loop);
      // On fast screens not more than sixty steps a second.
      if (now - this.#since < 14) return;
      const seconds = Math.min(0.1, (now - this.#since) / 1000);
      this.#since = now;
      this.#frame(seconds);
    };
    requestAnimationFrame(loop);
  }

  /** Begins again with the settings of the controls. */
  reset(): void {
    if (this.#check) this.#tool('drag');
    this.#check?.dispose();
    this.#check = undefined;
    this.world?.dispose();
    this.world = new World({
      method: element<HTMLSelectElement>('method').value as Method,
      triangles: Number(element<HTMLSelectElement>('triangles').value),
      respond: element<HTMLInputElement>('respond').checked,
      selfCollision: element<HTMLInputElement>('self').checked,
    });
    this.world.onCut = () => this.view.retriangulate(this.world!.cloth);
    this.#figures.clear();
    this.view.show(this.world.bodies);
  }

  /** Steps without drawing; returns how deep a vertex of the cloth was inside a ball at most, and the most pairs. */
  run(steps: number): { deepest: number; pairs: number; touching: number } {
    const most = { deepest: 0, pairs: 0, touching: 0 };
    for (let i = 0; i < steps && this.world; i++) {
      this.hand.act();
      const { contacts, touching, detection, step } = (this.report = this.world.step());
      this.#figures.add(detection, step);
      most.deepest = Math.max(most.deepest, this.world.deepest());
      most.pairs = Math.max(most.pairs, contacts.reduce((sum, { pairs }) => sum + pairs.length / 2, 0));
      most.touching = Math.max(most.touching, [...touching.values()].reduce((sum, set) => sum + set.size, 0));
    }
    return most;
  }

  get paused(): boolean {
    return this.#paused;
  }

  set paused(paused: boolean) {
    this.#paused = paused;
    element('pause').firstChild!.textContent = paused ? 'Resume ' : 'Pause ';
  }

  /** Shows and checks a file in place of the cloth. */
  async open(name: string, bytes: ArrayBuffer): Promise<void> {
    const answer = element('answer');
    try {
      this.world?.dispose();
      this.world = undefined;
      this.#check?.dispose();
      this.#check = undefined;
      this.view.clear();
      const check = await Check.open(this.view, bytes);
      this.#check = check;
      // There is nothing to drag: the pointer turns the camera.
      this.#tool('turn');
      this.#figures.clear();
      element('hint').textContent = `${name}: ${counted(check.bodyCount, 'mesh').replace('meshs', 'meshes')}, ${counted(check.triangles, 'triangle')}. Reset goes back to the cloth.`;
    } catch (error) {
      answer.textContent = `${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  #frame(seconds: number): void {
    if (this.#check) this.#showCheck(this.#check, this.#paused ? 0 : seconds);
    else if (this.world) this.#showWorld(this.world);
    if (this.view.controls.enabled) this.view.controls.update();
  }

  #showWorld(world: World): void {
    if (!this.#paused) {
      this.hand.act();
      this.report = world.step();
      this.#figures.add(this.report.detection, this.report.step);
    }
    const { report } = this;
    if (!report) return;
    const red = world.ids.map((id) => new Set(report.touching.get(id)));
    for (const { a, b, pairs } of report.contacts) {
      const [inA, inB] = [red[world.ids.indexOf(a)], red[world.ids.indexOf(b)]];
      for (let i = 0; i < pairs.length; i += 2) {
        inA?.add(pairs[i]!);
        inB?.add(pairs[i + 1]!);
      }
    }
    this.view.draw(red);
    const pairs = report.contacts.reduce((sum, contact) => sum + contact.pairs.length / 2, 0);
    const touching = [...report.touching.values()].reduce((sum, set) => sum + set.size, 0);
    const answer = element('answer');
    answer.replaceChildren();
    const strong = document.createElement('strong');
    if (pairs > 0) {
      strong.textContent = counted(pairs, 'pair');
      answer.append(strong, ' of triangles collide.');
    } else if (touching > 0) {
      strong.textContent = counted(touching, 'triangle');
      answer.append(strong, ' touch; none go through each other.');
    } else {
      answer.textContent = 'Nothing touches.';
    }
    this.#figures.show([
      ['Triangles', number(world.bodies.reduce((sum, body) => sum + body.indices.length / 3, 0))],
      ['Features near each other', number(report.nearPairs)],
    ]);
  }

  #showCheck(check: Check, seconds: number): void {
    const started = performance.now();
    const contacts = check.step(seconds);
    this.#figures.add(check.detection, performance.now() - started);
    this.#figures.show([['Triangles', number(check.triangles)]]);
    this.view.render();
    const pairs = contacts.reduce((sum, contact) => sum + contact.pairs.length / 2, 0);
    const answer = element('answer');
    if (pairs === 0) {
      answer.textContent = 'Nothing collides in this frame.';
      return;
    }
    const strong = document.createElement('strong');
    strong.textContent = counted(pairs, 'pair');
    const named = contacts.slice(0, 3).map(({ a, b }) => (a === b ? `${check.nameOf(a)} with itself` : `${check.nameOf(a)} × ${check.nameOf(b)}`));
    const rest = contacts.length > 3 ? ` and ${contacts.length - 3} more` : '';
    answer.replaceChildren(strong, ` of triangles collide: ${named.join(', ')}${rest}.`);
  }

  #tool(tool: Tool): void {
    this.hand.tool = tool;
    for (const button of document.querySelectorAll<HTMLButtonElement>('[data-tool]')) {
      button.setAttribute('aria-pressed', String(button.dataset['tool'] === tool));
    }
  }

  #listen(): void {
    for (const button of document.querySelectorAll<HTMLButtonElement>('[data-tool]')) {
      button.addEventListener('click', () => this.#tool(button.dataset['tool'] as Tool));
    }
    const toggle = (): void => void (this.paused = !this.paused);
    element('pause').addEventListener('click', toggle);
    element('reset').addEventListener('click', () => this.#restart());
    for (const id of ['method', 'triangles', 'respond', 'self']) element(id).addEventListener('change', () => this.#restart());
    const keys: Record<string, () => void> = {
      d: () => this.#tool('drag'),
      c: () => this.#tool('cut'),
      v: () => this.#tool('turn'),
      r: () => this.#restart(),
      ' ': toggle,
      ArrowLeft: () => this.hand.nudge(-0.6, 0, 0),
      ArrowRight: () => this.hand.nudge(0.6, 0, 0),
      ArrowUp: () => this.hand.nudge(0, 1.2, 0),
      ArrowDown: () => this.hand.nudge(0, 0, 0.6),
    };
    addEventListener('keydown', (event) => {
      const target = event.target as HTMLElement;
      // Controls have keys of their own.
      if (event.ctrlKey || event.metaKey || event.altKey || ['SELECT', 'INPUT', 'BUTTON'].includes(target.tagName)) return;
      const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });
    const take = (file: File | undefined): void => {
      if (file) void file.arrayBuffer().then((bytes) => this.open(file.name, bytes));
    };
    element<HTMLInputElement>('file').addEventListener('change', (event) => take((event.target as HTMLInputElement).files?.[0]));
    addEventListener('dragover', (event) => {
      event.preventDefault();
      this.host.classList.add('over');
    });
    addEventListener('dragleave', () => this.host.classList.remove('over'));
    addEventListener('drop', (event) => {
      event.preventDefault();
      this.host.classList.remove('over');
      take(event.dataTransfer?.files[0]);
    });
  }

  #restart(): void {
    element('hint').textContent = 'Drop a .glb anywhere on the page. Nothing is uploaded.';
    this.reset();
  }
}
