/** Proofs of keys (RFC 9449), good and bad. */
import { createHash, randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { PUBLIC_URL } from './test-issuer.js';

/** The key of a client. */
export interface ClientKey {
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
  readonly privateJwk: JWK;
  readonly thumbprint: string;
}

export async function clientKey(): Promise<ClientKey> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  return { privateKey, publicJwk, privateJwk: await exportJWK(privateKey), thumbprint: await calculateJwkThumbprint(publicJwk) };
}

/** What is special about a proof. A claim that is `undefined` is left out. */
export interface ProofOptions {
  readonly claims?: JWTPayload;
  readonly header?: object;
  /** Signs it in place of the key that it names. */
  readonly signer?: CryptoKey | Uint8Array;
}

/** A proof of the key for a request with the token, a good one unless something is special about it. */
export async function proof(key: ClientKey, token: string, { claims = {}, header = {}, signer }: ProofOptions = {}): Promise<string> {
  const all: JWTPayload = {
    jti: randomUUID(),
    htm: 'POST',
    htu: PUBLIC_URL,
    iat: Math.floor(Date.now() / 1_000),
    ath: createHash('sha256').update(token).digest('base64url'),
    ...claims,
  };
  const stated = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return new SignJWT(stated)
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: key.publicJwk, ...header })
    .sign(signer ?? key.privateKey);
}
