// The other side of a WorkerScene: a scene in a thread of its own, which answers messages in order.

import type { Frame } from './frame.js';
import { init } from './index.js';
import { Scene } from './scene.js';
import type { Answer, Ask } from './worker-scene.js';

type Port = { postMessage(message: Answer, transfer: Transferable[]): void; onmessage?: unknown; on?: (name: string, listen: (data: Ask) => void) => void };

const node = (globalThis as { process?: { getBuiltinModule?(name: string): { parentPort: Port | null } } }).process;
const port: Port = node?.getBuiltinModule?.('node:worker_threads')?.parentPort ?? (globalThis as unknown as Port);

let scene: Scene | undefined;
let frame: Frame | undefined;

async function answer({ id, call, words }: Ask): Promise<void> {
  const transfer: Transferable[] = [];
  try {
    const value = await run(call, words, transfer);
    port.postMessage({ id, value }, transfer);
  } catch (error) {
    port.postMessage({ id, error: error instanceof Error ? error.message : String(error) }, []);
  }
}

async function run(call: string, words: unknown[], transfer: Transferable[]): Promise<unknown> {
  if (call === 'open') {
    await init();
    scene = new Scene(words[0] as ConstructorParameters<typeof Scene>[0]);
    return undefined;
  }
  if (call === 'update') {
    const moved = words[0] as [number, Float32Array<ArrayBuffer>][];
    // Handed back whatever happens, so that the caller can fill them again.
    for (const [, positions] of moved) transfer.push(positions.buffer);
    for (const [body, positions] of moved) scene!.setPositions(body, positions);
    frame = scene!.update();
    const contacts = frame.contacts();
    for (const { pairs } of contacts) transfer.push(pairs.buffer);
    return { contacts, positions: moved };
  }
  const of = call in Scene.prototype ? scene : frame;
  if (!of) throw new Error('there is no frame yet: await update() first');
  return (of as unknown as Record<string, (...words: unknown[]) => unknown>)[call]!(...words);
}

// One after the other: a call may have to wait for the module.
let before: Promise<void> = Promise.resolve();
const listen = (ask: Ask): void => void (before = before.then(() => answer(ask)));
if (port.on) port.on('message', listen);
else port.onmessage = (event: MessageEvent<Ask>): void => listen(event.data);
