/**
 * Converts an error to a JSON-RPC error and, for a single request, to an HTTP status; no other module does. An error outside the table is
 * the server's own fault: it is logged, and the client does not see its text.
 */
import { ProtocolError } from '@longhaul/mcp-features';
import { JsonRpcCode, TaskError, type TaskErrorCode, type TaskId } from '@longhaul/tasks';
import type { Logger } from 'pino';
import { CapabilitiesMissing } from './capabilities-missing.js';

/** JSON-RPC error codes: the standard's codes, and MCP's codes over HTTP. */
export const RpcCode = {
  ...JsonRpcCode,
  /** The transport refuses before a message is read. */
  Transport: -32000,
  /** The same in revision 2026-07-28, which advises against codes from -32000 to -32019, and wants others outside of JSON-RPC's range. */
  Refused: -31000,
  SessionNotFound: -32001,
  ResourceNotFound: -32002,
  /** Revision 2026-07-28: the headers differ from the body. */
  HeaderMismatch: -32020,
  /** Revision 2026-07-28: the client has not declared a needed capability. */
  MissingCapability: -32021,
  /** Revision 2026-07-28: the request is of a revision that is not served. */
  UnsupportedVersion: -32022,
} as const;

/** An error in the form that is sent to the client. */
export interface RpcFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  /** The status of the HTTP response if it has not begun. */
  readonly httpStatus: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How an answer is sent if it is the whole response. */
export type AnswerHead = Partial<Pick<RpcFailure, 'httpStatus' | 'headers'>>;

const RETRY_AFTER_MS = 1_000;
/** A full store gets room as tasks expire, which takes longer than an outage. */
const RETRY_WHEN_FULL_MS = 10_000;

/** Data of temporary failures: the request has not been served, and may be repeated. */
const RETRYABLE = retryableIn(RETRY_AFTER_MS);

function retryableIn(retryAfterMs: number) {
  return { headers: { 'retry-after': String(retryAfterMs / 1_000) }, data: { retryable: true, retryAfterMs } };
}

/** For a client that hangs up before its request is served, while it sends or while it waits for the store. */
export const HUNG_UP: RpcFailure = { code: RpcCode.InvalidRequest, message: 'Invalid Request: the body is incomplete', httpStatus: 400 };

/** For requests that come, or wait, while the process ends. */
export const SHUTTING_DOWN: RpcFailure = {
  code: RpcCode.Transport,
  message: 'This gateway is shutting down. Tasks continue; ask again.',
  httpStatus: 503,
  ...RETRYABLE,
};

/** For a request that waits for a task while the process ends, and cannot be sent to another gateway. */
export function taskLeft(taskId: TaskId | undefined): RpcFailure {
  if (taskId === undefined) return SHUTTING_DOWN;
  const message = 'This gateway is shutting down. The task continues: ask for its result with tasks/result, and do not call again.';
  return { ...SHUTTING_DOWN, message, data: { ...RETRYABLE.data, taskId } };
}

/** For streams that last longer than the token of their caller. */
export const TOKEN_EXPIRED: RpcFailure = {
  code: RpcCode.Transport,
  message: 'Unauthorized: the bearer token has expired. Ask again with a new one.',
  httpStatus: 401,
};

/** For a waiting request when the caller's token expires and the client cannot come back for the answer. */
export function tokenExpired(taskId: TaskId | undefined): RpcFailure {
  if (taskId === undefined) return TOKEN_EXPIRED;
  const message = 'The bearer token has expired. The task continues: ask for its result with tasks/result, and do not call again.';
  // The status is not 401: a client would call again with its next token.
  return { ...TOKEN_EXPIRED, message, httpStatus: 200, data: { taskId } };
}

/** For requests that wait while their session ends. */
export const SESSION_ENDED: RpcFailure = { code: RpcCode.SessionNotFound, message: 'Session not found', httpStatus: 404 };

/** For a client that sends requests after `shutdown`. */
export const SESSION_SHUT_DOWN: RpcFailure = {
  code: RpcCode.InvalidRequest,
  message: 'Invalid Request: after shutdown, only the notification exit is accepted',
  httpStatus: 400,
};

/** For a client that opens too many streams in its session. */
export function tooManyStreams(maxOpen: number): RpcFailure {
  return {
    code: RpcCode.Transport,
    message: `At most ${maxOpen} streams may be open in a session at the same time.`,
    httpStatus: 429,
    ...RETRYABLE,
  };
}

/** For a client that wants to listen when too many streams are open. */
export function tooManyListenStreams(most: number, whose: 'owner' | 'tenant' | 'gateway'): RpcFailure {
  const of = { owner: 'one caller', tenant: 'one tenant', gateway: 'all callers' }[whose];
  const message = `At most ${most} streams of subscriptions/listen of ${of} may be open at one gateway at the same time.`;
  return { code: RpcCode.Transport, message, httpStatus: whose === 'gateway' ? 503 : 429, ...RETRYABLE };
}

/** For a client that opens sessions faster than it may. */
export function tooManySessions(perHour: number, retryAfterMs: number): RpcFailure {
  const seconds = Math.ceil(retryAfterMs / 1_000);
  return {
    code: RpcCode.Transport,
    message: `At most ${perHour} sessions may be opened in an hour; try again in ${seconds} s, or use one that is open.`,
    httpStatus: 429,
    ...retryableIn(1_000 * seconds),
  };
}

/** For a client that opens a session while its caller has as many as it may. */
export function tooManyOpenSessions(most: number): RpcFailure {
  return {
    code: RpcCode.Transport,
    message: `At most ${most} sessions may be open at the same time; end one by DELETE, or use one.`,
    httpStatus: 429,
    headers: { 'retry-after': String(RETRY_WHEN_FULL_MS / 1_000) },
    data: { limit: 'sessions', most, retryable: true, retryAfterMs: RETRY_WHEN_FULL_MS },
  };
}

/** For a caller that makes more requests than it may. */
export function tooManyRequests(
  { perSecond, burst }: { readonly perSecond: number; readonly burst: number },
  retryAfterMs: number,
): RpcFailure {
  const seconds = Math.ceil(retryAfterMs / 1_000);
  return {
    code: RpcCode.Transport,
    message: `At most ${perSecond} requests may be made in a second, and ${burst} at once; try again in ${seconds} s.`,
    httpStatus: 429,
    headers: { 'retry-after': String(seconds) },
    data: { limit: 'requests', perSecond, burst, retryable: true, retryAfterMs },
  };
}

/** For a request whose body is too large together with the other bodies in work. */
export function tooManyBodies(limitBytes: number, whose: 'caller' | 'gateway'): RpcFailure {
  const of = whose === 'caller' ? 'of one caller or address' : 'of all callers';
  return {
    code: RpcCode.Transport,
    message: `Request bodies ${of} may take at most ${limitBytes} bytes of a gateway's memory at the same time; try again in 1 s.`,
    httpStatus: whose === 'caller' ? 429 : 503,
    headers: RETRYABLE.headers,
    data: { limit: 'bodies', limitBytes, ...RETRYABLE.data },
  };
}

/** For an answer that does not fit together with the other answers of its batch. */
export function batchTooLarge(maxCharacters: number): RpcFailure {
  const message = `The answers of a batch may have ${maxCharacters} characters together, and this one is beyond that. What was asked is done; send what has a large answer by itself.`;
  return { code: RpcCode.Transport, message, httpStatus: 200 };
}

/** For an address from which wrong tokens come faster than they may. */
export function tooManyFailures(perMinute: number, retryAfterMs: number): RpcFailure {
  const seconds = Math.ceil(retryAfterMs / 1_000);
  return {
    code: RpcCode.Transport,
    message: `At most ${perMinute} tokens that are not good may come from one address in a minute; try again in ${seconds} s.`,
    httpStatus: 429,
    headers: { 'retry-after': String(seconds) },
    data: { limit: 'failedAuthentications', perMinute, retryable: true, retryAfterMs },
  };
}

/** The answer to a call when its process has ended before it answered. */
export const PROCESS_ENDED: RpcFailure = {
  code: RpcCode.Transport,
  message: 'The gateway that ran this call has ended, and the answer is lost with it. Call again if that does no harm.',
  httpStatus: 200,
};

const INTERNAL_ERROR: RpcFailure = { code: RpcCode.InternalError, message: 'Internal error', httpStatus: 200 };

/** For a request that needs the unreachable store. */
const STORE_UNAVAILABLE: RpcFailure = {
  code: RpcCode.InternalError,
  message: 'The task store does not answer. Try again.',
  httpStatus: 503,
  ...RETRYABLE,
};

const TASK_FAILURES: Partial<Record<TaskErrorCode, RpcFailure>> = {
  TASK_NOT_FOUND: { code: RpcCode.InvalidParams, message: 'Failed to retrieve task: Task not found', httpStatus: 200 },
  INVALID_CURSOR: { code: RpcCode.InvalidParams, message: 'Invalid cursor', httpStatus: 200 },
  IDEMPOTENCY_MISMATCH: {
    code: RpcCode.InvalidParams,
    message: 'The idempotency key in _meta["longhaul/idempotencyKey"] was used for another call.',
    httpStatus: 200,
  },
  IDEMPOTENCY_KEY_SPENT: {
    code: RpcCode.InvalidParams,
    message:
      'The call of the idempotency key in _meta["longhaul/idempotencyKey"] has ended, and its task has expired. It is not run again; use a new key for a new call.',
    data: { reason: 'IDEMPOTENCY_KEY_SPENT' },
    httpStatus: 200,
  },
  STORE_UNAVAILABLE,
  STORE_FULL: {
    code: RpcCode.InternalError,
    message: 'The task store is full, and takes nothing new. Tasks continue, and can be answered and cancelled. Try again later.',
    httpStatus: 503,
    ...retryableIn(RETRY_WHEN_FULL_MS),
  },
  KEY_MISSING: {
    code: RpcCode.InternalError,
    message: 'What is kept for this call is encrypted with a key that the server does not have. Its operator knows which.',
    data: { reason: 'KEY_MISSING' },
    httpStatus: 200,
  },
  VALUE_NOT_GENUINE: {
    code: RpcCode.InternalError,
    message: 'What is kept for this call is not what was written: it was changed or moved in the store.',
    data: { reason: 'VALUE_NOT_GENUINE' },
    httpStatus: 200,
  },
  VALUE_MISSING: {
    code: RpcCode.InternalError,
    message: 'A part of what is kept for this call is gone. Its operator knows which.',
    data: { reason: 'VALUE_MISSING' },
    httpStatus: 200,
  },
  VALUES_UNAVAILABLE: {
    code: RpcCode.InternalError,
    message: 'The store of large values does not answer. Try again.',
    httpStatus: 503,
    ...RETRYABLE,
  },
  STORE_CONTENTION: {
    code: RpcCode.InternalError,
    message: 'Too many writers for one task. Try again.',
    httpStatus: 503,
    ...RETRYABLE,
  },
};

/**
 * Sent with the message of the error, which names the limit, the client's missing capability or wrong answer, or the mistake of a feature.
 */
const CODES_WITH_OWN_MESSAGE: Partial<Record<TaskErrorCode, number>> = {
  TOO_MANY_TASKS: RpcCode.Transport,
  TOO_MANY_BYTES: RpcCode.Transport,
  TOO_MANY_CREATIONS: RpcCode.Transport,
  QUEUE_FULL: RpcCode.Transport,
  SESSION_FULL: RpcCode.Transport,
  OWNER_FULL: RpcCode.Transport,
  CLIENT_LACKS_CAPABILITY: RpcCode.InvalidParams,
  ANSWER_DOES_NOT_FIT: RpcCode.InvalidParams,
  SIGNAL_DOES_NOT_FIT: RpcCode.InvalidParams,
  TOO_MANY_SIGNALS: RpcCode.Transport,
  INPUT_FAILED: RpcCode.InternalError,
  INVALID_KEY: RpcCode.InternalError,
  NOT_SERIALIZABLE: RpcCode.InternalError,
};

/**
 * Thrown to refuse a request with its own HTTP status: by the transport before its method runs, or by what the method reads for its caller.
 * If a feature of the gateway lets one through, the request is refused in the same way.
 */
export class Refusal extends ProtocolError {
  override readonly name = 'Refusal';

  constructor(
    readonly httpStatus: number,
    code: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    data?: unknown,
  ) {
    super(code, message, data);
  }
}

/**
 * Asks the store for something that decides whether a request may be served. @throws Refusal 503 in both protocol versions when the store
 * does not answer
 */
export async function orUnavailable<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw error instanceof TaskError && error.code === 'STORE_UNAVAILABLE' ? refusalOf(STORE_UNAVAILABLE) : error;
  }
}

/** The failure, to be thrown. */
export function refusalOf({ httpStatus, code, message, headers, data }: RpcFailure): Refusal {
  return new Refusal(httpStatus, code, message, headers, data);
}

/** Callers that are not let in, and callers over their limits. */
const LOGGED_REFUSALS = new Set([401, 403, 429]);

/** The failure that the client receives for a thrown error. Logs the server's own faults, and refusals that an operator wants to see. */
export function failureOf(error: unknown, logger: Logger): RpcFailure {
  if (error instanceof Refusal) {
    if (LOGGED_REFUSALS.has(error.httpStatus)) logger.warn({ status: error.httpStatus, reason: error.message }, 'refused');
    return error;
  }
  if (error instanceof CapabilitiesMissing) return { code: RpcCode.InvalidParams, message: error.message, httpStatus: 200 };
  if (error instanceof ProtocolError) {
    const { code, message, data } = error;
    return { code, message, httpStatus: 200, ...(data !== undefined && { data }) };
  }
  const rpcCode = error instanceof TaskError ? CODES_WITH_OWN_MESSAGE[error.code] : undefined;
  if (error instanceof TaskError && rpcCode === RpcCode.Transport)
    logger.warn({ code: error.code, reason: error.message }, 'limit reached');
  if (error instanceof TaskError && rpcCode !== undefined)
    return { code: rpcCode, message: error.message, httpStatus: 200, ...(error.data !== undefined && { data: error.data }) };
  const failure = error instanceof TaskError ? TASK_FAILURES[error.code] : undefined;
  if (failure === undefined || isUnreadable(error)) logger.error({ err: error }, 'request failed');
  else if (failure.httpStatus >= 500)
    logger.warn({ err: error }, error instanceof TaskError && error.code === 'STORE_FULL' ? 'store full' : 'store unavailable');
  return failure ?? INTERNAL_ERROR;
}

/** Something is wrong with the store or its keys, which the client cannot change. */
function isUnreadable(error: unknown): boolean {
  return (
    error instanceof TaskError && (error.code === 'KEY_MISSING' || error.code === 'VALUE_NOT_GENUINE' || error.code === 'VALUE_MISSING')
  );
}

/** Wrong parameters, sent as -32602. */
export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(RpcCode.InvalidParams, message);
}
