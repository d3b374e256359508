/**
 * The SDK's server for one request of revision 2026-07-28. All features and methods are those of the other
 * generation; what differs on the wire is in this folder.
 */
import { type FeatureRegistry, stated } from '@longhaul/mcp-features';
import type { Result } from '@modelcontextprotocol/sdk/types.js';
import { type McpServerFactory, Server, type ServerContext, type ServerOptions } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import type { ActCall, Method } from '../rpc/method.js';
import { serverCapabilities, serverInfo } from '../rpc/server-info.js';
import { callTool, type CallToolDeps } from './methods/call-tool.js';
import { TASKS_EXTENSION } from './extension.js';
import { protocolErrorOf } from './failures.js';
import { requestCall, type RequestCall } from './request-call.js';
import { inRounds } from './multi-round-trip/rounds.js';
import { runOnce, type RunOnceDeps } from './multi-round-trip/run-once.js';
import { taskMethods } from './methods/task-methods.js';

/** What servers are made of. */
export interface ServerDeps extends CallToolDeps, RunOnceDeps {
  /** The methods of the other generation; those that are the same here are taken from them. */
  readonly methods: ReadonlyMap<string, Method>;
  readonly instructions: string | undefined;
  readonly serverName: string | undefined;
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

/** Params as they come: the methods check them, and name what is wrong. */
const RAW = { params: { '~standard': { version: 1, vendor: 'longhaul', validate: (value: unknown) => ({ value }) } } } as const;

/** Makes a server for each request. It knows the one method that is asked for, by the header that the SDK has compared with the body. */
export function createServerFactory(deps: ServerDeps): McpServerFactory {
  const { instructions, serverName, features, logger } = deps;
  const info = serverInfo(serverName);
  const options: ServerOptions = {
    capabilities: capabilitiesOf(features),
    cacheHints: CACHE_HINTS,
    ...(instructions !== undefined && { instructions }),
  };
  const handlers = handlersOf(deps);
  return ({ requestInfo }) => {
    const server = new RawServer(info, options);
    const name = requestInfo?.headers.get('mcp-method') ?? '';
    const handler = handlers.get(name);
    if (handler !== undefined) server.setRequestHandler(name, RAW, (params, context) => answered(handler, params, context, logger));
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
  const { methods, features, fallback, seal, tasks } = deps;
  const handlers = new Map<string, Handler>(Object.entries(taskMethods(tasks)));
  const run = (method: Method, call: ActCall): Promise<Result> | Result => method.handle(call);
  for (const name of LISTS) {
    const method = methods.get(name);
    if (method !== undefined) handlers.set(name, ({ call }) => run(method, call));
  }
  for (const name of ASKING) {
    const method = methods.get(name);
    if (method !== undefined)
      handlers.set(name, (request) => runOnce(deps, request, () => inRounds(request, seal, async (call) => run(method, call))));
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
  handlers.set('tools/call', (request) => runOnce(deps, request, () => callTool(deps, request)));
  return handlers;
}

/** Takes params and gives results as they are. What the SDK would validate has been, or is the business of whoever wrote the tool. */
class RawServer extends Server {
  /** Calls of tools are wrapped like the other requests that may need more of their client, of which nothing is validated. */
  protected override _wrapHandler(...[method, handler]: Parameters<Server['_wrapHandler']>): ReturnType<Server['_wrapHandler']> {
    return super._wrapHandler(method === 'tools/call' ? 'prompts/get' : method, handler);
  }
}
