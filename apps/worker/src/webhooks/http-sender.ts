/**
 * Sends webhooks by HTTP, each once: signed, within a time limit, without following redirects. A connection goes to a public address only,
 * unless the settings of the endpoint allow others; addresses are checked when the connection is made.
 */
import {
  AddressNotAllowed,
  type AddressRange,
  fetch,
  guardedAgent,
  readBody,
  type Response,
  rootCause,
  systemNetwork,
} from '@longhaul/runtime/guarded-agent';
import { packageVersion } from '@longhaul/runtime/package-version';
import { hostOf, type WebhooksConfig } from '@longhaul/runtime/webhook-settings';
import { CALL_ENDPOINT, type SendOutcome, type WebhookDelivery, type WebhookSender } from '@longhaul/tasks';
import { signedHeaders } from './signature.js';

/** The time for a connection, and for a whole request with its answer. */
const CONNECT_MS = 5_000;
const REQUEST_MS = 15_000;
/** So much of an answer is read, for the connection to be used again; with more it is closed. */
const MAX_ANSWER_BYTES = 16 * 1024;
const GONE = 410;
const SECOND_MS = 1_000;

/** Where and how a webhook is sent. */
interface Target {
  readonly url: string;
  readonly secrets: readonly string[];
  readonly allowPrivate: boolean;
}

/** A sender that holds connections. */
export interface HttpSender extends WebhookSender {
  close(): Promise<void>;
}

/**
 * Opens a sender.
 *
 * @param privateNetworks further addresses that count as private
 * @param requestMs the time for a request with its answer
 */
export function openHttpSender(
  config: WebhooksConfig,
  privateNetworks: readonly AddressRange[] = [],
  requestMs: number = REQUEST_MS,
): HttpSender {
  const guarded = guardedAgent(systemNetwork(false, privateNetworks), CONNECT_MS);
  const unguarded = guardedAgent(systemNetwork(true), CONNECT_MS);
  const agent = `Longhaul/${packageVersion(import.meta.url)}`;
  const send = async (delivery: WebhookDelivery, { url, secrets, allowPrivate }: Target): Promise<SendOutcome> => {
    const { id, message } = delivery;
    const signed = signedHeaders({ id, timestamp: Math.floor(Date.now() / SECOND_MS), body: message.body }, secrets);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': agent, ...signed },
        body: message.body,
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
  };
  return {
    hostOf: (delivery) => hostOf(targetOf(config, delivery)?.url ?? ''),
    async send(delivery) {
      const target = targetOf(config, delivery);
      return target === undefined ? { kind: 'failed', problem: 'not in LONGHAUL_WEBHOOKS of the worker' } : send(delivery, target);
    },
    async close() {
      await Promise.all([guarded.destroy(), unguarded.destroy()]);
    },
  };
}

function targetOf({ endpoints, calls }: WebhooksConfig, { endpoint, message }: WebhookDelivery): Target | undefined {
  if (endpoint !== CALL_ENDPOINT) return Object.hasOwn(endpoints, endpoint) ? endpoints[endpoint] : undefined;
  const { url = '' } = message;
  const host = hostOf(url) ?? '';
  const settings = Object.hasOwn(calls, host) ? calls[host] : undefined;
  return settings && { url, ...settings };
}

function outcomeOf({ status, ok, headers }: Response): SendOutcome {
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
