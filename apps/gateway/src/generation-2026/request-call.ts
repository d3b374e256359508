/**
 * A request of revision 2026-07-28 as the methods know it. It has no session: everything about the client
 * comes with the request.
 */
import { type JsonObject, TaskError } from '@longhaul/tasks';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  TRACEPARENT_META_KEY,
  type LoggingLevel,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { accountsOfCaller, callerWithoutSession, type Identity } from '../rpc/caller.js';
import type { ActCall, RequestScope } from '../rpc/method.js';
import type { Session } from '../state/session.js';
import { traceOf } from '../rpc/trace.js';
import { declaresTasks, GENERATION } from './extension.js';
import type { ParsedRequest } from './web-exchange.js';

/** What features may tell, and this revision has no word for: a client learns it when it repeats its request. */
const GONE: ReadonlySet<string> = new Set(['notifications/elicitation/complete']);

/** What a request says of its client; the SDK has checked what has to be there. */
interface Envelope {
  readonly [CLIENT_CAPABILITIES_META_KEY]?: unknown;
  readonly [CLIENT_INFO_META_KEY]?: { readonly name: string; readonly version: string };
  readonly [LOG_LEVEL_META_KEY]?: LoggingLevel;
  readonly [PROTOCOL_VERSION_META_KEY]?: string;
}

/** What comes back from the client when it repeats a request. */
export interface RoundInput {
  readonly requestState: string | undefined;
  /** Its answers, by the keys of what it was asked. Nothing of them has been checked. */
  readonly inputResponses: Readonly<Record<string, unknown>>;
  /** Whether there is anything in the place of the answers. */
  readonly isAnswered: boolean;
  /** The keys of what cannot be an answer at all. */
  readonly unreadable: readonly string[];
}

/** A request, and what it repeats. */
export interface RequestCall {
  readonly call: ActCall;
  readonly round: RoundInput;
  /** Whether the client has declared the tasks extension. */
  readonly knowsTasks: boolean;
}

/** @param params of the request, without what the SDK has taken out of them */
export function requestCall(params: unknown, { mcpReq, http }: ServerContext, logger: Logger): RequestCall {
  const { id, method, inputResponses, droppedInputResponseKeys: unreadable = [] } = mcpReq;
  const envelope: Envelope = mcpReq.envelope ?? {};
  const capabilities = (envelope[CLIENT_CAPABILITIES_META_KEY] ?? {}) as JsonObject;
  const info = envelope[CLIENT_INFO_META_KEY];
  const level = envelope[LOG_LEVEL_META_KEY];
  const client = { capabilities, ...(info !== undefined && { name: info.name, version: info.version }) };
  const identity = identityOf(http);
  const owner = callerWithoutSession(identity);
  const accounts = accountsOfCaller(identity, owner);
  const session: Session = {
    id: '',
    owner,
    ...(accounts !== undefined && { accounts }),
    generation: GENERATION,
    protocolVersion: envelope[PROTOCOL_VERSION_META_KEY] ?? GENERATION,
    client: () => client,
    isStored: false,
    ...(level !== undefined && { logLevel: level }),
    ...(http?.authInfo !== undefined && { auth: http.authInfo }),
  };
  const scope = scopeOf(mcpReq, level !== undefined, logger);
  const trace = traceIn(params) ?? traceOf({ traceparent: http?.req?.headers.get('traceparent') });
  const call: ActCall = {
    id,
    method,
    params: withoutTask(params),
    caller: { owner: session.owner },
    session,
    scope,
    // Only what is run in rounds can ask.
    ask: ({ method: asked }) =>
      Promise.reject(new TaskError('CLIENT_LACKS_CAPABILITY', `Revision 2026-07-28 has no place for a request "${asked}" here.`)),
    ...(trace !== undefined && { trace }),
  };
  const round = {
    requestState: mcpReq.requestState<string>(),
    inputResponses: inputResponses ?? {},
    isAnswered: inputResponses !== undefined,
    unreadable,
  };
  return { call, round, knowsTasks: declaresTasks(capabilities) };
}

/** Who makes the request: its request object is the one that this process has made. */
function identityOf(http: ServerContext['http']): Identity {
  return (http?.req as Partial<Pick<ParsedRequest, 'identity'>> | undefined)?.identity ?? {};
}

/** The params without what clients of the other generation ask for by them: whether a call is a task is not theirs to say here. */
function withoutTask(params: unknown): ActCall['params'] {
  if (typeof params !== 'object' || params === null) return undefined;
  const { task: _task, ...rest } = params as Readonly<Record<string, unknown>>;
  return rest;
}

/** The trace context that the request carries in its metadata, as this revision has it. */
function traceIn(params: unknown): string | undefined {
  const { _meta } = (params ?? {}) as { readonly _meta?: Readonly<Record<string, unknown>> };
  return traceOf({ traceparent: _meta?.[TRACEPARENT_META_KEY] });
}

function scopeOf({ signal, notify }: ServerContext['mcpReq'], wantsLogs: boolean, logger: Logger): RequestScope {
  return {
    signal,
    // A client of this revision cancels by hanging up.
    get isCancelled() {
      return signal.aborted;
    },
    push(message) {
      if (signal.aborted || GONE.has(message.method) || (message.method === 'notifications/message' && !wantsLogs)) return;
      notify(message).catch((error: unknown) => logger.warn({ err: error }, 'client not told'));
    },
    closeStream: () => undefined,
    whenOver: () => () => undefined,
    stream: { holder: { streamId: '', epoch: 1, gatewayId: '' }, hasSent: () => false, bind: () => undefined },
  };
}
