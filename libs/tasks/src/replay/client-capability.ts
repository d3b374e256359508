import type { ClientInfo } from '../domain/events.js';
import type { Json, JsonObject } from '../domain/json.js';
import { TaskError } from '../errors.js';

/** A request that a client can be asked to answer. */
export type AskedMethod = 'elicitation/create' | 'sampling/createMessage' | 'roots/list';

/** What the params of a request say of the capabilities that it needs. */
interface NeedingParams {
  readonly mode?: unknown;
  readonly tools?: unknown;
  readonly toolChoice?: unknown;
  readonly includeContext?: unknown;
}

/**
 * A client that cannot answer is not asked: the feature would wait for its deadline. Both protocol versions also forbid to
 * offer tools to a model, and advise against context of servers, where the client has not declared it. What the
 * client declared is recorded with the task, so a replay decides the same.
 *
 * @param params of the request: what has to be declared depends on them too
 * @throws TaskError `CLIENT_LACKS_CAPABILITY`
 */
export function requireCapability({ capabilities }: Pick<ClientInfo, 'capabilities'>, method: AskedMethod, params: object): void {
  const missing = missingCapability(capabilities, method, params);
  if (missing !== undefined)
    throw new TaskError('CLIENT_LACKS_CAPABILITY', `The client has not declared the capability "${missing}".`, { capability: missing });
}

/** @returns the first capability that the request needs and the client has not declared, such as `sampling` or `elicitation.url` */
export function missingCapability(capabilities: JsonObject, method: AskedMethod, params: object): string | undefined {
  return neededBy(method, params).find((capability) => !isDeclared(capabilities, capability));
}

function neededBy(method: AskedMethod, { mode, tools, toolChoice, includeContext }: NeedingParams): readonly string[] {
  switch (method) {
    case 'elicitation/create':
      return [mode === 'url' ? 'elicitation.url' : 'elicitation.form'];
    case 'sampling/createMessage':
      return [
        'sampling',
        ...(tools !== undefined || toolChoice !== undefined ? ['sampling.tools'] : []),
        ...(includeContext !== undefined && includeContext !== 'none' ? ['sampling.context'] : []),
      ];
    case 'roots/list':
      return ['roots'];
  }
}

function isDeclared(capabilities: JsonObject, capability: string): boolean {
  const [name = '', mode] = capability.split('.');
  const declared: Json | undefined = capabilities[name];
  if (mode === undefined || declared === undefined) return declared !== undefined;
  const modes = typeof declared === 'object' && declared !== null ? Object.keys(declared) : [];
  // A declaration that names no mode stands for forms: URLs came later.
  return modes.includes(mode) || (mode === 'form' && !modes.includes('url'));
}
