/** Classifies JSON-RPC messages, and finds invalid values. It assumes only that a value is the result of `JSON.parse`. */
import { FIELD_LIMITS, isJsonObject, tooLong } from '@longhaul/tasks';
import type { RpcFailure } from './errors.js';

/** The params of a request or notification: MCP passes them only by name. */
export type Params = Readonly<Record<string, unknown>>;

/** A message that expects an answer. */
export interface RequestMessage {
  readonly kind: 'request';
  readonly id: string | number;
  readonly method: string;
  readonly params: Params | undefined;
}

/** The members of a JSON-RPC response that carry the answer. */
export interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A JSON-RPC response that the client POSTed. */
export interface ReceivedResponse {
  /** Absent when the id is missing or of a wrong type. */
  readonly id?: string | number;
  readonly answer: RpcAnswer;
}

/** The messages that a client may send. */
export type Message =
  | RequestMessage
  | { readonly kind: 'notification'; readonly method: string; readonly params: Params | undefined }
  | { readonly kind: 'response'; readonly response: ReceivedResponse }
  | { readonly kind: 'invalid'; readonly reason: string; readonly id: string | number | null };

/** So many tasks of a stream are read and followed at the cost of one request. */
const FOLLOWED_PER_REQUEST = 4;

/** How many requests a body counts as: one for each message, and more for a stream that is to follow many tasks. */
export function requestsIn(body: unknown): number {
  if (Array.isArray(body)) return body.length;
  const params = isJsonObject(body) && body['method'] === 'subscriptions/listen' ? body['params'] : undefined;
  const notifications = isJsonObject(params) ? params['notifications'] : undefined;
  const taskIds = isJsonObject(notifications) ? notifications['taskIds'] : undefined;
  return Array.isArray(taskIds) ? Math.max(Math.ceil(taskIds.length / FOLLOWED_PER_REQUEST), 1) : 1;
}

export function readMessage(value: unknown): Message {
  if (!isJsonObject(value)) return invalid('a message is an object');
  const { id, method, params } = value;
  const knownId = isId(id) ? id : undefined;
  if (value['jsonrpc'] !== '2.0') return invalid('"jsonrpc" must be "2.0"', knownId);
  if (method === undefined) {
    if (!('result' in value) && !('error' in value)) return invalid('"method" is missing', knownId);
    const answer = { result: value['result'], error: value['error'] };
    return { kind: 'response', response: knownId === undefined ? { answer } : { id: knownId, answer } };
  }
  if (typeof method !== 'string') return invalid('"method" must be a string', knownId);
  if (params !== undefined && !isJsonObject(params)) return invalid('"params" must be an object', knownId);
  if (!('id' in value)) return { kind: 'notification', method, params };
  return knownId === undefined
    ? invalid(unfitId(id) ?? '"id" must be a string or an integer')
    : { kind: 'request', id: knownId, method, params };
}

function invalid(reason: string, id: string | number | null = null): Message {
  return { kind: 'invalid', reason: `Invalid Request: ${reason}`, id };
}

/** Whether the value can be the id of a request. */
export function isId(value: unknown): value is string | number {
  return typeof value === 'string' ? unfitId(value) === undefined : Number.isSafeInteger(value);
}

/** The mistake of an id that cannot be sent back unchanged: it is longer than allowed, or has half of a character. */
export function unfitId(id: unknown): string | undefined {
  return typeof id === 'string' ? unfit('"id"', id, FIELD_LIMITS.requestIdBytes) : undefined;
}

/** The JSON-RPC answer to a request that has failed. */
export interface ErrorAnswer {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: Pick<RpcFailure, 'code' | 'message' | 'data'>;
}

/** An error as the answer to a request. */
export function errorAnswer(id: string | number | null, { code, message, data }: RpcFailure): ErrorAnswer {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}

/** The id of a refused message, if it is a request, or could have been one, with a usable id. */
export function requestIdOf(body: unknown): string | number | null {
  const message = readMessage(body);
  return message.kind === 'request' || message.kind === 'invalid' ? message.id : null;
}

/** The mistake of a text that is longer than allowed, or cannot be sent back unchanged; `undefined` when there is none. */
export function unfit(field: string, text: string, maxBytes: number): string | undefined {
  return tooLong(field, text, maxBytes) ?? (text.isWellFormed() ? undefined : `${field} has half of a character (a lone surrogate)`);
}
