/** Sets up the verification of tokens for the configured issuers. */
import type { ScopeSettings } from '../rpc/request-scopes.js';
import { fetchJson } from './fetch-json.js';
import { findKeysUrl } from './find-keys-url.js';
import { createIntrospection } from './introspection.js';
import type { IssuerConfig } from './issuer-settings.js';
import { createJwtVerifier, type VerifyToken } from './jwt-verifier.js';
import { audiencesOf } from './resource.js';
import { SigningKeys } from './signing-keys.js';

/** The parts of it. */
export interface VerifierOptions {
  readonly issuers: readonly IssuerConfig[];
  readonly publicUrl: string;
  readonly scopes: ScopeSettings;
  readonly onError: (error: unknown) => void;
}

/** @returns verifiers of signed tokens, by issuer, and one for tokens that only their issuer can read */
export function createVerifiers({ issuers, publicUrl, scopes, onError }: VerifierOptions): {
  readonly issuers: ReadonlyMap<string, VerifyToken>;
  readonly introspect: VerifyToken | undefined;
} {
  const audiencesFor = ({ audiences }: IssuerConfig): readonly string[] => audiences ?? audiencesOf(publicUrl);
  const introspecting = issuers.flatMap(({ introspection, ...settings }) => {
    if (introspection === undefined) return [];
    const { clientSecret, ...asked } = introspection;
    return [{ settings: { ...settings, introspection: asked }, clientSecret, audiences: audiencesFor(settings) }];
  });
  const [introspected] = introspecting;
  return {
    issuers: new Map(
      issuers.map((settings) => {
        const { issuer, staleMs } = settings;
        const keys = new SigningKeys({ issuer, staleMs, fetchKeys: keysOf(settings), onError });
        return [issuer, createJwtVerifier({ settings, audiences: audiencesFor(settings), scopes, keys })] as const;
      }),
    ),
    introspect: introspected && createIntrospection({ ...introspected, scopes, fetchObject: fetchJson, onError }),
  };
}

/** Fetches the keys of an issuer. Their URL is looked up once, and again when they are no longer there. */
function keysOf({ issuer, jwksUri }: IssuerConfig): () => Promise<object> {
  let found = jwksUri;
  return async () => {
    found ??= await findKeysUrl(issuer, fetchJson);
    try {
      return await fetchJson(found);
    } catch (error) {
      found = jwksUri;
      throw error;
    }
  };
}
