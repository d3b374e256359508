/** Checks the signatures of webhooks that come from elsewhere, as Standard Webhooks 1.0 say: `v1`, HMAC with SHA-256. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { secretBytes } from '@longhaul/runtime/webhook-settings';

/** How far the time of a delivery may be from ours, milliseconds: an older one may be somebody else's copy. */
const TOLERANCE_MS = 5 * 60_000;
/** Signatures of one delivery: as many as its sender changes secrets. */
const MAX_SIGNATURES = 16;

/** The headers of a delivery that its signature is about. */
export interface SignedHeaders {
  readonly id: string | undefined;
  /** Seconds. */
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
}

/** Whether a text is a secret of Standard Webhooks. */
export function isSigningSecret(secret: unknown): secret is string {
  return typeof secret === 'string' && secretBytes(secret) !== undefined;
}

/**
 * Why a delivery is not signed with one of the secrets; nothing when it is.
 *
 * @param body its bytes as they came
 */
export function signatureProblem(
  secrets: readonly string[],
  { id, timestamp, signature }: SignedHeaders,
  body: Uint8Array,
  now: number,
): string | undefined {
  if (id === undefined || timestamp === undefined || signature === undefined || id === '')
    return 'The headers webhook-id, webhook-timestamp and webhook-signature are needed here.';
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Number(timestamp) * 1_000 - now) > TOLERANCE_MS)
    return `webhook-timestamp must be the present time in seconds, within ${TOLERANCE_MS / 1_000} s.`;
  const given = signature.split(' ').slice(0, MAX_SIGNATURES);
  const isSigned = secrets.filter(isSigningSecret).some((secret) => {
    const expected = createHmac('sha256', secretBytes(secret) ?? '')
      .update(`${id}.${timestamp}.`)
      .update(body)
      .digest();
    return given.some((each) => each.startsWith('v1,') && isSame(Buffer.from(each.slice(3), 'base64'), expected));
  });
  return isSigned ? undefined : 'webhook-signature is of none of the secrets of this address.';
}

function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
