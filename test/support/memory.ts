/** Measures the memory of a process that was started for measuring. */
import { once } from 'node:events';
import type { AppProcess } from './chaos-process.js';

/** The arguments of such a process. */
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
