import { randomBytes } from 'node:crypto';
import type { GatewayKeys } from './session-keys.js';

/** The commands of Redis that the secret needs. */
export interface SecretRedis {
  set(key: string, value: string, condition: 'NX'): Promise<unknown>;
  get(key: string): Promise<string | null>;
}

/** The secret that all gateways of a deployment share. Whichever comes first draws it; it stays for ever. */
export async function sharedSecret(redis: SecretRedis, keys: GatewayKeys): Promise<string> {
  // A gateway starts also when Redis is out of memory, and refuses each SET.
  const present = await redis.get(keys.secret);
  if (present !== null) return present;
  const drawn = randomBytes(32).toString('base64url');
  await redis.set(keys.secret, drawn, 'NX');
  return (await redis.get(keys.secret)) ?? drawn;
}
