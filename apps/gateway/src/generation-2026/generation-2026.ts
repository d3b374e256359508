/**
 * Serves revision 2026-07-28 at the endpoint, from the parsed body to the answer: there are no sessions, and any gateway answers any
 * request.
 */
import type { GatewayState, QuestionLinks } from '@longhaul/sessions/gateway';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FeatureRegistry } from '@longhaul/mcp-features';
import { cutText, FIELD_LIMITS } from '@longhaul/tasks';
import { limitOr, type SessionNotifications, type Tenants } from '@longhaul/sessions';
import type { Logger } from 'pino';
import type { GatewayConfig } from '../config.js';
import { acceptedForms, SSE_TYPE } from '../rpc/accepted-forms.js';
import { type AuthenticatedRequest, callerWithoutSession } from '../rpc/caller.js';
import { orUnavailable, type RpcFailure, Refusal, RpcCode, SHUTTING_DOWN, TOKEN_EXPIRED } from '../rpc/errors.js';
import { whenExpired } from '../rpc/when-expired.js';
import { createContextOf } from '../rpc/features/request-context.js';
import type { Owners } from '../rpc/features/owners.js';
import type { KeyRing } from '@longhaul/runtime/keys';
import { errorAnswer, requestIdOf } from '../rpc/messages.js';
import { type MethodTraits, traitsOf } from '../rpc/methods.js';
import { type GatewayReports, type Operation, silentOperation } from '../rpc/operation.js';
import { createPlainCalls, type PlainCalls } from '../rpc/plain-calls/plain-calls.js';
import { serverInfo } from '../rpc/server-info.js';
import type { NotifyOfTask } from '../rpc/tasks/notify-of-task.js';
import { KeepAlive } from '../streams/keep-alive.js';
import type { SseWriter } from '../streams/sse-writer.js';
import { ownFailureIn2026 } from './requests/error-codes.js';
import { CallResponse } from './requests/call-response.js';
import { failureIn2026 } from './requests/failures.js';
import { checkStandardHeaders, type Inbound, type Request } from './requests/inbound.js';
import { Listening } from './listen/listening.js';
import { ListenSlots } from './listen/listen-slots.js';
import { checkLengths } from './requests/message-limits.js';
import { modernCapabilities, modernMethods } from './methods/method-table.js';
import type { ModernMethod } from './requests/modern-method.js';
import { createStateSeal } from './multi-round-trip/sealed-state.js';
import { createParamHeaderCheck, type ParamHeaderCheck } from './requests/param-headers.js';
import { GENERATION } from './requests/extension.js';
import { requestCall } from './requests/request-call.js';
import { encoded, type ServerMeta, serverMetaOf } from './requests/results.js';
import type { ScopedTasks } from '../rpc/tasks/scoped-tasks.js';

/** How long a stream may take for its answer when its caller's token has expired. */
const LEAVING_MS = 1_000;

/** The parts of it. */
export interface Generation2026Deps {
  readonly tasks: ScopedTasks;
  readonly notifyOfTask: NotifyOfTask;
  readonly state: Pick<GatewayState, 'outcomes' | 'rates'>;
  readonly config: GatewayConfig;
  /** Instructions to clients on how to use the server. */
  readonly instructions: () => string | undefined;
  readonly keyRing: KeyRing;
  /** Links to the pages of questions. */
  readonly links: Pick<QuestionLinks, 'linkTo'>;
  /** The limits of tenants, if any are configured. */
  readonly tenants: Pick<Tenants, 'ofOwner'>;
  readonly features: FeatureRegistry;
  readonly sessionNotifications: SessionNotifications;
  readonly owners: Owners;
  readonly reports: GatewayReports;
  /** Whether headers need not repeat arguments, because no proxy reads them. */
  readonly isDirect: boolean;
  readonly logger: Logger;
  /** Aborts when the process is about to end. */
  readonly closing: AbortSignal;
}

/** Answers messages of the revision. */
export interface Generation2026 {
  /** Event streams that are open here. */
  openStreams(): number;
  /** Answers a POST. @param body the source of `inbound` */
  serve(inbound: Inbound, request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>;
  start(): Promise<void>;
  /** Ends the streams when the process is about to end, so that their clients come back to another gateway. */
  sayGoodbye(): void;
  /** Ends the remaining streams. */
  stop(): void;
}

export function createGeneration2026(deps: Generation2026Deps): Generation2026 {
  const { features, tasks, owners, isDirect, reports, logger, config } = deps;
  const own = serverInfo(config.server);
  const serverMeta = serverMetaOf(() => (features.identity === undefined ? own : serverInfo(config.server, features.identity)));
  const listening = createListening(deps, serverMeta);
  const plainCalls = createPlainCalls({ features, tasks, owners, settings: config, linkTo: deps.links.linkTo });
  const methods = createMethods(deps, plainCalls, listening.method);
  const checkParamHeaders = isDirect ? () => undefined : createParamHeaderCheck(features);
  const alive = new KeepAlive<SseWriter>(config.keepAliveMs, (stream) => stream.keepAlive());
  const open = new Map<CallResponse, Request['id'] | null>();
  return {
    openStreams: () => alive.size,
    async serve(inbound, raw, rawResponse, body) {
      const receivedAt = Date.now();
      const response = new CallResponse(rawResponse, alive, acceptedForms(raw.headers.accept));
      const id = requestIdOf(body);
      let operation = silentOperation();
      open.set(response, id);
      response.whenOver(() => open.delete(response));
      endWithToken(response, id, raw);
      try {
        checkLengths(body);
        if (inbound.kind === 'refused') throw inbound.refusal;
        if (inbound.kind === 'notification') {
          await whenCounted(raw);
          if (isDirect) cancelRequest(open, inbound);
          return response.accept();
        }
        operation = reports.begin({
          message: inbound.request,
          headers: raw.headers,
          protocolVersion: GENERATION,
          owner: callerWithoutSession(raw as AuthenticatedRequest),
          receivedAt,
        });
        await answerWithin({ methods, serverMeta, checkParamHeaders, operation }, inbound.request, raw, response);
      } catch (error) {
        if (response.isCancelled) operation.end();
        else fail({ response, id, operation }, error, logger);
      }
    },
    start: () => listening.start(),
    sayGoodbye: () => listening.sayGoodbye(),
    stop() {
      listening.stop();
      alive.stop();
      plainCalls.stop();
      for (const [response, id] of open) response.cutOff(errorAnswer(id, ownFailureIn2026(SHUTTING_DOWN)), SHUTTING_DOWN);
    },
  };
}

/**
 * The bridge of standard input and output passes a client's cancellation on, with its reason, before it hangs up. Only there the ids of
 * requests are those of one client.
 */
function cancelRequest(
  open: ReadonlyMap<CallResponse, Request['id'] | null>,
  { method, params }: Extract<Inbound, { kind: 'notification' }>,
): void {
  if (method !== 'notifications/cancelled') return;
  const { requestId, reason } = params;
  const said = typeof reason === 'string' ? cutText(reason, FIELD_LIMITS.cancelReasonBytes) : undefined;
  for (const [response, id] of open) if (id !== null && id === requestId) response.cancelFor(said);
}

function createListening(
  { tasks, sessionNotifications, owners, features, config, tenants, logger, closing }: Generation2026Deps,
  serverMeta: ServerMeta,
): Listening {
  const slots = new ListenSlots((account) => limitOr(tenants.ofOwner(account).listenStreams, config.listenStreams));
  const capabilities = modernCapabilities(features);
  return new Listening({
    tasks,
    sessionNotifications,
    owners,
    capabilities,
    watch: (uri, account) => features.watch(uri, account),
    serverMeta,
    slots,
    logger,
    closing,
  });
}

function createMethods(deps: Generation2026Deps, plainCalls: PlainCalls, listen: ModernMethod): ReadonlyMap<string, ModernMethod> {
  const { tasks, notifyOfTask, state, config, instructions, keyRing, features, sessionNotifications, owners, logger, closing } = deps;
  const { bodyLimitBytes, maxTtlMs, keptQuestions, pageSize, stateMs } = config;
  const contextOf = createContextOf({ notifications: sessionNotifications, owners, tenants: deps.tenants, logger });
  const seal = createStateSeal(keyRing, { bodyLimitBytes, keptMs: stateMs });
  const waiting = { tasks, notifyOfTask, seal, plainCalls, keptQuestions, closing };
  return modernMethods({
    ...waiting,
    ...state,
    stateMs,
    features,
    contextOf,
    owners,
    maxTtlMs,
    webhookHosts: config.webhooks?.calls ?? {},
    pageSize,
    instructions,
    listen,
    logger,
  });
}

/** A stream ends soon after the caller's token expires. The client can repeat its request with a new token. */
function endWithToken(response: CallResponse, id: Request['id'] | null, { auth }: AuthenticatedRequest): void {
  const ofToken = whenExpired(auth, () => {
    response.leave();
    const ofStream = setTimeout(() => {
      if (response.isStream) response.cutOff(errorAnswer(id, ownFailureIn2026(TOKEN_EXPIRED)), TOKEN_EXPIRED);
    }, LEAVING_MS);
    response.whenOver(() => clearTimeout(ofStream));
  });
  response.whenOver(ofToken);
}

interface Answering {
  readonly methods: ReadonlyMap<string, ModernMethod>;
  readonly serverMeta: ServerMeta;
  readonly checkParamHeaders: ParamHeaderCheck;
  readonly operation: Operation;
}

/** A separate function: its closure may hold megabytes, and the closures that last as long as a stream must not hold them. */
function answerWithin(answering: Answering, request: Request, raw: IncomingMessage, response: CallResponse): Promise<void> {
  return answering.operation.within(() => answer(answering, request, raw, response));
}

async function answer(
  { methods, serverMeta, checkParamHeaders, operation }: Answering,
  request: Request,
  raw: IncomingMessage,
  response: CallResponse,
): Promise<void> {
  const method = methods.get(request.method);
  const traits: Partial<MethodTraits> = method === undefined ? {} : traitsOf(method.name);
  checkStandardHeaders(raw.headers, request, traits.subject);
  if (method === undefined) throw new Refusal(404, RpcCode.MethodNotFound, 'Method not found');
  checkParamHeaders(raw.headers, request);
  const call = requestCall(request, raw, response, operation);
  // A method that only reads runs while the request is counted. A caller over its limit does not see the result.
  const early = method.kind === 'answers' && method.isRead === true ? method.answer(call) : undefined;
  if (early instanceof Promise) early.catch(() => undefined);
  await whenCounted(raw);
  if (method.kind === 'streams') {
    if (!acceptedForms(raw.headers.accept).stream)
      throw new Refusal(406, RpcCode.Transport, `Not Acceptable: ${request.method} needs ${SSE_TYPE}`);
    response.whenOver(() => operation.end({}));
    // The stream keeps what it listens to, and no other part of its request.
    (raw as AuthenticatedRequest).bodyDone?.();
    return method.open(call, response);
  }
  const result = await (early ?? method.answer(call));
  response.answer({ jsonrpc: '2.0', id: request.id, result: encoded(result, traits, serverMeta) });
  operation.end({ result });
}

/** @throws Refusal 429 when the request exceeds the limit, 503 when that cannot be decided */
async function whenCounted(raw: IncomingMessage): Promise<void> {
  const { counted } = raw as AuthenticatedRequest;
  if (counted !== undefined) await orUnavailable(counted);
}

/** A request that is answered with an error. */
interface Failing {
  readonly response: CallResponse;
  readonly id: Request['id'] | null;
  readonly operation: Operation;
}

function fail({ response, id, operation }: Failing, error: unknown, logger: Logger): void {
  const send = (failure: RpcFailure): void => {
    response.answer(errorAnswer(id, failure), failure);
    operation.end({ error: failure });
  };
  try {
    send(failureIn2026(error, logger));
  } catch (unsendable) {
    send(failureIn2026(unsendable, logger)); // A feature's error data is not JSON.
  }
}
