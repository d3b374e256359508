/**
 * Builds a request of revision 2026-07-28 in the form that methods use. It has no session: everything about the client comes with the
 * request.
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
import type { CallResponse } from './call-response.js';
import { declaresTasks } from '../../rpc/plain-calls/follows-tasks.js';
import { GENERATION } from './extension.js';
import type { Request } from './inbound.js';

/**
 * The notifications of 2025-11-25 that this revision does not have: a client learns of the event when it repeats its request, or reads its
 * task. The list is written by hand, because the SDK's exports do not separate the revisions; a test compares the schemas.
 */
const GONE: ReadonlySet<string> = new Set(['notifications/elicitation/complete', 'notifications/tasks/status']);

/** The data that the client sends back when it repeats a request. */
export interface RoundInput {
  /** Unchanged from the request. */
  readonly requestState: unknown;
  /** The client's answers, by the keys of the questions. They are unchecked. */
  readonly inputResponses: Readonly<Record<string, unknown>>;
  /** Whether the member is present, even if it is empty. */
  readonly isAnswered: boolean;
  /** The keys of values that cannot be answers at all. */
  readonly unreadable: readonly string[];
}

/** A request, and the data of the request that it repeats. */
export interface RequestCall {
  readonly call: Call;
  readonly round: RoundInput;
  /** Whether the client has declared the tasks extension. */
  readonly knowsTasks: boolean;
}

type Params = Readonly<Record<string, unknown>>;

/** @param raw the HTTP request that carried it */
export function requestCall(
  { id, method, params }: Request,
  raw: AuthenticatedRequest,
  response: CallResponse,
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

/** The params for features: without members that only concern the transport, and without the other generation's request for a task. */
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

/** An answer is the result itself; some clients send it inside an object with its method, which is not an answer. */
function isAnswer(value: unknown): boolean {
  return isJsonObject(value) && !('method' in value) && !('result' in value);
}

/** Only multi-round-trip requests can ask. */
const cannotAsk: Call['ask'] = ({ method }) =>
  Promise.reject(new TaskError('CLIENT_LACKS_CAPABILITY', `Revision 2026-07-28 has no place for a request "${method}" here.`));

function scopeOf(response: CallResponse, wantsLogs: boolean): RequestScope {
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
    get cancellation() {
      return response.cancellation;
    },
    takesMessages: response.takesMessages,
    get hasStreamed() {
      return response.isStream;
    },
    open: () => response.open(),
    push({ method, params }) {
      if (!GONE.has(method) && (wantsLogs || method !== 'notifications/message')) response.push({ method, params });
    },
  };
}
