/** How errors are sent in revision 2026-07-28, where that differs. */
import type { ClientCapability } from '@longhaul/mcp-features';
import { TaskError } from '@longhaul/tasks';
import { MissingRequiredClientCapabilityError, ProtocolError } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { failureOf, Refusal, RpcCode, type RpcFailure } from '../../rpc/errors.js';
import { CapabilitiesMissing } from '../../rpc/capabilities-missing.js';
import { codeIn2026, ownCodeIn2026, ownFailureIn2026 } from './error-codes.js';
import { TASKS_EXTENSION } from './extension.js';

/** The user has not opened what the call needs. */
export class UrlsNotOpened extends Error {
  override readonly name = 'UrlsNotOpened';
}

/** What a client has to declare for a capability. No client of this revision runs requests as tasks of its own. */
const DECLARATIONS: Readonly<Record<ClientCapability, object>> = {
  'elicitation.form': { elicitation: { form: {} } },
  'elicitation.url': { elicitation: { url: {} } },
  sampling: { sampling: {} },
  'sampling.tools': { sampling: { tools: {} } },
  'sampling.context': { sampling: { context: {} } },
  roots: { roots: {} },
  'tasks.elicitation': { tasks: { requests: { elicitation: { create: {} } } } },
  'tasks.sampling': { tasks: { requests: { sampling: { createMessage: {} } } } },
};

/** The client has not declared the tasks extension, which the request needs. */
export function tasksExtensionMissing(): ProtocolError {
  return new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } });
}

/**
 * The failure that the client receives, with the status of the response if that has not begun. What is refused before its method
 * runs has a status of its own; an error of a method is an answer like others, but for one that the specification excepts.
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
  if (error instanceof CapabilitiesMissing) return capabilitiesMissing(error);
  if (error instanceof TaskError && error.code === 'CLIENT_LACKS_CAPABILITY') return notAsked(error);
  if (error instanceof UrlsNotOpened) return new ProtocolError(RpcCode.InternalError, error.message);
  const { code, message, data } = failureOf(error, logger);
  const isOwn = error instanceof TaskError || error instanceof Refusal;
  return new ProtocolError(isOwn ? ownCodeIn2026(code) : codeIn2026(code), message, data);
}

/** A feature has asked its client for what that has not declared, or for what this revision has not. */
function notAsked({ data, message }: TaskError): ProtocolError {
  const { capability } = (data ?? {}) as { readonly capability?: string };
  if (capability === undefined) return new ProtocolError(RpcCode.InternalError, message);
  const [name = '', mode] = capability.split('.');
  const requiredCapabilities = { [name]: mode === undefined ? {} : { [mode]: {} } };
  return new MissingRequiredClientCapabilityError({ requiredCapabilities }, message);
}

function capabilitiesMissing({ missing, message }: CapabilitiesMissing): ProtocolError {
  const requiredCapabilities: Record<string, object> = {};
  for (const capability of missing)
    for (const [name, value] of Object.entries(DECLARATIONS[capability]) as [string, object][])
      requiredCapabilities[name] = { ...requiredCapabilities[name], ...value };
  return new MissingRequiredClientCapabilityError({ requiredCapabilities }, message);
}
