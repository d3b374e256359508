/**
 * Serves revision 2026-07-28 on the same endpoint: the SDK's handler with a server for each request, and the
 * tasks that its streams do not know. There are no sessions, and any gateway answers any request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TaskService } from '@longhaul/tasks';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { accountOf, callerWithoutSession } from '../rpc/caller.js';
import type { NewsBus } from './listen/event-bus.js';
import { ListenPlaces } from './listen/listen-places.js';
import { isListen, listenRequest, TaskStreams, withoutTasks } from './listen/listen-tasks.js';
import { refusedForLength } from './message-limits.js';
import { createParamHeaderCheck } from './param-headers.js';
import { readableUpdate } from './methods/readable-update.js';
import { createServerFactory, type ServerDeps } from './server.js';
import { addTaskName } from './task-name-header.js';
import { serveWeb, type WebHandler } from './web-exchange.js';

/** What it is made of. */
export interface Serve2026Deps extends ServerDeps {
  readonly tasks: TaskService;
  readonly bus: NewsBus;
  readonly keepAliveMs: number;
  /** Streams of `subscriptions/listen` that one caller may have open here. */
  readonly listenStreams: number;
  /** Whether headers repeat arguments for nobody. */
  readonly isDirect: boolean;
  readonly logger: Logger;
}

/** The other generation of the endpoint. */
export interface Generation2026 {
  /** Answers a POST. */
  serve(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>;
  start(): Promise<void>;
  /** Ends the streams of the SDK when the process is about to end, so that their clients come back to another gateway. */
  sayGoodbye(): Promise<void>;
  /** Ends what is left. */
  stop(): Promise<void>;
}

export function createGeneration2026(deps: Serve2026Deps): Generation2026 {
  const { tasks, features, bus, keepAliveMs, listenStreams, isDirect, logger, closing } = deps;
  const sdkHandler = () =>
    createMcpHandler(createServerFactory(deps), {
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
