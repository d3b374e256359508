/**
 * The SDK's server for one request of revision 2026-07-28. All features and methods are those of the other
 * generation; what differs on the wire is in this folder.
 */
import { type FeatureRegistry, stated } from '@longhaul/mcp-features';
import type { Result } from '@modelcontextprotocol/sdk/types.js';
import { Server, type ServerContext, type ServerOptions } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { ActCall, Method } from '../methods/method.js';
import { SERVER_INFO, serverCapabilities } from '../server-info.js';
import { callTool, type CallToolDeps } from './call-tool.js';
import { protocolErrorOf, TASKS_EXTENSION } from './failures.js';
import { requestCall, type RequestCall } from './request-call.js';
import { inRounds } from './rounds.js';
import { taskMethods } from './task-methods.js';

/** What servers are made of. */
export interface ServerDeps extends CallToolDeps {
  /** The methods of the other generation; those that are the same here are taken from them. */
  readonly methods: ReadonlyMap<string, Method>;
  readonly instructions: string | undefined;
  readonly logger: Logger;
}

type Handler = (request: RequestCall) => Promise<Result> | Result;

const LISTS = ['prompts/list', 'resources/list', 'resources/templates/list', 'completion/complete'] as const;
const ASKING = ['prompts/get', 'resources/read'] as const;

/** How long clients may keep what does not depend on who asks; news tell them when it changes. */
const LIST_TTL_MS = 60_000;
const HINT = { ttlMs: LIST_TTL_MS, cacheScope: 'private' } as const;
const CACHE_HINTS = {
  'tools/list': HINT,
  'prompts/list': HINT,
  'resources/templates/list': HINT,
  'server/discover': HINT,
} satisfies ServerOptions['cacheHints'];

function capabilitiesOf(features: FeatureRegistry): NonNullable<ServerOptions['capabilities']> {
  const { tools, prompts, resources, completions, logging } = serverCapabilities(features, false);
  return stated({ tools, prompts, resources, completions, logging, extensions: { [TASKS_EXTENSION]: {} } }) as NonNullable<
    ServerOptions['capabilities']
  >;
}

const AnyParams = z.looseObject({});

/** Those of the SDK's own methods that are handled here. */
type ListedMethod = (typeof LISTS)[number] | (typeof ASKING)[number] | 'tools/list' | 'tools/call';

/** Makes a server for each request. */
export function createServerFactory(deps: ServerDeps): () => Server {
  const { instructions, features } = deps;
  const options: ServerOptions = {
    capabilities: capabilitiesOf(features),
    cacheHints: CACHE_HINTS,
    ...(instructions !== undefined && { instructions }),
  };
  const handlers = handlersOf(deps);
  const extension = taskMethods(deps.tasks);
  return () => {
    const server = new TaskServer(SERVER_INFO, options);
    for (const [name, handler] of handlers)
      server.setRequestHandler(
        name as ListedMethod,
        (async (request: { params?: unknown }, context: ServerContext) => answered(handler, request.params, context, deps.logger)) as never,
      );
    for (const [name, handler] of Object.entries(extension))
      server.setRequestHandler(name, { params: AnyParams }, (params, context) => answered(handler, params, context, deps.logger));
    return server;
  };
}

async function answered(handler: Handler, params: unknown, context: ServerContext, logger: Logger): Promise<Result> {
  try {
    return await handler(requestCall(params, context, logger));
  } catch (error) {
    if (context.mcpReq.signal.aborted) throw error; // Nobody waits for it any more.
    throw protocolErrorOf(error, logger);
  }
}

function handlersOf(deps: ServerDeps): ReadonlyMap<string, Handler> {
  const { methods, features, fallback, seal } = deps;
  const handlers = new Map<string, Handler>();
  const run = (method: Method, call: ActCall): Promise<Result> | Result => method.handle(call);
  for (const name of LISTS) {
    const method = methods.get(name);
    if (method !== undefined) handlers.set(name, ({ call }) => run(method, call));
  }
  for (const name of ASKING) {
    const method = methods.get(name);
    if (method !== undefined) handlers.set(name, (request) => inRounds(request, seal, (call) => run(method, call)));
  }
  const listTools = methods.get('tools/list');
  if (listTools === undefined) return handlers;
  const isListed = features.tools.some(({ taskSupport }) => taskSupport === 'optional');
  handlers.set('tools/list', async ({ call, knowsTasks }) => {
    const page = await run(listTools, call);
    // On the last page, so that the cursors of the others stay as they are.
    if (knowsTasks || !isListed || page['nextCursor'] !== undefined) return page;
    const added = fallback.listings.filter(({ name }) => features.tool(name) === undefined);
    return { ...page, tools: [...(page['tools'] as object[]), ...added] };
  });
  handlers.set('tools/call', (request) => callTool(deps, request));
  return handlers;
}

/** Lets a created task through as it is: the SDK would add an empty `content` to it, which it does not have. */
class TaskServer extends Server {
  protected override _wrapHandler(...[method, handler]: Parameters<Server['_wrapHandler']>): ReturnType<Server['_wrapHandler']> {
    if (method !== 'tools/call') return super._wrapHandler(method, handler);
    return async (request, context) => {
      let created: Awaited<ReturnType<typeof handler>> | undefined;
      const wrapped = super._wrapHandler(method, async (...call) => {
        const result = await handler(...call);
        if (result['resultType'] !== 'task') return result;
        created = result;
        return { content: [] };
      });
      const result = await wrapped(request, context);
      return created ?? result;
    };
  }
}
