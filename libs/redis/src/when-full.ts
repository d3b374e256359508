/**
 * What scripts do when Redis is at its `maxmemory`. By themselves they fail at their first command that may take
 * memory, which for BullMQ's means that locks are not renewed and running passes are lost. So every script
 * that is defined on a client goes through, unless it begins with `REFUSED_WHEN_FULL`; what is refused is decided
 * before (`StoreCapacity`). Plain commands cannot be let through: what must fit has to be a script.
 */
import type { RedisClient } from './client.js';

/** First line of a script that Redis runs also without memory. */
export const FITS_WHEN_FULL = '#!lua flags=allow-oom\n';
/** First line of a script that Redis refuses as a whole when it has no memory. */
export const REFUSED_WHEN_FULL = '#!lua\n';

/** Has the scripts that are defined on the client from now on go through, BullMQ's too. */
export function letScriptsFit(client: RedisClient): void {
  const define = client.defineCommand.bind(client);
  client.defineCommand = (name, definition) => {
    const { lua } = definition;
    define(name, { ...definition, lua: lua.startsWith('#!') ? lua : FITS_WHEN_FULL + lua });
  };
}
