import type { RedisClient } from './client.js';
import { defineScript, script } from './script.js';

/**
 * A script, so that on a cluster all messages of a channel are published by the same node, which keeps
 * them in order; a plain PUBLISH goes to any node.
 */
const PUBLISH = script({ keys: ['channel'], texts: ['message'], lua: `redis.call('PUBLISH', channel, message)` });

/** Publishes messages; those of a channel arrive in order. */
export type Publish = (channel: string, message: string) => Promise<void>;

/** Has the client publish. */
export function definePublish(redis: RedisClient): Publish {
  const run = defineScript(redis, PUBLISH);
  return (channel, message) => run({ channel }, { message });
}
