/** Who is let in, and what they may do: put together of what the configuration says. */
import type { Principal, RateStore } from '@longhaul/sessions/gateway';
import type { FeatureRegistry } from '@longhaul/mcp-features';
import { createFindHolder } from '@longhaul/runtime/tokens';
import { ownerOfUser } from '@longhaul/sessions';
import type { Generation } from '@longhaul/tasks';
import type { Authenticate } from '../rpc/caller.js';
import { type ChallengeOptions, type Challenges, createChallenges } from '../rpc/challenges.js';
import { createRequestScopes, knownScopes, NO_SCOPES, type RequestScopes, type ScopeSettings } from '../rpc/request-scopes.js';
import { type AuthenticatorOptions, createAuthenticator } from './authenticator.js';
import type { RevokedCallers } from './revoked-callers.js';
import type { IssuerConfig } from './issuer-settings.js';
import type { VerifyToken } from './jwt-verifier.js';
import { PROOF_ALGORITHMS } from './proof-algorithms.js';
import { metadataUrl, type ResourceMetadata, resourceMetadata } from './resource.js';

/** What the configuration says of it. */
export interface AccessConfig {
  /** The names of those who are let in, by token. Without these and without issuers everyone is. */
  readonly tokens?: ReadonlyMap<string, string>;
  /** Who issues tokens to those who are let in. Absent: nobody does. */
  readonly issuers?: readonly IssuerConfig[];
  /** The endpoint as clients and issuers know it; never absent with issuers. */
  readonly publicUrl?: string;
  /** What is asked of tokens that issuers give, beside what features ask for. */
  readonly scopes?: ScopeSettings;
}

/** Who is let in, and what they may do. */
export interface Access {
  /** Absent where everyone is let in. */
  readonly authenticate: Authenticate | undefined;
  readonly requestScopes: Readonly<Record<Generation, RequestScopes>>;
  readonly challenges: Challenges;
  /** For clients that look for an authorization server. Absent where there is none. */
  readonly metadata: ResourceMetadata | undefined;
}

/** What it is made of. */
export interface AccessOptions {
  readonly config: AccessConfig;
  /** Those of all protocol versions. */
  readonly features: FeatureRegistry;
  /** Those that answer requests of each. */
  readonly served: Readonly<Record<Generation, FeatureRegistry>>;
  /** Who has been revoked. */
  readonly revoked: RevokedCallers;
  /** Where it is counted how often a proof was shown. */
  readonly rates: RateStore;
  /** What the server is called. */
  readonly title: string;
  /** Called with why a token could not be verified, though it may be good. */
  readonly onError: (error: unknown) => void;
  /** Called with why a token of an issuer was refused. */
  readonly onRefused: AuthenticatorOptions['onRefused'];
}

export async function openAccess({ config, features, served, revoked, rates, title, onError, onRefused }: AccessOptions): Promise<Access> {
  const { tokens, issuers = [], publicUrl, scopes = NO_SCOPES } = config;
  const known = knownScopes(features, scopes);
  const hasIssuers = publicUrl !== undefined && issuers.length > 0;
  const challenges = createChallenges({
    resourceMetadata: hasIssuers ? metadataUrl(publicUrl) : undefined,
    // Who begins with less than everything is asked for the rest when it is needed.
    scopes: !hasIssuers ? [] : scopes.required.length > 0 ? scopes.required : known,
    dpop: boundTokensOf(config),
  });
  return {
    authenticate:
      tokens === undefined && !hasIssuers ? undefined : await authenticatorOf(config, { challenges, revoked, rates, onError, onRefused }),
    requestScopes: {
      '2025-11-25': createRequestScopes(served['2025-11-25'], scopes),
      '2026-07-28': createRequestScopes(served['2026-07-28'], scopes),
    },
    challenges,
    metadata: hasIssuers
      ? resourceMetadata(
          publicUrl,
          issuers.map(({ issuer }) => issuer),
          { scopes: known, title, isBound: boundTokensOf(config)?.of === 'all' },
        )
      : undefined,
  };
}

/** Which callers need tokens that are bound to keys; static tokens never are. */
function boundTokensOf({ issuers = [], tokens }: AccessConfig): ChallengeOptions['dpop'] {
  const requiring = issuers.filter(({ dpop }) => dpop === 'required').length;
  if (requiring === 0) return undefined;
  return { algorithms: PROOF_ALGORITHMS, of: requiring === issuers.length && tokens === undefined ? 'all' : 'some' };
}

async function authenticatorOf(
  { tokens = new Map<string, string>(), issuers = [], publicUrl, scopes = NO_SCOPES }: AccessConfig,
  { rates, ...shared }: Pick<AuthenticatorOptions, 'challenges' | 'revoked' | 'onError' | 'onRefused'> & Pick<AccessOptions, 'rates'>,
): Promise<Authenticate> {
  const holders = new Map([...tokens].map(([token, name]): [string, Principal] => [token, { owner: ownerOfUser(name), subject: name }]));
  const findHolder = createFindHolder(holders);
  const none: ReadonlyMap<string, VerifyToken> = new Map();
  if (publicUrl === undefined || issuers.length === 0)
    return createAuthenticator({ ...shared, findHolder, issuers: none, introspect: undefined });
  // Nobody else needs to load what verifies signatures.
  const [{ createVerifiers }, { createProofCheck }] = await Promise.all([import('./verifiers.js'), import('./dpop-proof.js')]);
  const proofs = { algorithms: PROOF_ALGORITHMS, check: createProofCheck({ publicUrl, rates }) };
  return createAuthenticator({
    ...shared,
    proofs,
    findHolder,
    ...createVerifiers({ issuers, publicUrl, scopes, onError: shared.onError }),
  });
}
