import type { RedisClient } from '../redis-connection.js';

/**
 * A script, so that on a cluster all messages of a channel are published by the same node, which keeps
 * them in order; a plain PUBLISH goes to any node.
 */
const PUBLISH = `
local channel, message = KEYS[1], ARGV[1]
return redis.call('PUBLISH', channel, message)
`;

interface WithPublish {
  longhaulPublish(channel: string, message: string): Promise<number>;
}

/** Defines the script on the client and returns the only function that calls it. */
export function definePublish(redis: RedisClient): (channel: string, message: string) => Promise<number> {
  redis.defineCommand('longhaulPublish', { numberOfKeys: 1, lua: PUBLISH });
  const client = redis as RedisClient & WithPublish;
  return (channel, message) => client.longhaulPublish(channel, message);
}
