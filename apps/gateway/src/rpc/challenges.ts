/**
 * What a caller is answered that may not come in, or may not do what it asks for, in the words of RFC 6750 (section 3) and RFC 9728
 * (section 5.1): by the header a client finds out where to get a token, and what to ask for.
 */
import { Refusal, RpcCode } from './errors.js';

/** Where clients find out more, and the scopes to ask for. */
export interface ChallengeOptions {
  /** The URL of the metadata of the resource. Absent where no authorization server gives tokens. */
  readonly resourceMetadata?: string | undefined;
  /** What a client should ask for that has no token yet. */
  readonly scopes: readonly string[];
  /** Signatures of proofs, where tokens have to be bound to keys (RFC 9449, section 7.1): those of some issuers, or of all. @defaultValue they need not be */
  readonly dpop?: { readonly algorithms: readonly string[]; readonly of: 'some' | 'all' } | undefined;
}

/** Makes the refusals, to be thrown. */
export interface Challenges {
  /** Nothing was presented. */
  missing(): Refusal;
  /** @param reason in ASCII, without quotes; it says nothing of the token that its holder does not know */
  invalid(reason: string): Refusal;
  /** A token is bound to a key, and its proof is not good. @param reason as of `invalid` */
  unproven(reason: string, algorithms: readonly string[]): Refusal;
  /** @param scopes all that the operation needs, also those that the caller has */
  insufficient(scopes: readonly string[]): Refusal;
}

export function createChallenges({ resourceMetadata, scopes, dpop }: ChallengeOptions): Challenges {
  const challengeOf = (
    scheme: string,
    error: readonly [string, string] | undefined,
    asked: readonly string[],
    algorithms: readonly string[],
  ): string => {
    const parameters = [
      ...(error === undefined ? [] : [`error="${error[0]}"`, `error_description="${error[1]}"`]),
      ...(algorithms.length > 0 ? [`algs="${algorithms.join(' ')}"`] : []),
      ...(asked.length > 0 ? [`scope="${asked.join(' ')}"`] : []),
      ...(resourceMetadata === undefined ? [] : [`resource_metadata="${resourceMetadata}"`]),
    ];
    return parameters.length === 0 ? scheme : `${scheme} ${parameters.join(', ')}`;
  };
  const challenge = (error: readonly [string, string] | undefined, asked: readonly string[]): Readonly<Record<string, string>> => {
    if (dpop?.of === 'all') return { 'www-authenticate': challengeOf('DPoP', error, asked, dpop.algorithms) };
    // Clients that know one scheme only read the first.
    const bound = dpop === undefined ? '' : `, DPoP algs="${dpop.algorithms.join(' ')}"`;
    return { 'www-authenticate': challengeOf('Bearer', error, asked, []) + bound };
  };
  return {
    missing: () => new Refusal(401, RpcCode.Transport, 'Unauthorized: a bearer token is required', challenge(undefined, scopes)),
    invalid: (reason) => new Refusal(401, RpcCode.Transport, `Unauthorized: ${reason}`, challenge(['invalid_token', reason], scopes)),
    unproven: (reason, algorithms) =>
      new Refusal(401, RpcCode.Transport, `Unauthorized: ${reason}`, {
        'www-authenticate': challengeOf('DPoP', ['invalid_dpop_proof', reason], scopes, algorithms),
      }),
    insufficient(needed) {
      const reason = `the token lacks a scope; this takes ${needed.join(' ')}`;
      const header = challenge(['insufficient_scope', 'the token lacks a scope'], needed);
      return new Refusal(403, RpcCode.Transport, `Forbidden: ${reason}`, header, { reason: 'INSUFFICIENT_SCOPE', scopes: needed });
    },
  };
}
