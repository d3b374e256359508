/**
 * A request of revision 2026-07-28 as the methods know it. It has no session: everything about the client
 * comes with the request.
 */
import type { Requester } from '@longhaul/sessions/gateway';
import { isJsonObject, type JsonObject, TaskError } from '@longhaul/tasks';
import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import { accountsOfCaller, type AuthenticatedRequest, callerWithoutSession, type Identity, taskCallerOf } from '../../rpc/caller.js';
import type { Call, RequestScope } from '../../rpc/method.js';
import type { Operation } from '../../rpc/operation.js';
import type { PostResponse } from './post-response.js';
import { declaresTasks, GENERATION } from './extension.js';
import type { Request } from './inbound.js';

/**
 * The notifications of 2025-11-25 that this revision does not have: a client learns of the event when it repeats its request, or
 * asks for its task. By hand, because what the SDK exports does not separate the revisions; a test compares the schemas.
 */
const GONE: ReadonlySet<string> = new Set(['notifications/elicitation/complete', 'notifications/tasks/status']);

/** What comes back from the client when it repeats a request. */
export interface RoundInput {
  /** As it came. */
  readonly requestState: unknown;
  /** Its answers, by the keys of what it was asked. Nothing of them has been checked. */
  readonly inputResponses: Readonly<Record<string, unknown>>;
  /** Whether there are any, be it none. */
  readonly isAnswered: boolean;
  /** The keys of what cannot be an answer at all. */
  readonly unreadable: readonly string[];
}

/** A request, and what it repeats. */
export interface RequestCall {
  readonly call: Call;
  readonly round: RoundInput;
  /** Whether the client has declared the tasks extension. */
  readonly knowsTasks: boolean;
}

type Params = Readonly<Record<string, unknown>>;

/** @param raw the HTTP request that it came with */
export function requestCall(
  { id, method, params }: Request,
  raw: AuthenticatedRequest,
  response: PostResponse,
  operation: Operation,
): RequestCall {
  const { _meta: meta, inputResponses, requestState, task: _task, ...rest } = params;
  const { [LOG_LEVEL_META_KEY]: level } = meta;
  const requester = requesterOf(meta, raw);
  const call: Call = {
    id,
    method,
    params: withMeta(rest, meta),
    caller: taskCallerOf(requester),
    requester,
    scope: scopeOf(response, level !== undefined),
    ask: cannotAsk,
    operation,
  };
  return { call, round: roundInput(requestState, inputResponses), knowsTasks: declaresTasks(requester.client().capabilities) };
}

function requesterOf(meta: Params, identity: Identity): Requester {
  const { [CLIENT_CAPABILITIES_META_KEY]: capabilities, [CLIENT_INFO_META_KEY]: info, [LOG_LEVEL_META_KEY]: logLevel } = meta;
  const { name, version } = (info ?? {}) as { readonly name?: string; readonly version?: string };
  const client = {
    capabilities: capabilities as JsonObject,
    ...(name !== undefined && { name }),
    ...(version !== undefined && { version }),
  };
  const owner = callerWithoutSession(identity);
  const accounts = accountsOfCaller(identity, owner);
  return {
    owner,
    ...(accounts !== undefined && { accounts }),
    generation: GENERATION,
    protocolVersion: GENERATION,
    client: () => client,
    ...(logLevel !== undefined && { logLevel: logLevel as LoggingLevel }),
    ...(identity.auth !== undefined && { auth: identity.auth }),
    ...(identity.neededScopes !== undefined && { neededScopes: identity.neededScopes }),
  };
}

/** The params as features know them: without what is only for the way, and without what clients of the other generation ask for tasks by. */
function withMeta(params: Params, meta: Params): Params {
  const {
    [CLIENT_CAPABILITIES_META_KEY]: _capabilities,
    [CLIENT_INFO_META_KEY]: _info,
    [LOG_LEVEL_META_KEY]: _level,
    [PROTOCOL_VERSION_META_KEY]: _version,
    ...rest
  } = meta;
  return Object.keys(rest).length === 0 ? params : { ...params, _meta: rest };
}

const NOTHING_REPEATED: RoundInput = { requestState: undefined, inputResponses: {}, isAnswered: false, unreadable: [] };

function roundInput(requestState: unknown, given: unknown): RoundInput {
  if (given === undefined && requestState === undefined) return NOTHING_REPEATED;
  const isAnswered = isJsonObject(given);
  const entries = isAnswered ? Object.entries(given) : [];
  return {
    requestState,
    inputResponses: Object.fromEntries(entries.filter(([, answer]) => isAnswer(answer))),
    isAnswered,
    unreadable: entries.filter(([, answer]) => !isAnswer(answer)).map(([key]) => key),
  };
}

/** An answer is the result itself; some clients send it with its method around it, which is none. */
function isAnswer(value: unknown): boolean {
  return isJsonObject(value) && !('method' in value) && !('result' in value);
}

/** Only what is run in rounds can ask. */
const cannotAsk: Call['ask'] = ({ method }) =>
  Promise.reject(new TaskError('CLIENT_LACKS_CAPABILITY', `Revision 2026-07-28 has no place for a request "${method}" here.`));

function scopeOf(response: PostResponse, wantsLogs: boolean): RequestScope {
  return {
    get signal() {
      return response.signal;
    },
    get isCancelled() {
      return response.isCancelled;
    },
    get leaving() {
      return response.leaving;
    },
    push({ method, params }) {
      if (!GONE.has(method) && (wantsLogs || method !== 'notifications/message')) response.push({ method, params });
    },
  };
}
