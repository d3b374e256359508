import { createHash } from 'node:crypto';
import { Refusal, RpcCode } from '../rpc/errors.js';
import type { Authenticate } from '../rpc/caller.js';

/** Lets in every client that sends one of the tokens. @param tokens the names of their holders, by token */
export function createBearerTokens(tokens: ReadonlyMap<string, string>): Authenticate {
  // Looked up by its hash, so that the time it takes reveals nothing about the tokens.
  const holders = new Map([...tokens].map(([token, name]) => [hashOf(token), name]));
  return (authorization) => {
    const [, token] = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization ?? '') ?? [];
    if (token === undefined) throw unauthorized('a bearer token is required', 'Bearer');
    const clientId = holders.get(hashOf(token));
    if (clientId === undefined) throw unauthorized('the bearer token is not known', 'Bearer error="invalid_token"');
    return { token, clientId, scopes: [] };
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function unauthorized(reason: string, challenge: string): Refusal {
  return new Refusal(401, RpcCode.Transport, `Unauthorized: ${reason}`, { 'www-authenticate': challenge });
}
