/**
 * Holds requests while the store is unreachable, if their clients would not come back often enough after a refusal: the answer to a
 * question, which a client sends once, and the resumption of a stream, which it gives up after a few attempts.
 */
import type { ServerResponse } from 'node:http';
import type { TaskService } from '@longhaul/tasks';
import { HUNG_UP, refusalOf, SHUTTING_DOWN } from './errors.js';

/** The parts that holding needs. */
export interface Holding {
  readonly patiently: TaskService['patiently'];
  /** Aborts when the process is about to end. */
  readonly closing: AbortSignal;
}

/**
 * Serves the request when the store answers.
 *
 * @param serve may be called several times
 * @throws Refusal 503 when the process is about to end, 400 when the client hangs up; the errors of `serve`
 */
export async function held<T>({ patiently, closing }: Holding, raw: ServerResponse, serve: () => Promise<T>): Promise<T> {
  if (closing.aborted) return serve();
  const end = new AbortController();
  const onClosing = (): void => end.abort(refusalOf(SHUTTING_DOWN));
  const onHangUp = (): void => end.abort(refusalOf(HUNG_UP));
  closing.addEventListener('abort', onClosing);
  raw.once('close', onHangUp);
  try {
    return await patiently(serve, end.signal);
  } finally {
    closing.removeEventListener('abort', onClosing);
    raw.off('close', onHangUp);
  }
}
