import type { ClientInfo } from '../domain/events.js';
import type { Json } from '../domain/json.js';
import { TaskError } from '../errors.js';

const CAPABILITIES = { 'elicitation/create': 'elicitation', 'sampling/createMessage': 'sampling', 'roots/list': 'roots' } as const;

/** A request that a client can be asked to answer. */
export type AskedMethod = keyof typeof CAPABILITIES;

/**
 * A client that cannot answer is not asked: the task would wait for its deadline. What the client
 * declared is recorded with the task, so a replay decides the same.
 *
 * @param params of the request: an elicitation has a mode, which the client has to know as well
 * @throws TaskError `CLIENT_LACKS_CAPABILITY`
 */
export function requireCapability({ capabilities }: ClientInfo, method: AskedMethod, params: object): void {
  const name = CAPABILITIES[method];
  const declared = capabilities[name];
  const missing = declared === undefined ? name : name === 'elicitation' ? missingMode(declared, params) : undefined;
  if (missing !== undefined)
    throw new TaskError('CLIENT_LACKS_CAPABILITY', `The client has not declared the capability "${missing}".`, { capability: missing });
}

/** A declaration that names no mode stands for forms: URLs came later. */
function missingMode(declared: Json, params: object): string | undefined {
  const modes = typeof declared === 'object' && declared !== null ? Object.keys(declared) : [];
  const mode = 'mode' in params && params.mode === 'url' ? 'url' : 'form';
  const isKnown = modes.includes(mode) || (mode === 'form' && !modes.includes('url'));
  return isKnown ? undefined : `elicitation.${mode}`;
}
