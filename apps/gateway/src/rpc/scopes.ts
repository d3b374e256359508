/** Checks the scopes in callers' tokens: for every request, for methods, and for features. */
import type { Principal } from '@longhaul/sessions/gateway';
import type { Challenges } from './challenges.js';

/** Whether the token has all of the scopes. Callers without a token, or with a static one, may do everything. */
export function holdsScopes(auth: Principal | undefined, scopes: readonly string[]): boolean {
  return auth?.scopes === undefined || scopes.every((scope) => auth.scopes?.includes(scope));
}

/** Refuses a request whose token lacks scopes. @throws Refusal 403 that names all of the scopes */
export type RequireScopes = (auth: Principal | undefined, scopes: readonly string[]) => void;

export function createRequireScopes(challenges: Challenges): RequireScopes {
  return (auth, scopes) => {
    if (!holdsScopes(auth, scopes)) throw challenges.insufficient(scopes);
  };
}
