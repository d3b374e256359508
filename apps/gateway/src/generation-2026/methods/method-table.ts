/** Defines the methods of revision 2026-07-28: the methods that all protocol versions share, and its own. */
import { type FeatureRegistry, omitUndefined } from '@longhaul/mcp-features';
import type { JsonObject } from '@longhaul/tasks';
import type { Result } from '@modelcontextprotocol/sdk/types.js';
import type { ServerCapabilities } from '@modelcontextprotocol/server';
import { featureMethods, type FeatureMethodsDeps } from '../../rpc/features/feature-methods.js';
import type { Call, Method } from '../../rpc/method.js';
import { traitsOf } from '../../rpc/methods.js';
import { servedMethods } from '../../rpc/served-methods.js';
import { serverCapabilities } from '../../rpc/server-info.js';
import { TASKS_EXTENSION } from '../../rpc/plain-calls/follows-tasks.js';
import { GENERATION } from '../requests/extension.js';
import { inRounds } from '../multi-round-trip/rounds.js';
import { runOnce, type RunOnceDeps } from '../multi-round-trip/run-once.js';
import type { ModernMethod } from '../requests/modern-method.js';
import type { RequestCall } from '../requests/request-call.js';
import { callTool, type CallToolDeps } from './call-tool.js';
import { taskMethods } from './task-methods.js';

/** The parts that the methods use. */
export interface ModernMethodDeps extends Omit<FeatureMethodsDeps, 'plainCalls'>, CallToolDeps, RunOnceDeps {
  readonly instructions: () => string | undefined;
  /** `subscriptions/listen` */
  readonly listen: ModernMethod;
}

/** @returns the methods by their names */
export function modernMethods(deps: ModernMethodDeps): ReadonlyMap<string, ModernMethod> {
  const { features, instructions, tasks, listen } = deps;
  const capabilities = modernCapabilities(features);
  const shared = featureMethods(deps).map((method) => asModern(deps, method));
  const methods = [...shared, discover(features, instructions), toolCalls(deps), ...taskMethods(tasks, deps.plainCalls), listen];
  return servedMethods(methods, capabilities);
}

/** The gateway's capabilities: the methods of its features, and tasks as an extension. @param client as in `serverCapabilities` */
export function modernCapabilities(features: FeatureRegistry, client?: JsonObject): ServerCapabilities {
  const { tools, prompts, resources, completions, logging } = serverCapabilities(features, false, client);
  return omitUndefined({ tools, prompts, resources, completions, logging, extensions: { [TASKS_EXTENSION]: {} } }) as ServerCapabilities;
}

type Answered = Extract<ModernMethod, { kind: 'answers' }>;

/** Adapts a method of the other protocol version. A method that may ask its client runs here as a multi-round-trip request. */
function asModern(deps: ModernMethodDeps, method: Method): Answered {
  const { name } = method;
  const run = async (call: Call): Promise<Result> => method.handle(call);
  if (traitsOf(name).mayAsk !== true) return { name, kind: 'answers', answer: ({ call }) => run(call) };
  return { name, kind: 'answers', answer: (request) => runOnce(deps, request, () => inRounds(request, deps.seal, run)) };
}

function toolCalls(deps: ModernMethodDeps): Answered {
  const answer = (request: RequestCall): Promise<Result> => runOnce(deps, request, () => callTool(deps, request));
  return { name: 'tools/call', kind: 'answers', answer };
}

function discover(features: FeatureRegistry, instructions: () => string | undefined): Answered {
  const answer = ({ call }: RequestCall): Result => {
    const told = instructions();
    return {
      supportedVersions: [GENERATION],
      ...(told !== undefined && { instructions: told }),
      capabilities: modernCapabilities(features, call.requester.client().capabilities),
    };
  };
  return { name: 'server/discover', kind: 'answers', answer };
}
