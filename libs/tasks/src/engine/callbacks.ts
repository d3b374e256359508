/**
 * Opens addresses for signals, and finds them again. The token in an address is random and kept nowhere but in the record of its task. The
 * store has its digest, with all that a gateway needs: the task, the name of the signal, its schema, and secrets. So a worker needs no
 * secret of the deployment for it, and every gateway knows every address.
 */
import { createHash, randomBytes } from 'node:crypto';
import { wholeMs } from '../domain/milliseconds.js';
import { TaskError } from '../errors.js';
import type { Clock } from '../ports/clock.js';
import type { Place } from '../ports/payload-codec.js';
import type { TaskStore } from '../ports/task-store.js';
import type { NewCallback } from '../replay/signal-door.js';

/** Dependencies of addresses. */
export interface CallbacksDeps {
  readonly store: Pick<TaskStore, 'callbacks' | 'codec'>;
  readonly clock: Clock;
}

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** The path of an address, next to that of the endpoint. */
export const SIGNALS_PATH = 'signals/';

/**
 * Opens an address.
 *
 * @param publicUrl the URL of the endpoint as clients know it
 * @returns its URL
 * @throws TaskError `NO_PUBLIC_URL`, `STORE_UNAVAILABLE`
 */
export async function openCallback({ store, clock }: CallbacksDeps, callback: NewCallback, publicUrl: string | undefined): Promise<string> {
  if (publicUrl === undefined)
    throw new TaskError(
      'NO_PUBLIC_URL',
      'context.callback needs LONGHAUL_PUBLIC_URL: the URL of the endpoint as others know it, also for workers.',
    );
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const digest = digestOf(token);
  const seal = await store.codec.sealFor(callback.owner);
  const keptMs = wholeMs(Math.max(1, callback.until - clock()));
  await store.callbacks.put(digest, seal(JSON.stringify(callback), placeOf(digest)), keptMs);
  return new URL(SIGNALS_PATH + token, publicUrl).href;
}

/** The address of a token. @returns nothing for one that does not exist, or whose time is over. @throws TaskError as `PayloadCodec.open` */
export async function findCallback({ store, clock }: CallbacksDeps, token: string): Promise<NewCallback | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const digest = digestOf(token);
  const text = await store.callbacks.get(digest);
  if (text === undefined) return undefined;
  const callback = JSON.parse(await store.codec.open(text, placeOf(digest))) as NewCallback;
  return callback.until > clock() ? callback : undefined;
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

function placeOf(digest: string): Place {
  return { kind: 'callback', id: digest, field: 'callback' };
}
