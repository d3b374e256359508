/**
 * A starter that works by the operator API, with a token of the role `start`. A request is sent again if its answer was lost. Starts have a
 * key and signals an id, so the second request finds the result of the first one.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { isJsonObject, type Outcome, TaskError } from '@longhaul/tasks';
import { StarterError } from './errors.js';
import { invalidOptions } from './given.js';
import type { TaskStanding } from './starter.js';
import type { SideSignal, SideStart, SideTask, StarterSide } from './starter-side.js';

/** How long one request waits for the end of a task. */
const WAIT_MS = 25_000;
/** How long an answer may take, in addition. */
const ANSWER_MS = 15_000;
/** How long a call is sent again, unless it waits for the end of a task. */
const PATIENCE_MS = 10_000;
const DELAY_MS = { first: 100, most: 5_000 };
/** The API, or a proxy in front of it, cannot answer now. */
const PASSING = new Set([429, 502, 503, 504]);

/** A request to the API. */
interface ApiRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: object;
  /** Ends all tries. */
  readonly signal?: AbortSignal;
}

/** @throws StarterError `INVALID_OPTIONS` for a URL that is none */
export function sideByApi(url: string, token: string): StarterSide {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw invalidOptions('createStarter: url must be a URL that begins with http:// or https://.');
  if (/[^\x21-\x7e]/.test(token)) throw invalidOptions('createStarter: token has a character that no token has.');
  const api = apiAt(`${url.replace(/\/+$/, '')}/api/v1/service/tasks`, token);
  const pathOf = ({ taskId }: SideTask, act = ''): string => `/${encodeURIComponent(taskId.toWellFormed())}${act}`;
  return {
    async start({ tool, input, owner, idempotencyKey = randomUUID(), ttlMs, priority }: SideStart) {
      const name = typeof tool === 'string' ? tool : tool.name;
      const answer = await api({
        method: 'POST',
        path: '',
        body: { tool: name, arguments: input, owner, idempotencyKey, ttlMs, priority },
      });
      return (answer as TaskStanding).taskId;
    },
    read: async (task) => (await api({ method: 'GET', path: pathOf(task), query: { owner: task.owner } })) as TaskStanding,
    async untilEnd(task, signal) {
      for (;;) {
        const query = { owner: task.owner, waitMs: String(WAIT_MS) };
        const { outcome } = (await api({ method: 'GET', path: pathOf(task), query, signal })) as { readonly outcome?: Outcome };
        if (outcome !== undefined) return outcome;
      }
    },
    async signal(task, { name, value, id = randomUUID() }: SideSignal) {
      const body = { name, value, id, owner: task.owner };
      return ((await api({ method: 'POST', path: pathOf(task, '/signals'), body })) as { readonly isNew: boolean }).isNew;
    },
    async cancel(task, reason) {
      const body = { reason, owner: task.owner };
      return ((await api({ method: 'POST', path: pathOf(task, '/cancel'), body })) as { readonly isCancelled: boolean }).isCancelled;
    },
    close: async () => undefined,
  };
}

type Api = (request: ApiRequest) => Promise<unknown>;

/** Sends a request until it is answered: for a while, or as long as its signal says. */
function apiAt(base: string, token: string): Api {
  return async ({ method, path, query = {}, body, signal }) => {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const target = `${base}${path}${given.length > 0 ? `?${new URLSearchParams(given).toString()}` : ''}`;
    const init = {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // The token is for this address only.
      redirect: 'error' as const,
    };
    const until = Date.now() + PATIENCE_MS;
    for (let delayMs = DELAY_MS.first; ; delayMs = Math.min(2 * delayMs, DELAY_MS.most)) {
      signal?.throwIfAborted();
      const found = await tried(target, init, signal);
      if ('answer' in found) return found.answer;
      signal?.throwIfAborted();
      if (signal === undefined && Date.now() + delayMs > until) throw found.failure;
      await wait(delayMs, undefined, signal === undefined ? {} : { signal }).catch(() => signal?.throwIfAborted());
    }
  };
}

/** One try. @returns why it may be tried again @throws StarterError, TaskError for an answer that says no */
async function tried(
  target: string,
  init: RequestInit,
  signal: AbortSignal | undefined,
): Promise<{ readonly answer: unknown } | { readonly failure: StarterError }> {
  const late = AbortSignal.timeout(WAIT_MS + ANSWER_MS);
  let status = 0;
  let text = '';
  try {
    const response = await fetch(target, { ...init, signal: signal === undefined ? late : AbortSignal.any([signal, late]) });
    status = response.status;
    text = await response.text();
  } catch (cause) {
    return {
      failure: new StarterError('STORE_UNAVAILABLE', `The operator API does not answer: ${messageOf(cause)}.`, undefined, { cause }),
    };
  }
  const body = parsed(text);
  if (status === 200 || status === 201) {
    if (body !== undefined) return { answer: body };
    throw new StarterError('UNKNOWN_ANSWER', 'What answers is no operator API: its answer is no JSON.');
  }
  const { code, detail, errors } = isJsonObject(body) ? body : {};
  const problem = new StarterError(
    typeof code === 'string' ? code : 'UNKNOWN_ANSWER',
    typeof detail === 'string' ? detail : `The operator API has answered with status ${status}.`,
    Array.isArray(errors) ? errors[0] : undefined,
  );
  if (PASSING.has(status)) return { failure: problem };
  throw problem.code === 'TASK_NOT_FOUND' ? new TaskError('TASK_NOT_FOUND') : problem;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `fetch` says why in the cause. */
function messageOf(error: unknown): string {
  const { cause = error } = error instanceof Error ? error : { cause: error };
  return cause instanceof Error && cause.message !== '' ? cause.message : String(error);
}
