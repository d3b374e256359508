import type { ClientInfo } from '../domain/events.js';
import { type ClientCapability, missingCapabilities } from '../domain/client-capability.js';
import type { JsonObject } from '../domain/json.js';
import { TaskError } from '../errors.js';

/** A request that a client can be asked to answer. */
export type AskedMethod = 'elicitation/create' | 'sampling/createMessage' | 'roots/list';

/** The capabilities that a request needs, by its params. */
interface NeedingParams {
  readonly mode?: unknown;
  readonly tools?: unknown;
  readonly toolChoice?: unknown;
  readonly includeContext?: unknown;
}

const NOBODY_THERE = 'In stateless mode no client can be asked.';

/**
 * A client that cannot answer is not asked: the feature would wait for its deadline. Both protocol versions also forbid to offer tools to a
 * model, and advise against context of servers, where the client has not declared it. The client's declaration is recorded with the task,
 * so a replay decides the same.
 *
 * @param params of the request: what must be declared depends on them too
 * @param hasSession whether there is one; in 2025-11-25, nothing is known of a client without
 * @throws TaskError `CLIENT_LACKS_CAPABILITY`
 */
export function requireCapability(
  { capabilities, generation }: Pick<ClientInfo, 'capabilities' | 'generation'>,
  method: AskedMethod,
  params: object,
  hasSession: boolean,
): void {
  const missing = missingCapability(capabilities, method, params);
  if (missing === undefined) return;
  const isUnknown = generation === '2025-11-25' && !hasSession;
  const message = isUnknown
    ? `${NOBODY_THERE} A feature that asks names "${missing}" in its "needs", and is then not offered here.`
    : `The client has not declared the capability "${missing}".`;
  throw new TaskError('CLIENT_LACKS_CAPABILITY', message, { capability: missing });
}

/**
 * Checks a request that needs no capability, but a client that can be reached: a ping of 2025-11-25. @throws TaskError
 * `CLIENT_LACKS_CAPABILITY`
 */
export function requireSession(hasSession: boolean): void {
  if (hasSession) return;
  const message = `${NOBODY_THERE} A feature that pings its client sets "needsSession", and is then not offered here.`;
  throw new TaskError('CLIENT_LACKS_CAPABILITY', message);
}

/** @returns the first capability that the request needs and the client has not declared, such as `sampling` or `elicitation.url` */
export function missingCapability(capabilities: JsonObject, method: AskedMethod, params: object): ClientCapability | undefined {
  return missingCapabilities(neededBy(method, params), capabilities)[0];
}

function neededBy(method: AskedMethod, { mode, tools, toolChoice, includeContext }: NeedingParams): readonly ClientCapability[] {
  switch (method) {
    case 'elicitation/create':
      return [mode === 'url' ? 'elicitation.url' : 'elicitation.form'];
    case 'sampling/createMessage':
      return [
        'sampling',
        ...(tools !== undefined || toolChoice !== undefined ? (['sampling.tools'] as const) : []),
        ...(includeContext !== undefined && includeContext !== 'none' ? (['sampling.context'] as const) : []),
      ];
    case 'roots/list':
      return ['roots'];
  }
}
