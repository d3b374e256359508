/** Defines scopes in the syntax of RFC 6749 (section 3.3). */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/;

/** Scopes that are requested from an authorization server, never from a resource. */
const NEVER_ASKED = 'offline_access';

/** The mistake in a required scope. */
export function scopeProblem(scope: string): string | undefined {
  if (!SCOPE.test(scope)) return `"${scope}" is no scope: 1 to 128 printable characters of ASCII without spaces, " and \\`;
  return scope === NEVER_ASKED ? `"${NEVER_ASKED}" is for the authorization server, and cannot be asked of a token here` : undefined;
}

/** @throws TypeError for what is no scope */
export function checkedScopes(scopes: readonly string[]): readonly string[] {
  const problem = scopes.map(scopeProblem).find((found) => found !== undefined);
  if (problem !== undefined) throw new TypeError(`scopes: ${problem}.`);
  return scopes;
}
