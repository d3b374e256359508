import type { ClientInfo } from '../domain/events.js';
import { type ClientCapability, missingCapabilities, type QuestionKind } from '../domain/client-capability.js';
import type { JsonObject } from '../domain/json.js';
import { shown } from '../domain/shown.js';
import { TaskError } from '../errors.js';
import { requireObject } from '../given.js';

/** A request that a client can be asked to answer. */
export type AskedMethod = 'elicitation/create' | 'sampling/createMessage' | 'roots/list';

/** The capabilities that a request needs, by its params. */
interface NeedingParams {
  readonly mode?: unknown;
  readonly tools?: unknown;
  readonly toolChoice?: unknown;
  readonly includeContext?: unknown;
}

const KINDS: Readonly<Record<AskedMethod, QuestionKind>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

const ASKED_METHODS = Object.keys(KINDS) as readonly AskedMethod[];

/** @param of the operation, in messages to its author. @throws TaskError `INVALID_KEY` for what is no request that a client can be asked */
export function requireAsked(of: string, asked: { readonly method: AskedMethod; readonly params: object }): void {
  requireObject(of, 'the request', asked);
  if (!ASKED_METHODS.includes(asked.method))
    throw new TaskError('INVALID_KEY', `${of}: method must be one of ${ASKED_METHODS.join(', ')}, and is ${shown(asked.method)}.`);
  requireObject(of, 'params', asked.params);
}

/** All capabilities that questions of a kind may need. */
const ALL_OF: Readonly<Record<QuestionKind, readonly ClientCapability[]>> = {
  elicitation: ['elicitation.form', 'elicitation.url'],
  sampling: ['sampling', 'sampling.tools', 'sampling.context'],
  roots: ['roots'],
};

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

/** Whether a client with these capabilities takes the request. Requests that need none, such as a ping, are taken by every client. */
export function takesRequest(capabilities: JsonObject, { method, params }: { readonly method: string; readonly params: object }): boolean {
  return !Object.hasOwn(KINDS, method) || missingCapability(capabilities, method as AskedMethod, params) === undefined;
}

/** The kinds of questions that a client with these capabilities takes no or not every question of. @param kinds to look at */
export function kindsNotTaken(capabilities: JsonObject, kinds: readonly QuestionKind[]): readonly QuestionKind[] {
  return kinds.filter((kind) => missingCapabilities(ALL_OF[kind], capabilities).length > 0);
}

/** Whether a question of the method waits for somebody else where the client cannot be asked. @param kept the kinds that do */
export function isKept(method: string, kept: readonly QuestionKind[] = []): boolean {
  return Object.hasOwn(KINDS, method) && kept.includes(KINDS[method as AskedMethod]);
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
