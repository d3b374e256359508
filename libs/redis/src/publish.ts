import type { RedisClient } from './client.js';
import { defineScript, script } from './script.js';

/**
 * A script, so that on a cluster one node publishes all messages of a channel and keeps them in order; a plain PUBLISH goes to any node.
 */
const PUBLISH = script({ keys: ['channel'], texts: ['message'], lua: `redis.call('PUBLISH', channel, message)` });

/** Publishes messages; the messages of one channel arrive in order. */
export type Publish = (channel: string, message: string) => Promise<void>;

/** Defines the script on the client. */
export function definePublish(redis: RedisClient): Publish {
  const run = defineScript(redis, PUBLISH);
  return (channel, message) => run({ channel }, { message });
}
