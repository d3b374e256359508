import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Key, KEY_ID_LENGTH, type KeyRing } from '@longhaul/runtime/keys';

/** Signs outgoing ids, and checks whether returned ids are genuine. */
export interface Signer {
  readonly sign: (text: string) => string;
  readonly isGenuine: (text: string, signature: string) => boolean;
}

/** Characters of a signature without the id of its key: 132 bits. */
const SIGNATURE_LENGTH = 22;

/** The form of a signature, for a regular expression. */
export const SIGNATURE_FORM = `[\\w-]{${KEY_ID_LENGTH}}\\.[\\w-]{${SIGNATURE_LENGTH}}`;

/** @param ring shared by all gateways of a deployment */
export function createSigner(ring: KeyRing): Signer {
  return {
    sign: (text) => signature(ring.current, text),
    isGenuine(text, given) {
      const key = ring.key(given.slice(0, KEY_ID_LENGTH));
      if (key === undefined) return false;
      const [theirs, right] = [Buffer.from(given), Buffer.from(signature(key, text))];
      return theirs.length === right.length && timingSafeEqual(theirs, right);
    },
  };
}

function signature(key: Key, text: string): string {
  return `${key.id}.${createHmac('sha256', key.of('request ids')).update(text).digest('base64url').slice(0, SIGNATURE_LENGTH)}`;
}
