/** Defines the JSON-RPC errors that the bridge itself sends to the client. */
import { isJsonObject } from '@longhaul/tasks/json';
import { JsonRpcCode } from '@longhaul/tasks/json-rpc-code';

/** Why a request has no other answer. */
export class Failure extends Error {
  override readonly name = 'Failure';

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** A line that is not JSON. */
export function notJson(): Failure {
  return new Failure(JsonRpcCode.ParseError, 'Parse error: Invalid JSON');
}

export function lineTooLong(maxBytes: number): Failure {
  return new Failure(JsonRpcCode.InvalidRequest, `Invalid Request: a line has at most ${maxBytes} bytes`);
}

export function notInitialized(): Failure {
  return new Failure(JsonRpcCode.InvalidRequest, 'Invalid Request: the first request must be initialize');
}

/** The gateway has died, and its progress is unknown. */
export function answerLost(): Failure {
  return new Failure(JsonRpcCode.InternalError, 'The gateway ended before it answered. Call again if that does no harm.');
}

export function unreachable(waitedMs: number): Failure {
  return new Failure(JsonRpcCode.InternalError, `The gateway was out of reach for ${waitedMs / 1_000} s.`);
}

/** The error in the body of an HTTP response; where there is none, one that says so. */
export function failureOf(httpStatus: number | undefined, body: string): Failure {
  const { code, message, data } = errorIn(body);
  return typeof code === 'number' && typeof message === 'string'
    ? new Failure(code, message, data)
    : new Failure(JsonRpcCode.InternalError, `The gateway answered with HTTP status ${httpStatus}.`);
}

/** The failure as the answer to a request. */
export function failureAnswer(id: string | number | null, { code, message, data }: Failure): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } });
}

/** The failure as the end of a subscription, which is no answer. */
export function subscriptionEnd(requestId: string | number | null, { message: reason }: Failure): string {
  return JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason } });
}

function errorIn(body: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(body);
    return isJsonObject(parsed) && isJsonObject(parsed['error']) ? parsed['error'] : {};
  } catch {
    return {};
  }
}
