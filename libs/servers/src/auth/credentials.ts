/** The credentials of a request to a server: the headers of the file, and a token of its authorization server. */
import type { UrlServer } from '../config/server-config.js';
import { readTexts } from '../config/secret-text.js';
import { exchangesTokens } from '../config/server-config.js';
import { loginMissing, tokenMissing } from './auth-errors.js';
import { authorityOf } from './authorization-server.js';
import { KeptToken } from './kept-token.js';

export interface Credentials {
  /** The headers as they are now. @throws ServerAuthError; AuthorizationServerAway; SecretUnreadable */
  headers(): Promise<Readonly<Record<string, string>>>;
  /** A server has refused them. @returns whether they may be others when they are asked for again */
  refuse(headers: Readonly<Record<string, string>>): boolean;
}

/** Of all connections to a server: a token is gotten once for them. */
const tokens = new WeakMap<UrlServer, KeptToken>();

/** Credentials that all callers share. @throws ServerAuthError if each caller of the server has its own token */
export function credentialsOf(config: UrlServer): Credentials {
  if (exchangesTokens(config)) throw tokenMissing(config.name);
  return ownCredentials(config);
}

/** Our own credentials at the server, for requests without a caller. */
export function ownCredentials(config: UrlServer): Credentials {
  if (config.login !== undefined) return { headers: () => Promise.reject(loginMissing(config.name)), refuse: () => false };
  return withToken(config, ownToken(config));
}

/** The headers of the file, and the token. */
export function withToken({ headers }: UrlServer, token: Pick<KeptToken, 'get' | 'refuse'> | undefined): Credentials {
  return {
    async headers() {
      const own = await readTexts(headers);
      return token === undefined ? own : { ...own, authorization: `Bearer ${await token.get()}` };
    },
    refuse({ authorization = '' }) {
      // A file may have been replaced since it was read.
      if (token === undefined) return Object.values(headers).some((text) => typeof text !== 'string');
      return token.refuse(authorization.replace(/^Bearer /, ''));
    },
  };
}

function ownToken(config: UrlServer): KeptToken | undefined {
  const { name, url, auth } = config;
  if (auth === undefined) return undefined;
  let token = tokens.get(config);
  if (token === undefined) {
    const server = { name, url, auth };
    token = new KeptToken(() => authorityOf(server).clientCredentials());
    tokens.set(config, token);
  }
  return token;
}
