/** Converts errors to the form of revision 2026-07-28. */
import { type ClientCapability, declarationOf, TaskError } from '@longhaul/tasks';
import { MissingRequiredClientCapabilityError, ProtocolError } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { failureOf, Refusal, RpcCode, type RpcFailure } from '../../rpc/errors.js';
import { CapabilitiesMissing } from '../../rpc/capabilities-missing.js';
import { codeIn2026, ownCodeIn2026, ownFailureIn2026 } from './error-codes.js';
import { TASKS_EXTENSION } from '../../rpc/plain-calls/follows-tasks.js';

/** The user has not opened the URLs that the call needs. */
export class UrlsNotOpened extends Error {
  override readonly name = 'UrlsNotOpened';
}

/** The client has not declared the tasks extension, which the request needs. */
export function tasksExtensionMissing(): ProtocolError {
  return new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } });
}

/**
 * The failure that the client receives, with the HTTP status if the response has not begun. A refusal before the method runs has its own
 * status; an error of a method is sent like other answers, with one exception in the specification.
 */
export function failureIn2026(error: unknown, logger: Logger): RpcFailure {
  if (error instanceof Refusal) {
    const failure = failureOf(error, logger);
    const { httpStatus, headers = {} } = failure;
    return { ...ownFailureIn2026(failure), httpStatus: httpStatus === 200 ? 500 : httpStatus, headers };
  }
  const { code, message, data } = protocolErrorOf(error, logger);
  return { code, message, data, httpStatus: code === RpcCode.MissingCapability ? 400 : 200 };
}

/** The error that the client receives. The server's own faults are logged here. */
export function protocolErrorOf(error: unknown, logger: Logger): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (error instanceof CapabilitiesMissing) return capabilitiesMissing(error.missing, error.message);
  if (error instanceof TaskError && error.code === 'CLIENT_LACKS_CAPABILITY') return notAsked(error);
  if (error instanceof UrlsNotOpened) return new ProtocolError(RpcCode.InternalError, error.message);
  const { code, message, data } = failureOf(error, logger);
  const isOwn = error instanceof TaskError || error instanceof Refusal;
  return new ProtocolError(isOwn ? ownCodeIn2026(code) : codeIn2026(code), message, data);
}

/** A feature has asked its client for something that the client has not declared, or that this revision does not have. */
function notAsked({ data, message }: TaskError): ProtocolError {
  const { capability } = (data ?? {}) as { readonly capability?: ClientCapability };
  if (capability === undefined) return new ProtocolError(RpcCode.InternalError, message);
  return capabilitiesMissing([capability], message);
}

function capabilitiesMissing(missing: readonly ClientCapability[], message: string): ProtocolError {
  return new MissingRequiredClientCapabilityError({ requiredCapabilities: declarationOf(missing) }, message);
}
