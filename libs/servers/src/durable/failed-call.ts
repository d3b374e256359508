import { ConnectionLostError, RpcError, TaskFailedError } from '@longhaul/client';
import { cutText, FIELD_LIMITS } from '@longhaul/tasks';
import { authErrorIn, CredentialsExpired, type ServerAuthError } from '../auth/auth-errors.js';
import type { ConnectedServer } from '../connection/connected-server.js';
import { failureText } from '../connection/failure-text.js';
import { MAX_RECORDED_BYTES } from './bounded-result.js';
import type { CalledTool } from './called-tool.js';

/** A call without a result. Plain JSON: it is recorded. */
export interface FailedCall {
  readonly failure: string;
  /** Whether the server has acted on the call: not at all, or it is not known. Absent: it has answered with an error. */
  readonly effect?: 'none' | 'unknown';
  /** The JSON-RPC error with which it has answered, or with which its task has ended. */
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  /** There is no token of the caller for the server any more. */
  readonly isExpired?: true;
}

/** The record of the error of a call. */
export function failedCall(
  error: unknown,
  { tool, server, maxResultBytes = MAX_RECORDED_BYTES }: Pick<CalledTool, 'tool' | 'server' | 'maxResultBytes'>,
  connected?: ConnectedServer,
): FailedCall {
  if (error instanceof RpcError && error.reference !== undefined && !(error instanceof TaskFailedError)) {
    const failure = `The server "${server}" does not know the task of ${tool} any more (${error.message}). It is unknown how it has ended.`;
    return { failure, effect: 'unknown' };
  }
  if (error instanceof RpcError) {
    const { code, data } = error;
    const message = cutText(error.message, FIELD_LIMITS.errorMessageBytes);
    // Data that is larger than a result may be is left out.
    const isKept = data !== undefined && Buffer.byteLength(JSON.stringify(data)) <= maxResultBytes;
    return { failure: message, error: { code, message, ...(isKept && { data }) } };
  }
  const refused = authErrorIn(error);
  const isUnknown = error instanceof ConnectionLostError && error.effect === 'unknown';
  if (refused !== undefined && !isUnknown) return refusedCall(refused);
  const failure = connected === undefined ? textOf(error) : failureText(error, connected);
  return { failure, ...(error instanceof ConnectionLostError && { effect: error.effect }) };
}

/** The record of a refusal of our credentials. The call would be refused again. */
export function refusedCall(error: ServerAuthError): FailedCall {
  return { failure: error.message, ...(error instanceof CredentialsExpired && { isExpired: true }) };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
