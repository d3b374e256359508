/** Defines scopes in the syntax of RFC 6749 (section 3.3). */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/;

/** What is asked of an authorization server, and never of a resource. */
const NEVER_ASKED = 'offline_access';

/** What is wrong with a scope that somebody has to have. */
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
