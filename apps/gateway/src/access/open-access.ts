/** Who is let in, and what they may do: put together of what the configuration says. */
import type { FeatureRegistry } from '@longhaul/mcp-features';
import { createFindHolder } from '@longhaul/runtime/tokens';
import { ownerOfUser } from '@longhaul/sessions';
import type { Authenticate } from '../rpc/caller.js';
import { type Challenges, createChallenges } from '../rpc/challenges.js';
import { createRequestScopes, knownScopes, NO_SCOPES, type RequestScopes, type ScopeSettings } from '../rpc/request-scopes.js';
import type { Principal } from '../state/requester.js';
import { type AuthenticatorOptions, createAuthenticator } from './authenticator.js';
import type { RevokedCallers } from './revoked-callers.js';
import type { IssuerConfig } from './issuer-settings.js';
import type { VerifyToken } from './jwt-verifier.js';
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
  readonly requestScopes: RequestScopes;
  readonly challenges: Challenges;
  /** For clients that look for an authorization server. Absent where there is none. */
  readonly metadata: ResourceMetadata | undefined;
}

/** What it is made of. */
export interface AccessOptions {
  readonly config: AccessConfig;
  /** Those of all protocol versions. */
  readonly features: FeatureRegistry;
  /** Who has been revoked. */
  readonly revoked: RevokedCallers;
  /** What the server is called. */
  readonly title: string;
  /** Called with why a token could not be verified, though it may be good. */
  readonly onError: (error: unknown) => void;
}

export async function openAccess({ config, features, revoked, title, onError }: AccessOptions): Promise<Access> {
  const { tokens, issuers = [], publicUrl, scopes = NO_SCOPES } = config;
  const known = knownScopes(features, scopes);
  const hasIssuers = publicUrl !== undefined && issuers.length > 0;
  const challenges = createChallenges({
    resourceMetadata: hasIssuers ? metadataUrl(publicUrl) : undefined,
    // Who begins with less than everything is asked for the rest when it is needed.
    scopes: !hasIssuers ? [] : scopes.required.length > 0 ? scopes.required : known,
  });
  return {
    authenticate: tokens === undefined && !hasIssuers ? undefined : await authenticatorOf(config, { challenges, revoked, onError }),
    requestScopes: createRequestScopes(features, scopes),
    challenges,
    metadata: hasIssuers
      ? resourceMetadata(
          publicUrl,
          issuers.map(({ issuer }) => issuer),
          known,
          title,
        )
      : undefined,
  };
}

async function authenticatorOf(
  { tokens = new Map<string, string>(), issuers = [], publicUrl, scopes = NO_SCOPES }: AccessConfig,
  shared: Pick<AuthenticatorOptions, 'challenges' | 'revoked' | 'onError'>,
): Promise<Authenticate> {
  const holders = new Map([...tokens].map(([token, name]): [string, Principal] => [token, { owner: ownerOfUser(name), subject: name }]));
  const findHolder = createFindHolder(holders);
  const none: ReadonlyMap<string, VerifyToken> = new Map();
  if (publicUrl === undefined || issuers.length === 0)
    return createAuthenticator({ ...shared, findHolder, issuers: none, introspect: undefined });
  // Nobody else needs to load what verifies signatures.
  const { createVerifiers } = await import('./verifiers.js');
  return createAuthenticator({ ...shared, findHolder, ...createVerifiers({ issuers, publicUrl, scopes, onError: shared.onError }) });
}
