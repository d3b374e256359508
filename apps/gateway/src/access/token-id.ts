import { createHash } from 'node:crypto';

/** The id under which facts about a token are kept: a hash, so that the token itself is never stored. */
export function tokenIdOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
