import { once } from 'node:events';

/** Resolves when the signal aborts, at once if it has. */
export async function stopped(signal: AbortSignal): Promise<undefined> {
  if (!signal.aborted) await once(signal, 'abort');
}
