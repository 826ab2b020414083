// Puts the parts together: what each button, key and click does.

import type { Finding, Head } from './data/head';
import { meetingOf, worstFrame } from './data/head';
import type { Frame, Store } from './data/store';
import { Link } from './link';
import { Playback } from './playback';
import type { Up } from './scene/stage';
import { SceneView } from './scene/view';
import { isSame, neighbour, type Pair, partnersOf, type Selection, trianglesOf } from './selection';
import { Bodies } from './ui/bodies';
import { Details } from './ui/details';
import { element, iconButton, setLabel } from './ui/dom';
import { Findings } from './ui/findings';
import { type Binding, helpDialog, listen } from './ui/keys';
import { Player } from './ui/player';
import { type Report, takeReport } from './ui/report';
import { ThemeSwitch } from './ui/theme';
import { Timeline } from './ui/timeline';
import { legend, type Tool, toggle } from './ui/tools';

export class App {
  readonly view: SceneView;
  readonly playback: Playback;
  readonly link: Link;
  selection: Selection | null = null;
  /** The two bodies that are shown alone. */
  isolated: Pair | null = null;
  private frame: Frame | null = null;
  /** The finding that was opened last in this frame: its place in the file, if it has one, and the triangles of its bodies that meet. */
  private place: { at: [number, number, number] | null; of: Selection[] } | null = null;
  private readonly timeline: Timeline;
  private readonly player: Player;
  private readonly bodies: Bodies;
  private readonly details: Details;
  private readonly findings: Findings;
  private readonly report: Report;
  private readonly theme = new ThemeSwitch(() => this.themeChanged());
  private readonly themeButton = iconButton('theme', 'Theme', 'T', () => this.theme.next());
  private readonly picture = element('div', { class: 'picture' });
  private readonly notice = element('p', { class: 'notice', role: 'alert', hidden: true });

  constructor(
    root: HTMLElement,
    private readonly head: Head,
    private readonly store: Store,
  ) {
    // First of all, because it throws where there is no WebGL, and then nothing else must have happened.
    this.view = new SceneView(this.picture, head, store);
    this.playback = new Playback(
      store,
      head.fps,
      (frame) => this.show(frame),
      (playing) => this.player.setPlaying(playing),
      (error) => this.say(`A frame could not be shown: ${error instanceof Error ? error.message : String(error)}`),
    );
    const go = (frame: number) => this.go(frame);
    this.link = new Link(head, go);
    this.timeline = new Timeline(head, go);
    this.player = new Player(head, {
      go,
      worst: () => this.goToWorst(),
      step: (frames) => this.playback.step(frames),
      toggle: () => this.playback.toggle(),
      speed: (factor) => (this.playback.speed = factor),
    });
    this.bodies = new Bodies(head.header.bodies, (body, display) => this.view.setDisplay(body, display));
    this.details = new Details((body) => this.nameOf(body), {
      region: (region) => this.view.lookAtRegion(region),
      open: ({ a, pairs }) => this.select({ body: a, triangle: pairs[0] }),
      pick: (selection) => this.select(selection),
      next: (by) => this.selectNext(by),
      locate: () => this.selection && this.view.lookAt(this.selection),
      clear: () => this.select(null),
    });
    this.findings = new Findings(head, (body) => this.nameOf(body), {
      open: (finding, frame) => void this.openFinding(finding, frame),
      isolate: (pair) => this.isolate(pair),
    });
    this.report = takeReport(head, go);
    const tools = this.tools();
    const bindings = this.bindings(tools);
    const help = helpDialog(bindings);
    this.build(root, tools, help);
    listen([...bindings, { keys: ['?'], shown: '?', does: 'this list', act: () => help.showModal() }]);
    this.listenToPicture();
  }

  /** Goes to a frame by its place, from wherever that was asked. */
  go(frame: number): void {
    this.playback.pause();
    void this.playback.go(frame);
  }

  /** Goes to the worst frame of a finding and looks at its triangles; the next ones picked are those nearby. */
  async openFinding(finding: Finding, frame: number): Promise<void> {
    this.playback.pause();
    const going = this.playback.go(frame);
    // Where the frame is shown already, nothing that is picked meanwhile is another finding's.
    if (this.frame?.index !== frame) await going;
    if (this.frame?.index !== frame) return;
    const { a, b, region } = finding;
    const meeting = this.frame.contacts.filter((contact) => isSame(contact, finding)).flatMap(trianglesOf);
    const triangles = [a, b].flatMap((body, side) => (region?.triangles[side] ?? []).map((triangle) => ({ body, triangle })));
    if (region && triangles.length > 0) {
      this.place = { at: region.centroid, of: meeting };
      this.view.lookAtTriangles(triangles);
    } else if (finding.kind === 'contact') {
      this.place = { at: null, of: meeting };
      this.view.lookAtTriangles(meeting);
    }
    this.select(null);
  }

  select(selection: Selection | null): void {
    this.selection = selection;
    this.showSelection();
  }

  /** Shows two bodies alone in picture, chart and table, or everything again. */
  isolate(pair: Pair | null): void {
    this.isolated = pair;
    this.findings.show(pair);
    this.timeline.isolate(pair);
    this.player.isolate(pair);
    this.report.isolate(pair);
    this.bodies.setAll((body) => (pair === null || body === pair.a || body === pair.b ? 'shown' : 'hidden'));
    if (this.frame) void this.playback.go(this.frame.index);
  }

  private show(whole: Frame): void {
    const pair = this.isolated;
    const isMeant = (one: Pair) => pair === null || isSame(one, pair);
    const alone = () => ({
      ...whole,
      contacts: whole.contacts.filter(isMeant),
      impacts: whole.impacts.filter(isMeant),
      near: { ...whole.near, segments: whole.near.segments.filter(isMeant) },
      depths: whole.depths.filter(({ inner, outer }) => isMeant({ a: inner, b: outer })),
    });
    const frame = pair === null ? whole : alone();
    this.frame = frame;
    this.place = null;
    this.link.show(frame.index);
    this.view.show(frame);
    this.timeline.show(frame.index);
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    const found = { pairs: sum(frame.contacts.map(({ count }) => count)), depth: this.depthOf(frame.index), impacts: frame.impacts.length };
    this.player.show(frame.index, pair && found);
    this.bodies.show(frame.contacts);
    this.details.showContacts(frame.contacts);
    this.details.showRegions(frame.regions, this.head.exact);
    this.details.showImpacts(frame.impacts, pair === null ? this.head.frames.impacts[frame.index] : frame.impacts.length);
    this.showSelection();
  }

  private showSelection(): void {
    const { selection, frame } = this;
    if (!frame || !selection) {
      this.view.select(null, []);
      this.details.showNothing(this.view.touching.some((list) => list.length > 0), this.head.exact);
      return;
    }
    const partners = partnersOf(selection, frame.contacts);
    this.view.select(selection, partners);
    const { corners } = this.store.meshes[selection.body];
    const at = this.view.cornersOf(selection).map((corner) => this.view.placement.inFile(corner.toArray()));
    const named = (other: Selection) => {
      const { faces } = this.store.meshes[other.body];
      return { ...other, face: faces ? faces[other.triangle] : null };
    };
    this.details.showPicked({
      ...named(selection),
      corners: at.map((point, side) => ({ vertex: corners[3 * selection.triangle + side], at: point })),
      partners: partners.map(named),
    });
  }

  /** How deep the two bodies that are shown alone are in a frame. */
  private depthOf(frame: number): number | null {
    const pair = this.isolated;
    const meeting = pair && meetingOf(this.head, pair);
    return meeting?.depth?.[meeting.at.indexOf(frame)] ?? null;
  }

  /** Goes to the worst frame of what is shown. */
  private goToWorst(): void {
    const worst = worstFrame(this.head, this.isolated);
    if (worst !== null) this.go(worst);
  }

  private escape(): void {
    if (this.selection === null && this.isolated !== null) this.isolate(null);
    this.select(null);
  }

  private selectNext(by: number): void {
    const next = this.place ? this.view.nearestTo(this.place.at, this.place.of, this.selection, by) : neighbour(this.selection, this.view.touching, by);
    if (next) this.select(next);
  }

  private tools(): Tool[] {
    const { view } = this;
    let up: Up = 'y';
    const turnUp = () => {
      up = up === 'y' ? 'z' : 'y';
      view.setUp(up);
    };
    const fit = () => view.setUp(up);
    const tools: Tool[] = [
      { name: 'Whole scene', key: 'F', button: iconButton('fit', 'Whole scene', 'F', fit), act: fit },
      { name: 'Turn Y or Z up', key: 'U', button: iconButton('up', 'Turn Y or Z up', 'U', turnUp), act: turnUp },
      toggle('through', 'See contacts through bodies', 'X', true, (on) => view.setThrough(on)),
      toggle('edges', 'Edges of triangles', 'E', false, (on) => view.setEdges(on)),
    ];
    if (this.head.deepest) tools.push(toggle('depth', 'Depth inside other bodies', 'D', true, (on) => view.setDepths(on)));
    if (this.hasOverlap) tools.push(toggle('spans', 'Overlap', 'V', true, (on) => view.setSpans(on)));
    return tools;
  }

  private get hasImpacts(): boolean {
    return this.head.frames.impacts.some((count) => count !== null && count > 0);
  }

  private get hasOverlap(): boolean {
    return this.head.frames.volume.some((volume) => volume !== null);
  }

  private bindings(tools: Tool[]): Binding[] {
    const { view, playback } = this;
    const last = this.store.frames - 1;
    const turn = (key: string, sideways: number, upwards: number, does = ''): Binding => ({
      keys: [`Shift+${key}`],
      shown: 'Shift ← → ↑ ↓',
      does,
      act: () => view.stage.turn(sideways, upwards),
    });
    return [
      { keys: [' '], shown: 'Space', does: 'play or pause', act: () => playback.toggle() },
      { keys: ['ArrowLeft'], shown: '←', does: 'previous frame', act: () => playback.step(-1) },
      { keys: ['ArrowRight'], shown: '→', does: 'next frame', act: () => playback.step(1) },
      { keys: ['PageUp'], shown: 'PgUp', does: 'ten frames back', act: () => playback.step(-10) },
      { keys: ['PageDown'], shown: 'PgDn', does: 'ten frames on', act: () => playback.step(10) },
      { keys: ['Home'], shown: 'Home', does: 'first frame', act: () => this.go(0) },
      { keys: ['End'], shown: 'End', does: 'last frame', act: () => this.go(last) },
      { keys: ['w'], shown: 'W', does: 'worst frame', act: () => this.goToWorst() },
      { keys: ['n'], shown: 'N', does: 'next colliding triangle', act: () => this.selectNext(1) },
      { keys: ['Shift+n'], shown: 'Shift N', does: 'previous colliding triangle', act: () => this.selectNext(-1) },
      { keys: ['l'], shown: 'L', does: 'look at the picked triangle', act: () => this.selection && view.lookAt(this.selection) },
      { keys: ['c'], shown: 'C', does: 'look at all contacts', act: () => view.lookAtContacts() },
      { keys: ['Escape'], shown: 'Esc', does: 'pick nothing; again: show all bodies', act: () => this.escape() },
      ...tools.map(({ name, key, act }) => ({ keys: [key.toLowerCase()], shown: key, does: name.toLowerCase(), act })),
      turn('ArrowLeft', -0.12, 0, 'turn the view'),
      ...[turn('ArrowRight', 0.12, 0), turn('ArrowUp', 0, 0.12), turn('ArrowDown', 0, -0.12)],
      { keys: ['+', '='], shown: '+', does: 'nearer', act: () => view.stage.turn(0, 0, 0.85) },
      { keys: ['-'], shown: '-', does: 'farther', act: () => view.stage.turn(0, 0, 1 / 0.85) },
      { keys: ['t'], shown: 'T', does: 'light, dark or as the system has it', act: () => this.theme.next() },
    ];
  }

  private build(root: HTMLElement, tools: Tool[], help: HTMLDialogElement): void {
    const { title, answer, rest } = this.report;
    this.nameTheme();
    this.picture.append(
      element('div', { class: 'tools', role: 'group', 'aria-label': 'View' }, ...tools.map((tool) => tool.button)),
      legend(this.head.exact ? 'exact' : this.hasOverlap ? 'sampled' : null, this.hasImpacts, this.head),
    );
    root.append(
      element(
        'header',
        {},
        element('div', { class: 'titles' }, title, answer),
        this.themeButton,
        iconButton('help', 'Keys', '?', () => help.showModal()),
      ),
      this.notice,
      element('main', {}, this.picture),
      element('aside', { 'aria-label': 'Bodies and contacts' }, this.findings.root, this.bodies.root, this.details.root, rest),
      element('footer', {}, this.player.root, this.timeline.root),
      help,
    );
  }

  private listenToPicture(): void {
    const { canvas } = this.view.stage;
    canvas.setAttribute('role', 'img');
    const marked = this.head.exact ? 'each region of their overlap has a tint, a number and an arrow' : 'colliding triangles are red and hatched';
    canvas.setAttribute('aria-label', `The bodies in this frame; ${marked}`);
    let down = { x: 0, y: 0 };
    canvas.addEventListener('pointerdown', (event) => (down = { x: event.clientX, y: event.clientY }));
    canvas.addEventListener('click', (event) => {
      // A drag turns the view and picks nothing.
      if (Math.hypot(event.clientX - down.x, event.clientY - down.y) > 4) return;
      const hit = this.view.pickAt(event.clientX, event.clientY);
      this.select(hit && { body: hit.body, triangle: hit.triangle });
    });
    canvas.addEventListener('webglcontextlost', () => this.say('The graphics card gave up; reload the page.'));
  }

  private nameTheme(): void {
    setLabel(this.themeButton, `Theme: ${this.theme.current}`, 'T');
  }

  private themeChanged(): void {
    this.nameTheme();
    this.view.setTheme();
    this.timeline.draw();
  }

  private nameOf(body: number): string {
    return this.head.header.bodies[body].name || `body ${body}`;
  }

  private say(what: string): void {
    this.notice.textContent = what;
    this.notice.hidden = false;
  }
}
