import { randomBytes } from 'node:crypto';
import type { RedisClient } from '@longhaul/redis';
import type { GatewayKeys } from '../keys/gateway.js';

/** The secret that all gateways of a deployment share. The first gateway draws it; it stays for ever. */
export async function sharedSecret(redis: RedisClient, keys: GatewayKeys): Promise<string> {
  // A gateway must also start when Redis is out of memory and refuses each SET.
  const present = await redis.get(keys.secret);
  if (present !== null) return present;
  const drawn = randomBytes(32).toString('base64url');
  await redis.set(keys.secret, drawn, 'NX');
  return (await redis.get(keys.secret)) ?? drawn;
}
