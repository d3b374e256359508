/**
 * Sends JSON by HTTP, each once: signed as Standard Webhooks has it, within a time limit, without following redirects. A connection goes to a
 * public address only, unless the target allows others; addresses are checked when the connection is made.
 */
import { createHmac } from 'node:crypto';
import {
  AddressNotAllowed,
  type AddressRange,
  fetch,
  guardedAgent,
  readBody,
  type Response,
  rootCause,
  systemNetwork,
} from './guarded-agent.js';
import { secretBytes } from './webhook-settings.js';

/** The time for a connection, and for a whole request with its answer. */
const CONNECT_MS = 5_000;
const REQUEST_MS = 15_000;
/** So much of an answer is read, for the connection to be used again; with more it is closed. */
const MAX_ANSWER_BYTES = 16 * 1024;
const GONE = 410;
const SECOND_MS = 1_000;

/** Where a message is sent, and how it is signed. */
export interface SignedTarget {
  readonly url: string;
  readonly secrets: readonly string[];
  readonly allowPrivate: boolean;
}

/** A message with its id, by which a receiver knows one that comes twice. */
export interface SignedMessage {
  readonly id: string;
  readonly body: string;
}

/** `refused`: the receiver wants no more. `problem` has no URL and no address. */
export type PostOutcome =
  | { readonly kind: 'delivered'; readonly status: number }
  | { readonly kind: 'refused'; readonly status: number; readonly problem: string }
  | { readonly kind: 'failed'; readonly status?: number; readonly problem: string; readonly retryAfterMs?: number };

/** Sends messages, and holds connections. */
export interface SignedPosts {
  post(target: SignedTarget, message: SignedMessage): Promise<PostOutcome>;
  close(): Promise<void>;
}

/** How messages are sent. */
export interface SignedPostsOptions {
  /** The name and version of this program. */
  readonly userAgent: string;
  /** Further addresses that count as private. */
  readonly privateNetworks?: readonly AddressRange[];
  /** The time for a request with its answer. */
  readonly requestMs?: number;
}

export function openSignedPosts({ userAgent, privateNetworks = [], requestMs = REQUEST_MS }: SignedPostsOptions): SignedPosts {
  const guarded = guardedAgent(systemNetwork(false, privateNetworks), CONNECT_MS);
  const unguarded = guardedAgent(systemNetwork(true), CONNECT_MS);
  return {
    async post({ url, secrets, allowPrivate }, { id, body }) {
      const signed = signedHeaders({ id, timestamp: Math.floor(Date.now() / SECOND_MS), body }, secrets);
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'user-agent': userAgent, ...signed },
          body,
          redirect: 'manual',
          dispatcher: allowPrivate ? unguarded : guarded,
          signal: AbortSignal.timeout(requestMs),
        });
        const outcome = outcomeOf(response);
        await discard(response);
        return outcome;
      } catch (error) {
        return { kind: 'failed', problem: problemOf(rootCause(error), requestMs) };
      }
    },
    async close() {
      await Promise.all([guarded.destroy(), unguarded.destroy()]);
    },
  };
}

/** What a receiver verifies: the id of the message, the second in which it was sent, and the body. */
interface SignedContent extends SignedMessage {
  readonly timestamp: number;
}

/** The headers of Standard Webhooks 1.0, with a signature of each secret. */
function signedHeaders({ id, timestamp, body }: SignedContent, secrets: readonly string[]): Readonly<Record<string, string>> {
  const content = `${id}.${timestamp}.${body}`;
  const signatures = secrets.map((secret) => {
    const key = secretBytes(secret) ?? Buffer.alloc(0);
    return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') };
}

function outcomeOf({ status, ok, headers }: Response): PostOutcome {
  if (ok) return { kind: 'delivered', status };
  const problem = status >= 300 && status < 400 ? `HTTP ${status}: redirects are not followed` : `HTTP ${status}`;
  if (status === GONE) return { kind: 'refused', status, problem };
  const retryAfterMs = retryAfterOf(headers.get('retry-after'));
  return { kind: 'failed', status, problem, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** Seconds, or a date. */
function retryAfterOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}

/** Whatever happens to the rest of the answer, its status counts. */
async function discard(response: Response): Promise<void> {
  await readBody(response, { maxBytes: MAX_ANSWER_BYTES }).catch(() => undefined);
}

/** Operators see it, and it is kept in plain text: it has no URL and no address. */
function problemOf(error: Error, requestMs: number): string {
  if (error instanceof AddressNotAllowed) return 'not a public address';
  if (error.name === 'TimeoutError') return `no answer within ${requestMs / SECOND_MS} s`;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return code !== undefined && /^[A-Z][A-Z0-9_]*$/.test(code) ? code : 'the connection failed';
}
