/** Sets up authentication and scopes from the configuration. */
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

/** The settings of authentication. */
export interface AccessConfig {
  /** The names of static tokens' holders, by token. Without these and without issuers, everyone is let in. */
  readonly tokens?: ReadonlyMap<string, string>;
  /** The issuers whose tokens are accepted. Absent: no issuer is. */
  readonly issuers?: readonly IssuerConfig[];
  /** The endpoint's URL for clients and issuers; always present with issuers. */
  readonly publicUrl?: string;
  /** The scopes that issuers' tokens need, in addition to the scopes of features. */
  readonly scopes?: ScopeSettings;
}

/** Authentication and scopes. */
export interface Access {
  /** Absent if everyone is let in. */
  readonly authenticate: Authenticate | undefined;
  readonly requestScopes: Readonly<Record<Generation, RequestScopes>>;
  readonly challenges: Challenges;
  /** Metadata for clients that look for an authorization server. Absent if there is none. */
  readonly metadata: ResourceMetadata | undefined;
}

/** The parts of it. */
export interface AccessOptions {
  readonly config: AccessConfig;
  /** The features of all protocol versions. */
  readonly features: FeatureRegistry;
  /** The features that answer requests of each version. */
  readonly served: Readonly<Record<Generation, FeatureRegistry>>;
  /** The revoked callers. */
  readonly revoked: RevokedCallers;
  /** Counts how often a proof was used. */
  readonly rates: RateStore;
  /** The name of the server. */
  readonly title: string;
  /** Called with the reason when a token could not be verified, although it may be valid. */
  readonly onError: (error: unknown) => void;
  /** Called with the reason when an issuer's token is refused. */
  readonly onRefused: AuthenticatorOptions['onRefused'];
}

export async function openAccess({ config, features, served, revoked, rates, title, onError, onRefused }: AccessOptions): Promise<Access> {
  const { tokens, issuers = [], publicUrl, scopes = NO_SCOPES } = config;
  const known = (): readonly string[] => knownScopes(features, scopes);
  const hasIssuers = publicUrl !== undefined && issuers.length > 0;
  const challenges = createChallenges({
    resourceMetadata: hasIssuers ? metadataUrl(publicUrl) : undefined,
    // A client that begins with few scopes is asked for more when they are needed.
    scopes: () => (!hasIssuers ? [] : scopes.required.length > 0 ? scopes.required : known()),
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
  // The code that verifies signatures is loaded only if it is needed.
  const [{ createVerifiers }, { createProofCheck }] = await Promise.all([import('./verifiers.js'), import('./dpop-proof.js')]);
  const proofs = { algorithms: PROOF_ALGORITHMS, check: createProofCheck({ publicUrl, rates }) };
  return createAuthenticator({
    ...shared,
    proofs,
    findHolder,
    ...createVerifiers({ issuers, publicUrl, scopes, onError: shared.onError }),
  });
}
