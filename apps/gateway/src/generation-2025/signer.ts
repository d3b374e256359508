import { createHmac, timingSafeEqual } from 'node:crypto';

/** Signs what goes out, and tells whether what comes back is genuine. */
export interface Signer {
  readonly sign: (text: string) => string;
  readonly isGenuine: (text: string, signature: string) => boolean;
}

/** Characters of a signature: 132 bits of it. */
const SIGNATURE_LENGTH = 22;

/** What a signature looks like, for a regular expression. */
export const SIGNATURE_FORM = `[\\w-]{${SIGNATURE_LENGTH}}`;

/** @param secret shared by all gateways of a deployment */
export function createSigner(secret: string): Signer {
  const sign = (text: string): string => createHmac('sha256', secret).update(text).digest('base64url').slice(0, SIGNATURE_LENGTH);
  return {
    sign,
    isGenuine(text, signature) {
      const [given, right] = [Buffer.from(signature), Buffer.from(sign(text))];
      return given.length === right.length && timingSafeEqual(given, right);
    },
  };
}
