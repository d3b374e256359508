/**
 * Checks proofs that the sender of a token has the key that the token is bound to (RFC 9449, section 4.3): signed for this request and this
 * token, a moment ago, and used once. All gateways share the store that shows whether a proof was used before.
 */
import type { RateStore } from '@longhaul/sessions/gateway';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { calculateJwkThumbprint, decodeProtectedHeader, EmbeddedJWK, errors, type JWTPayload, jwtVerify } from 'jose';
import { PROOF_ALGORITHMS } from './proof-algorithms.js';
import { TokenRejected } from './token-rejected.js';

/** How old a proof may be, and how far in the future, seconds. */
const PROOF_AGE_S = 60;
const AHEAD_S = 30;
/** The largest difference between the clocks of two gateways, seconds. */
const CLOCKS_APART_S = 10;
const MAX_PROOF_CHARS = 8 * 1_024;
const MAX_JTI_CHARS = 512;

/** A proof is missing or invalid. Its sender receives the message, as with `TokenRejected`. */
class ProofRejected extends TokenRejected {}

/** The parts of the check. */
export interface ProofCheckOptions {
  /** The URL of the endpoint, as clients know it. */
  readonly publicUrl: string;
  readonly rates: Pick<RateStore, 'take'>;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

/** A request with a token. */
export type ProvenRequest = Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'method'>;

/** @throws ProofRejected; TaskError `STORE_UNAVAILABLE` when it cannot be decided whether the proof was used before */
export type CheckProof = (request: ProvenRequest, token: string, thumbprint: string) => Promise<void>;

export function createProofCheck({ publicUrl, rates, now = Date.now }: ProofCheckOptions): CheckProof {
  return async (request, token, thumbprint) => {
    const { jti, htm, htu, iat, ath } = await verified(proofOf(request), thumbprint);
    if (typeof jti !== 'string' || jti === '' || jti.length > MAX_JTI_CHARS)
      throw new ProofRejected('the proof has no claim jti that can be used');
    if (htm !== request.method) throw new ProofRejected('the claim htm of the proof is not the method of the request');
    if (typeof htu !== 'string' || urlWithoutQuery(htu) !== publicUrl)
      throw new ProofRejected('the claim htu of the proof is not the URL of the endpoint');
    const ageS = now() / 1_000 - (typeof iat === 'number' ? iat : Number.NaN);
    if (!(ageS <= PROOF_AGE_S && ageS >= -AHEAD_S)) throw new ProofRejected('the proof is too old, or from the future');
    if (ath !== createHash('sha256').update(token).digest('base64url'))
      throw new ProofRejected('the claim ath of the proof is not that of the token');
    // One use is counted for as long as the proof could be valid at any gateway.
    const left = await rates.take({ what: 'dpop', account: `${thumbprint} ${jti}` }, 1, {
      limit: 1,
      perMs: (PROOF_AGE_S + AHEAD_S + CLOCKS_APART_S) * 1_000,
    });
    if (left > 0) throw new ProofRejected('the proof was shown before');
  };
}

/** Node joins several headers of that name, and the joined text is no valid token. */
function proofOf({ headers }: ProvenRequest): string {
  const { dpop } = headers;
  if (dpop === undefined) throw new ProofRejected('the token is bound to a key, and the header DPoP with a proof is missing');
  if (typeof dpop !== 'string' || dpop.length > MAX_PROOF_CHARS || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(dpop))
    throw new ProofRejected('the header DPoP is no proof, or came more than once');
  return dpop;
}

async function verified(proof: string, thumbprint: string): Promise<JWTPayload> {
  try {
    // The key comes first: its sender may have chosen another one so that a signature takes long to verify.
    const { jwk } = decodeProtectedHeader(proof);
    if (jwk === undefined) throw new ProofRejected('the proof names no key');
    if ((await calculateJwkThumbprint(jwk, 'sha256')) !== thumbprint)
      throw new ProofRejected('the proof is signed with another key than that of the token');
    // `EmbeddedJWK` accepts only public keys. Dates are checked here, because a proof need not have an end.
    return (await jwtVerify(proof, EmbeddedJWK, { typ: 'dpop+jwt', algorithms: [...PROOF_ALGORITHMS] })).payload;
  } catch (error) {
    if (error instanceof ProofRejected) throw error;
    if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException)
      throw new ProofRejected('the proof is not signed as it has to be', { cause: error });
    throw error;
  }
}

function urlWithoutQuery(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, pathname } = new URL(text);
  // The pattern begins at the last character that is no slash, as many slashes as a text has.
  return `${origin}${pathname}`.replace(/(?<!\/)\/+$/, '');
}
