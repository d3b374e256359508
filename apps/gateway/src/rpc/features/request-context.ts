/** Makes the context of a feature that runs within a request. */
import { accountOfRequester, clientInfoOf } from '@longhaul/sessions/gateway';
import { type AskedMethod, type RequestContext, type RequestInfo, requireForm, withClientContext } from '@longhaul/mcp-features';
import {
  type ClientNotification,
  listChangedNotification,
  logNotification,
  resourceUpdatedNotification,
  type SessionNotifications,
  type Tenants,
} from '@longhaul/sessions';
import {
  callerKeys,
  checkKey,
  clientRequestParams,
  elicitationCompleteParams,
  FIELD_LIMITS,
  isJsonObject,
  type JsonObject,
  operationNamed,
  progressParams,
  type ProgressReport,
  requireAsked,
  requireCapability,
  requireObject,
  tenantOf,
} from '@longhaul/tasks';
import { giveCallerToken } from '@longhaul/mcp-features/caller-token';
import { within } from '@longhaul/runtime/within';
import type { CreateMessageResult, ElicitResult, ListRootsResult, ProgressToken } from '@modelcontextprotocol/sdk/types.js';
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { callerAuthOf } from '../caller.js';
import { isLoud } from './log-level.js';
import type { Call } from '../method.js';
import { withTrace } from '../with-trace.js';
import type { Owners } from './owners.js';
import { sessionContext, type SessionContextDeps } from './session-context.js';

const PING_LIMIT_MS = 30_000;

/** The parts of contexts. */
export interface RequestContextDeps {
  readonly notifications: SessionNotifications;
  /** Absent if there are no sessions. */
  readonly sessions?: Omit<SessionContextDeps, 'notify'>;
  readonly owners: Pick<Owners, 'contextOf'>;
  readonly tenants: Pick<Tenants, 'ofOwner'>;
  readonly logger: Logger;
}

/** The context of a call. */
export type ContextOf = (call: Call) => RequestContext;

/** A weak map is not used: an entry for each call costs more than the call. */
const CALL = Symbol('call');

/** The call that a context was made for: only the gateway's own features need it. */
export function callOf(context: RequestContext & { readonly [CALL]?: Call }): Call {
  const call = context[CALL];
  if (call === undefined) throw new TypeError('The context belongs to no call of this gateway.');
  return call;
}

export function createContextOf({ notifications, sessions, owners, tenants, logger }: RequestContextDeps): ContextOf {
  const quietly = (publishing: Promise<void>): void => {
    publishing.catch((error: unknown) => logger.warn({ err: error }, 'notification not published'));
  };
  const notifyAll = (message: ClientNotification): void => quietly(notifications.publishToAll(message));
  const notify = (id: string, message: ClientNotification): void => quietly(notifications.publish(id, message));
  const everyone: RequestContext['everyone'] = {
    listChanged: (list) => notifyAll(listChangedNotification(list)),
    resourceUpdated: (uri) => notifyAll(resourceUpdatedNotification(uri)),
  };
  return (call) => {
    const { scope, requester, sessionId } = call;
    const client = clientInfoOf(requester);
    const request = requestInfoOf(call);
    const send = (method: string, params: object): Promise<unknown> => call.ask({ method, params: params as JsonObject });
    const ask = async (method: AskedMethod, params: object, key?: string): Promise<unknown> => {
      requireAsked(key === undefined ? method : operationNamed('ask', key), { method, params });
      requireCapability(client, method, params, sessionId !== undefined);
      if (key !== undefined) checkKey('The key of a request', key, FIELD_LIMITS.clientRequestKeyBytes);
      const asked = withTrace(clientRequestParams(method, params), call.operation.askedIn);
      return call.ask({ method, params: asked, ...(key !== undefined && { key }) });
    };
    const context = withClientContext({
      client,
      request,
      signal: scope.signal,
      session:
        sessions && sessionId !== undefined ? sessionContext(sessionId, accountOfRequester(requester), { ...sessions, notify }) : undefined,
      owner: owners.contextOf(call),
      auth: requester.auth && callerAuthOf(requester.auth),
      caller: callerKeys({ owner: requester.owner, sessionId, ...(requester.accounts !== undefined && { accounts: requester.accounts }) }),
      tenant: limitOfTenant(accountOfRequester(requester), tenants),
      everyone,
      elicit: async (params) => (await ask('elicitation/create', params)) as ElicitResult,
      sample: async (params) => (await ask('sampling/createMessage', params)) as CreateMessageResult,
      listRoots: async () => ((await ask('roots/list', {})) as ListRootsResult).roots,
      async ask(key: string, asked: Parameters<RequestContext['ask']>[1]) {
        requireObject(operationNamed('ask', key), 'the request', asked);
        const { method, params = {} } = asked;
        if (method === 'elicitation/create') requireForm(params);
        return (await ask(method, params, key)) as JsonObject;
      },
      // The newer version has no ping: its client is connected as long as its request lasts.
      ping: () => (client.generation === '2026-07-28' ? Promise.resolve() : pinged(send('ping', {}))),
      progress: progressOn(scope, request.progressToken),
      log(level, data, logger) {
        const message = logNotification(level, data, logger); // Always checked, so that mistakes do not depend on the client.
        if (isLoud(level, requester.logLevel)) scope.push(message);
      },
      elicitationComplete: (elicitationId) =>
        scope.push({ method: 'notifications/elicitation/complete', params: elicitationCompleteParams(elicitationId) }),
      closeStream: () => scope.closeStream?.(),
    });
    if (requester.auth?.token !== undefined) giveCallerToken(context, requester.auth.token);
    return Object.assign(context, { [CALL]: call });
  };
}

function limitOfTenant(account: string, tenants: Pick<Tenants, 'ofOwner'>): RequestContext['tenant'] {
  const { maxRunning } = tenants.ofOwner(account);
  if (maxRunning === undefined || maxRunning === null) return undefined;
  return {
    key: createHash('sha256')
      .update(`tenant ${tenantOf(account)}`)
      .digest('base64url'),
    maxRunning,
  };
}

function requestInfoOf({ id, method, params = {} }: Call): RequestInfo {
  const meta = isJsonObject(params['_meta']) ? params['_meta'] : {};
  const token = meta['progressToken'];
  const isToken = typeof token === 'string' || typeof token === 'number';
  return { id, method, params: params as JsonObject, meta, ...(isToken && { progressToken: token }) };
}

/** Without a token the client wants no progress; a report that is not larger than the last one is not sent. */
function progressOn(scope: Call['scope'], progressToken: ProgressToken | undefined): (report: ProgressReport) => void {
  let lastReported = -Infinity;
  return (report) => {
    const params = progressParams(report);
    const { progress } = params;
    if (progressToken === undefined || !(progress > lastReported && Number.isFinite(progress))) return;
    lastReported = progress;
    scope.push({ method: 'notifications/progress', params: { progressToken, ...params } });
  };
}

async function pinged(answer: Promise<unknown>): Promise<void> {
  await within(PING_LIMIT_MS, answer, () => {
    throw new Error(`The client has not answered a ping within ${PING_LIMIT_MS / 1_000} seconds.`);
  });
}
