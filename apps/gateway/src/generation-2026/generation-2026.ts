/**
 * Serves revision 2026-07-28 on the same endpoint: the SDK's handler with a server for each request, and the
 * tasks that its streams do not know. There are no sessions, and any gateway answers any request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FeatureRegistry } from '@longhaul/mcp-features';
import type { SessionNotifications } from '@longhaul/sessions';
import type { TaskService } from '@longhaul/tasks';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import type { GatewayConfig } from '../config.js';
import { accountOf, callerWithoutSession } from '../rpc/caller.js';
import { NewsBus } from './listen/event-bus.js';
import type { ContextOf } from '../rpc/features/request-context.js';
import { featureMethods } from '../rpc/features/feature-methods.js';
import type { KeyRing } from '../rpc/key-ring.js';
import type { NotifyOfTask } from '../rpc/tasks/notify-of-task.js';
import type { GatewayState } from '../state/gateway-state.js';
import { fallbackTools } from './methods/fallback-tools.js';
import { createStateSeal } from './multi-round-trip/sealed-state.js';
import { ListenPlaces } from './listen/listen-places.js';
import { isListen, listenRequest, TaskStreams, withoutTasks } from './listen/listen-tasks.js';
import { refusedForLength } from './message-limits.js';
import { createParamHeaderCheck } from './param-headers.js';
import { readableUpdate } from './methods/readable-update.js';
import { createServerFactory } from './server.js';
import { addTaskName } from './task-name-header.js';
import { serveWeb, type WebHandler } from './web-exchange.js';

/** What it is made of. */
export interface Generation2026Deps {
  readonly tasks: TaskService;
  readonly notifyOfTask: NotifyOfTask;
  readonly state: Pick<GatewayState, 'outcomes' | 'rates'>;
  readonly config: GatewayConfig;
  /** What clients are told of how to use the server. */
  readonly instructions: string | undefined;
  readonly keyRing: KeyRing;
  readonly features: FeatureRegistry;
  readonly contextOf: ContextOf;
  readonly sessionNotifications: SessionNotifications;
  /** Whether headers repeat arguments for nobody. */
  readonly isDirect: boolean;
  readonly logger: Logger;
  /** Aborts when the process is about to end. */
  readonly closing: AbortSignal;
}

/** How requests of the revision are answered. */
export interface Generation2026 {
  /** Answers a POST. */
  serve(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>;
  start(): Promise<void>;
  /** Ends the streams of the SDK when the process is about to end, so that their clients come back to another gateway. */
  sayGoodbye(): Promise<void>;
  /** Ends what is left. */
  stop(): Promise<void>;
}

export function createGeneration2026(deps: Generation2026Deps): Generation2026 {
  const {
    tasks,
    notifyOfTask,
    state,
    config,
    instructions,
    keyRing,
    features,
    contextOf,
    sessionNotifications,
    isDirect,
    logger,
    closing,
  } = deps;
  const { bodyLimitBytes, keepAliveMs, listenStreams, maxTtlMs, pageSize, stateMs, syncWaitMs } = config;
  const bus = new NewsBus(sessionNotifications, logger);
  const seal = createStateSeal(keyRing, { bodyLimitBytes, keptMs: stateMs });
  const waiting = { tasks, notifyOfTask, seal, syncWaitMs, closing };
  const { outcomes, rates } = state;
  const factory = createServerFactory({
    ...waiting,
    outcomes,
    rates,
    stateMs,
    features,
    fallback: fallbackTools(waiting),
    contextOf,
    maxTtlMs,
    methods: featureMethods({ features, contextOf, pageSize }),
    instructions,
    serverName: config.serverName,
    logger,
  });
  const sdkHandler = () =>
    createMcpHandler(factory, {
      legacy: 'reject',
      bus,
      keepAliveMs,
      onerror: (error) => logger.debug({ err: error }, 'request of 2026-07-28'),
    });
  // To close one aborts the requests that it serves. So the streams, which end with the process, have one of their own.
  const [requests, streams] = [sdkHandler(), sdkHandler()];
  const checkParamHeaders = isDirect ? () => undefined : createParamHeaderCheck(features);
  const places = new ListenPlaces(listenStreams);
  const taskStreams = new TaskStreams({ tasks, logger, keepAliveMs, closing });
  const handler: WebHandler = async (request, options) => {
    const { parsedBody } = options;
    const refused = refusedForLength(parsedBody) ?? checkParamHeaders(request.standard.headers, parsedBody);
    if (refused !== undefined) return refused;
    if (!isListen(parsedBody)) return requests.fetch(request.standard, { ...options, parsedBody: readableUpdate(parsedBody) });
    request.whenOver(places.take(accountOf(request.identity)));
    const listen = listenRequest(parsedBody);
    if (listen === undefined) return streams.fetch(request.standard, options);
    const answer = await streams.fetch(request.standard, { ...options, parsedBody: withoutTasks(listen) });
    return taskStreams.serve(listen, answer, { caller: { owner: callerWithoutSession(request.identity) }, hungUp: request.signal });
  };
  return {
    serve(request, response, body) {
      addTaskName(request.headers, body);
      return serveWeb(handler, request, response, body, logger);
    },
    start: () => bus.start(),
    sayGoodbye: () => streams.close(),
    async stop() {
      bus.stop();
      await requests.close();
    },
  };
}
