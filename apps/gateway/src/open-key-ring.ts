import { createKeyRing, joinKeyRings, type KeyRing } from '@longhaul/runtime/keys';
import type { Store } from '@longhaul/sessions';
import type { GatewayConfig } from './config.js';

/**
 * Opens the keys that a gateway signs and seals with: the keys at rest if they write, otherwise the configured secret or the secret that
 * the gateways share. Texts of the other keys are still accepted.
 *
 * @throws TaskError `STORE_UNAVAILABLE` when the shared secret cannot be read
 */
export async function openKeyRing({ keyRing, gateway }: Store, config: GatewayConfig): Promise<KeyRing> {
  const { secret, oldSecrets, atRest } = config;
  const isAtRest = keyRing !== undefined && atRest?.writes === true;
  const [first, ...others] = secret === undefined ? oldSecrets : [secret, ...oldSecrets];
  if (isAtRest) return first === undefined ? keyRing : joinKeyRings(keyRing, createKeyRing(first, others));
  const ring = createKeyRing(secret ?? (await gateway.secret()), oldSecrets);
  return keyRing === undefined ? ring : joinKeyRings(ring, keyRing);
}
