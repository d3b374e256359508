/** What is wrong with an answer to any request. */
import { withoutByteOrderMark } from '@longhaul/runtime/byte-order-mark';
import { checkAnswers } from '../../support/wire-schemas.js';
import type { Received, Sent } from './wire.js';

/** Statuses by which the transport refuses a request before it reads the body, so that it cannot know the id. */
const WITHOUT_READING = new Set([400, 403, 404, 406, 413, 415]);
const ANSWERS = new Set([200, 400, 403, 404, 405, 406, 409, 413, 415, 429]);
const INTERNAL_ERROR = -32_603;

/** @returns nothing when the answer is as it has to be */
export function faultOf(sent: Sent, answer: Received): string | undefined {
  const { status, text, isStream } = answer;
  if (status === 202) return text === '' ? undefined : 'a body with 202';
  if (!ANSWERS.has(status)) return `status ${status}`;
  if (sent.method === 'HEAD') return text === '' ? undefined : 'a body with HEAD';
  if (sent.method === 'DELETE' && status === 200) return text === '' ? undefined : 'a body with the end of a session';
  return (isStream ? faultOfStream(sent, answer) : faultOfBody(sent, answer)) ?? faultOfSchema(sent, answer);
}

/** What a batch or spoilt text asks for is not known, but a message has its form all the same. */
function faultOfSchema({ body, method }: Sent, { messages }: Received): string | undefined {
  try {
    checkAnswers({ body: method === 'POST' && body !== undefined ? parsed(body) : undefined }, messages);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(withoutByteOrderMark(body.toString()));
  } catch {
    return undefined;
  }
}

function faultOfStream(sent: Sent, { messages, status, hasEnded }: Received): string | undefined {
  if (status !== 200) return `a stream with status ${status}`;
  const odd = messages.find((message) => faultOfMessage(message) !== undefined);
  if (odd !== undefined) return `${faultOfMessage(odd)} on a stream`;
  const responses = messages.filter(isResponse);
  // One that has ended without an answer goes on elsewhere: such streams have ids of events.
  if (hasEnded && responses.length === 0 && sent.method === 'POST') return 'a stream that ended without an answer';
  return responses.map((response) => faultOfId(sent, response, status)).find((fault) => fault !== undefined);
}

function faultOfBody(sent: Sent, { messages, status, headers, text }: Received): string | undefined {
  if (headers['content-type']?.startsWith('application/json') !== true) return `content type ${headers['content-type']}`;
  const [body] = messages;
  if (body === undefined) return `no JSON: ${text.slice(0, 200)}`;
  const responses = Array.isArray(body) ? (body as unknown[]) : [body];
  if (responses.length === 0) return 'an empty batch';
  for (const response of responses) {
    const fault =
      faultOfMessage(response) ?? (isResponse(response) ? undefined : 'no response') ?? faultOfId(sent, response as object, status);
    if (fault !== undefined) return fault;
  }
  return status === 200 || responses.every((response) => 'error' in (response as object)) ? undefined : `a result with status ${status}`;
}

interface Response {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
}

function isResponse(message: unknown): message is Response {
  return typeof message === 'object' && message !== null && !('method' in message);
}

function faultOfMessage(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return 'a message that is no object';
  const { jsonrpc, method, id, result, error } = message as Response & { readonly jsonrpc?: unknown; readonly method?: unknown };
  if (jsonrpc !== '2.0') return 'a message without "jsonrpc"';
  if (method !== undefined) return typeof method === 'string' ? undefined : 'a method that is no text';
  if (id !== null && typeof id !== 'string' && typeof id !== 'number') return `the id ${JSON.stringify(id)}`;
  if ((result === undefined) === (error === undefined)) return 'neither result nor error, or both';
  if (result !== undefined)
    return typeof result === 'object' && result !== null && !Array.isArray(result) ? undefined : 'a result that is no object';
  if (!Number.isInteger(error?.code) || typeof error?.message !== 'string' || error.message === '')
    return 'an error without code or message';
  return error.code === INTERNAL_ERROR ? `an internal error: ${error.message}` : undefined;
}

/** The id of a request has to come back, unless the request was refused unread. */
function faultOfId({ body, method }: Sent, { id }: Response, status: number): string | undefined {
  if (method !== 'POST' || body === undefined) return undefined;
  const allowed = idsIn(body);
  if (allowed === undefined) return undefined;
  if (allowed.length === 0) return id === null ? undefined : `the id ${JSON.stringify(id)} that nobody gave`;
  // In a batch, null stands for each message without a usable id.
  if (allowed.includes(id) || (id === null && (WITHOUT_READING.has(status) || isBatch(body)))) return undefined;
  return `the id ${JSON.stringify(id)} in place of ${JSON.stringify(allowed).slice(0, 100)}`;
}

/** Usable ids of what was sent; nothing where it was no JSON. */
function idsIn(body: Buffer): readonly unknown[] | undefined {
  const value = parsed(body);
  if (value === undefined) return undefined;
  const ids = (Array.isArray(value) ? (value as unknown[]) : [value]).map((message) =>
    typeof message === 'object' && message !== null && 'id' in message ? message.id : undefined,
  );
  return ids.filter((id) => typeof id === 'string' || typeof id === 'number');
}

function isBatch(body: Buffer): boolean {
  return body.toString().trimStart().startsWith('[');
}
