/** Reads a client's message as far as the bridge must understand it. The gateway judges the rest. */
import { withoutByteOrderMark } from '@longhaul/runtime/byte-order-mark';
import { isJsonObject, type JsonObject } from '@longhaul/tasks/json';

/** A message that must be answered: a request, or a message that may have been meant as one. */
export interface IncomingRequest {
  /** Null when it has none that can be used. */
  readonly id: MessageId | null;
  /** Empty when it has none. */
  readonly method: string;
  readonly params: unknown;
}

/** Something without an answer. */
export interface IncomingNotification {
  readonly method: string;
  readonly params: unknown;
}

export type MessageId = string | number;

/** A line of input: a message, or a batch of them. */
export interface Incoming {
  /** As it came. */
  readonly text: string;
  readonly requests: readonly IncomingRequest[];
  readonly notifications: readonly IncomingNotification[];
  readonly isBatch: boolean;
}

/** @throws SyntaxError when it is not JSON */
export function readIncoming(text: string): Incoming {
  const value: unknown = JSON.parse(withoutByteOrderMark(text));
  const isBatch = Array.isArray(value);
  const requests: IncomingRequest[] = [];
  const notifications: IncomingNotification[] = [];
  for (const item of isBatch ? (value as unknown[]) : [value]) {
    const { id, method, params, ...rest } = isJsonObject(item) ? item : {};
    const isResponse = method === undefined && ('result' in rest || 'error' in rest);
    if (typeof method === 'string' && isJsonObject(item) && isIdLeftOut(item, method)) notifications.push({ method, params });
    else if (!isResponse) requests.push({ id: isMessageId(id) ? id : null, method: typeof method === 'string' ? method : '', params });
  }
  return { text, requests, notifications, isBatch };
}

/** The gateway takes null for none on a notification, too. */
function isIdLeftOut({ id }: JsonObject, method: string): boolean {
  return id === undefined || (id === null && method.startsWith('notifications/'));
}

/** The id of the request that a message from the gateway answers; undefined when it is a request or a notification itself. */
export function answeredId(message: unknown): MessageId | null | undefined {
  if (!isJsonObject(message) || 'method' in message) return undefined;
  return isMessageId(message['id']) ? message['id'] : null;
}

export function isMessageId(value: unknown): value is MessageId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}
