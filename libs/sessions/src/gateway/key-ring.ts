import { createKeyRing, joinKeyRings, type KeyRing } from '@longhaul/runtime/keys';
import type { GatewayState } from './gateway-state.js';

/** The parts of a store that have keys. */
export interface KeyStores {
  readonly gateway: Pick<GatewayState, 'secret'>;
  /** The keys of `LONGHAUL_KEYS`. */
  readonly keyRing?: KeyRing | undefined;
}

/** The settings of keys. */
export interface KeySettings {
  readonly secret?: string;
  readonly oldSecrets: readonly string[];
  readonly atRest?: { readonly writes: boolean };
}

/**
 * Opens the keys that a deployment signs and seals with: the keys at rest if they write, otherwise the configured secret or the secret that
 * all processes share. Texts of the other keys are still accepted.
 *
 * @throws TaskError `STORE_UNAVAILABLE` when the shared secret cannot be read
 */
export async function openKeyRing({ keyRing, gateway }: KeyStores, { secret, oldSecrets, atRest }: KeySettings): Promise<KeyRing> {
  const isAtRest = keyRing !== undefined && atRest?.writes === true;
  const [first, ...others] = secret === undefined ? oldSecrets : [secret, ...oldSecrets];
  if (isAtRest) return first === undefined ? keyRing : joinKeyRings(keyRing, createKeyRing(first, others));
  const ring = createKeyRing(secret ?? (await gateway.secret()), oldSecrets);
  return keyRing === undefined ? ring : joinKeyRings(ring, keyRing);
}
