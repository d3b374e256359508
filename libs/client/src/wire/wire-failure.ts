/** Converts an error of a transport into an error of this library. It says whether the server may have acted on the request. */
import { METHOD_NOT_FOUND, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { ClientError, ConnectionLostError, ProtocolViolationError, RpcError, SessionLostError } from '../errors.js';

/** Answers that say that the server, or what stands before it, is away or busy. */
const AWAY = new Set([408, 429, 502, 503, 504]);

/** The code of Node's `fetch` when it could not connect. Browsers do not report it. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

const SYSTEM_CODE = /^(E[A-Z0-9]+|EAI_[A-Z]+|UND_ERR_[A-Z_]+)$/;

export interface SentRequest {
  readonly id: string;
  readonly method: string;
  /** Whether the request belonged to a session. */
  readonly hasSession: boolean;
}

/** Translates what sending the request threw. */
export function wireFailure(error: unknown, request: SentRequest): unknown {
  if (error instanceof ClientError) return error;
  if (error instanceof SdkHttpError) return httpFailure(error, request);
  // The first request could not be sent, and this is why.
  if (error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed && error.cause instanceof Error)
    return wireFailure(error.cause, request);
  if (!(error instanceof Error)) return error;
  if (error instanceof SyntaxError || error.name === 'ZodError')
    return new ProtocolViolationError(`The answer to ${request.method} is no JSON-RPC message.`, { cause: error });
  const codes = codesOf(error);
  if (codes.length === 0 && !isFetchFailure(error)) return error;
  const effect = codes.some((code) => NEVER_SENT.has(code)) ? 'none' : 'unknown';
  return new ConnectionLostError(`${request.method} could not be sent, or its answer was lost.`, effect, { cause: error });
}

function httpFailure(error: SdkHttpError, request: SentRequest): Error {
  const { method } = request;
  const { status } = error;
  const text = error.data['text'];
  if (AWAY.has(status)) return new ConnectionLostError(`The server answered ${method} with HTTP ${status}.`, 'unknown', { cause: error });
  const answer = typeof text === 'string' ? errorResponseIn(text) : undefined;
  if (isSessionLost(status, answer, request)) return new SessionLostError({ cause: error });
  if (answer?.id === request.id) return new RpcError(answer.error.code, answer.error.message, answer.error.data, { cause: error });
  return new ClientError(`The server answered ${method} with HTTP ${status}${answer ? `: ${answer.error.message}` : ''}.`, {
    cause: error,
  });
}

/**
 * The specification says 404. Servers made with the older SDK say 400, and only their message has the reason. Some say 401, as if the caller
 * were unknown; whether that is so shows when a new session is opened.
 */
function isSessionLost(status: number, answer: ErrorResponse | undefined, { hasSession }: SentRequest): boolean {
  if (!hasSession) return false;
  if (status === 401) return true;
  return status === 404 ? answer?.error.code !== METHOD_NOT_FOUND : status === 400 && /session/i.test(answer?.error.message ?? '');
}

/** The codes of servers that answer with HTTP 200 for a session that they do not know. */
const SESSION_CODES = new Set([-32_000, -32_001, -32_600]);

/** A server says such a thing in a sentence. A long text of a hostile one would take minutes to look through. */
const MAX_SENTENCE = 1_000;
const SESSION_IS_LOST = /\bsession\b.*\b(not found|unknown|expired|invalid|terminated)|\b(no valid|unknown|invalid) session\b/i;

/** Whether an error that came with HTTP 200 says that the session of the request is gone. */
export function saysSessionIsLost(code: number, message: string): boolean {
  return SESSION_CODES.has(code) && message.length <= MAX_SENTENCE && SESSION_IS_LOST.test(message);
}

interface ErrorResponse {
  readonly id?: unknown;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}

function errorResponseIn(text: string): ErrorResponse | undefined {
  try {
    const { id, error } = JSON.parse(text) as Partial<ErrorResponse>;
    return typeof error?.code === 'number' && typeof error.message === 'string' ? { id, error } : undefined;
  } catch {
    // No JSON: the answer of a proxy.
    return undefined;
  }
}

/** Node names the cause. Browsers only have a sentence for it, each another one. */
function isFetchFailure(error: Error): boolean {
  return error instanceof TypeError && (error.cause !== undefined || /fetch|network|load failed|terminated/i.test(error.message));
}

/** The error codes of the system in an error and in what caused it. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const code = 'code' in error && typeof error.code === 'string' && SYSTEM_CODE.test(error.code) ? [error.code] : [];
  const parts = error instanceof AggregateError ? error.errors.flatMap(codesOf) : [];
  return [...code, ...parts, ...codesOf(error.cause)];
}
