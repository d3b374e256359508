/** How much memory a process takes that was started to be asked for it. */
import { once } from 'node:events';
import type { AppProcess } from './chaos-process.js';

/** What such a process is started with. */
export const PROBED = ['--expose-gc', '--import', new URL('./memory-probe.mjs', import.meta.url).href] as const;

/** Bytes. */
export interface Memory {
  /** Live objects, after a garbage collection. */
  readonly heap: number;
  readonly rss: number;
}

export async function memoryOf({ child }: AppProcess): Promise<Memory> {
  const said = once(child, 'message');
  child.send({ type: 'memory?' });
  const [memory] = (await said) as [Memory];
  return memory;
}
