import type { ClientInfo } from '../domain/events.js';
import { TaskError } from '../errors.js';

/**
 * A client that cannot answer is not asked: the task would wait for its deadline. What the client
 * declared is recorded with the task, so a replay decides the same.
 *
 * @throws TaskError `CLIENT_LACKS_CAPABILITY`
 */
export function requireCapability({ capabilities }: ClientInfo, name: 'elicitation' | 'sampling' | 'roots'): void {
  if (capabilities[name] === undefined)
    throw new TaskError('CLIENT_LACKS_CAPABILITY', `The client has not declared the capability "${name}".`, { capability: name });
}
