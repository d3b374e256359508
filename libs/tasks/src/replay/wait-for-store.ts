import { setTimeout as wait } from 'node:timers/promises';
import type { TaskEvent } from '../domain/events.js';
import { TaskError } from '../errors.js';

const STORE_PAUSE_MS = 100;

/** A look at what others appended can wait until the store is back, which is not asked all the time. */
export async function waitForStore(error: unknown): Promise<readonly TaskEvent[]> {
  if (!(error instanceof TaskError && error.code === 'STORE_UNAVAILABLE')) throw error;
  await wait(STORE_PAUSE_MS, undefined, { ref: false });
  return [];
}
