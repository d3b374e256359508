/** What callers' tokens must allow: of every request, of methods, and of features. */
import type { Principal } from '@longhaul/sessions/gateway';
import type { Challenges } from './challenges.js';

/** Whether the token allows all of that. Who has no token, or a static one, may do everything. */
export function holdsScopes(auth: Principal | undefined, scopes: readonly string[]): boolean {
  return auth?.scopes === undefined || scopes.every((scope) => auth.scopes?.includes(scope));
}

/** Refuses what a token does not allow. @throws Refusal 403 that names all of the scopes */
export type RequireScopes = (auth: Principal | undefined, scopes: readonly string[]) => void;

export function createRequireScopes(challenges: Challenges): RequireScopes {
  return (auth, scopes) => {
    if (!holdsScopes(auth, scopes)) throw challenges.insufficient(scopes);
  };
}
