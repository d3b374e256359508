/**
 * Serves revision 2026-07-28 on the same endpoint: the SDK's handler with a server for each request, and the
 * tasks that its streams do not know. There are no sessions, and any gateway answers any request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TaskService } from '@longhaul/tasks';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { callerWithoutSession } from '../sessions/stateless-sessions.js';
import type { NewsBus } from './event-bus.js';
import { listenRequest, listenToTasks, withoutTasks } from './listen-tasks.js';
import { createParamHeaderCheck } from './param-headers.js';
import { readableUpdate } from './readable-update.js';
import { createServerFactory, type ServerDeps } from './server.js';
import { serveWeb, type WebHandler } from './web-exchange.js';

/** What it is made of. */
export interface Serve2026Deps extends ServerDeps {
  readonly tasks: TaskService;
  readonly bus: NewsBus;
  readonly keepAliveMs: number;
  /** Whether headers repeat arguments for nobody. */
  readonly isDirect: boolean;
  readonly logger: Logger;
}

/** The other generation of the endpoint. */
export interface Generation2026 {
  /** Answers a POST. */
  serve(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>;
  start(): Promise<void>;
  /** Ends the streams, so that their clients come back to another gateway. */
  sayGoodbye(): Promise<void>;
  stop(): void;
}

export function createGeneration2026(deps: Serve2026Deps): Generation2026 {
  const { tasks, features, bus, keepAliveMs, isDirect, logger } = deps;
  const closing = new AbortController();
  const sdk = createMcpHandler(createServerFactory(deps), {
    legacy: 'reject',
    bus,
    keepAliveMs,
    onerror: (error) => logger.debug({ err: error }, 'request of 2026-07-28'),
  });
  const checkParamHeaders = isDirect ? () => undefined : createParamHeaderCheck(features);
  const listening = { tasks, logger, closing: closing.signal };
  const handler: WebHandler = async (request, options) => {
    const refused = checkParamHeaders(request.headers, options.parsedBody);
    if (refused !== undefined) return refused;
    const listen = listenRequest(options.parsedBody);
    if (listen === undefined) return sdk.fetch(request, { ...options, parsedBody: readableUpdate(options.parsedBody) });
    const answer = await sdk.fetch(request, { ...options, parsedBody: withoutTasks(listen) });
    return listenToTasks(listening, listen, answer, {
      caller: { owner: callerWithoutSession(options.authInfo) },
      hungUp: request.signal,
    });
  };
  return {
    serve: (request, response, body) => serveWeb(handler, request, response, body, logger),
    start: () => bus.start(),
    async sayGoodbye() {
      closing.abort();
      await sdk.close();
    },
    stop: () => bus.stop(),
  };
}
