/**
 * Decides what scripts do when Redis is at its `maxmemory`. Without this, they fail at their first command that may take memory. For
 * BullMQ's scripts that means that locks are not renewed and running passes are lost. So every script that is defined on a client runs,
 * unless it begins with `REFUSED_WHEN_FULL`; `StoreCapacity` refuses new work before. Plain commands cannot run without memory: a write
 * that must succeed has to be a script.
 */
import type { RedisClient } from './client.js';

/** First line of a script that Redis runs also without memory. */
export const FITS_WHEN_FULL = '#!lua flags=allow-oom\n';
/** First line of a script that Redis refuses as a whole when it has no memory. */
export const REFUSED_WHEN_FULL = '#!lua\n';

/** Makes the scripts run that are defined on the client from now on, including BullMQ's. */
export function letScriptsFit(client: RedisClient): void {
  const define = client.defineCommand.bind(client);
  client.defineCommand = (name, definition) => {
    const { lua } = definition;
    define(name, { ...definition, lua: lua.startsWith('#!') ? lua : FITS_WHEN_FULL + lua });
  };
}
