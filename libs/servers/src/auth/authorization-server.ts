/**
 * Asks the authorization server of a server for tokens. It is found by what the file says, or by the metadata of the server (RFC 9728), and
 * its token endpoint by its own metadata (RFC 8414, OpenID Connect Discovery), whose issuer has to be the one that was looked for.
 */
import { createPrivateKey, type KeyObject, type webcrypto } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import { readText } from '../config/secret-text.js';
import { AuthorizationServerAway, ServerAuthError } from './auth-errors.js';
import { createAuthFetch } from './auth-fetch.js';
import type { IssuedToken } from './kept-token.js';
import type { TokenSettings } from '../config/auth-settings.js';
import { type AuthorizedServer, type AuthRequests, type FoundServer, findAuthorizationServer } from './find-authorization-server.js';

/** How long metadata are used before they are read again. */
const METADATA_MS = 3_600_000;
/** RFC 8693. */
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const MAX_TOKEN_CHARACTERS = 16_384;
const WORD = /^[\w.-]{1,64}$/;

/** Of each server: its metadata are read once for all who ask it. */
const authorities = new WeakMap<AuthorizedServer, AuthorizationServer>();

/** The authorization server of a server. */
export function authorityOf(server: AuthorizedServer): AuthorizationServer {
  const authority = authorities.get(server) ?? new AuthorizationServer(server);
  authorities.set(server, authority);
  return authority;
}

/** Who asks. */
export type AuthClient = Pick<TokenSettings, 'clientId' | 'method' | 'secret' | 'keyId'>;

export class AuthorizationServer {
  readonly #options: AuthRequests;
  #found: { readonly at: number; readonly server: Promise<FoundServer> } | undefined;

  constructor(private readonly server: AuthorizedServer) {
    const { url, auth } = server;
    const named = [url, auth.issuer, auth.tokenUrl].filter((each) => each !== undefined);
    // Whether a URL is secure is decided where it is fetched.
    this.#options = { [oauth.customFetch]: createAuthFetch(named), [oauth.allowInsecureRequests]: true };
  }

  /** A token for us. @throws ServerAuthError; AuthorizationServerAway */
  clientCredentials(): Promise<IssuedToken> {
    return this.#ask('client_credentials', {});
  }

  /** A token for the caller that this token belongs to. @throws ServerAuthError; AuthorizationServerAway */
  exchange(subjectToken: string): Promise<IssuedToken> {
    const subject = { subject_token: subjectToken, subject_token_type: ACCESS_TOKEN, requested_token_type: ACCESS_TOKEN };
    return this.#ask(TOKEN_EXCHANGE, subject, (answered) => {
      // It may say that it has issued something else, which no header may have.
      if (answered !== ACCESS_TOKEN) throw new Error('it has exchanged the token for something else than an access token');
    });
  }

  /** The next token of a caller. @throws as `exchange` */
  refresh(refreshToken: string): Promise<IssuedToken> {
    return this.#ask('refresh_token', { refresh_token: refreshToken });
  }

  /** The token for a code that a browser has brought. @throws as `exchange` */
  code(parameters: { readonly code: string; readonly redirect_uri: string; readonly code_verifier: string }): Promise<IssuedToken> {
    return this.#ask('authorization_code', parameters);
  }

  /** Has it register a client (RFC 7591). @returns what it knows the client as. @throws as `exchange` */
  async register(metadata: Readonly<Record<string, oauth.JsonValue>>): Promise<oauth.OmitSymbolProperties<oauth.Client>> {
    try {
      const { as } = await this.#find();
      const answer = await oauth.dynamicClientRegistrationRequest(as, metadata, this.#options);
      return await oauth.processDynamicClientRegistrationResponse(answer);
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** Its metadata, read no more than once an hour. @throws as `exchange` */
  async found(): Promise<FoundServer> {
    try {
      return await this.#find();
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** The same one, asked by another client: what it has said of itself stays the same. */
  by(client: AuthClient): AuthorizationServer {
    const other = new AuthorizationServer({ ...this.server, auth: { ...this.server.auth, ...client } });
    other.#found = this.#found;
    return other;
  }

  async #ask(
    grantType: string,
    more: Readonly<Record<string, string>>,
    checkIssued: (type: oauth.JsonValue | undefined) => void = () => undefined,
  ): Promise<IssuedToken> {
    const { scopes, audience, clientId } = this.server.auth;
    try {
      const { as, resource } = await this.#find();
      const client: oauth.Client = { client_id: clientId };
      const parameters = {
        ...more,
        ...(scopes.length > 0 && { scope: scopes.join(' ') }),
        ...(audience !== undefined && { audience }),
        ...(resource !== undefined && { resource }),
      };
      const response = await oauth.genericTokenEndpointRequest(as, client, await this.#clientAuth(), grantType, parameters, this.#options);
      const answer = await oauth.processGenericTokenEndpointResponse(as, client, response);
      checkIssued(answer['issued_token_type']);
      if (answer.token_type !== 'bearer') throw new Error('its token is no bearer token');
      return issuedToken(answer);
    } catch (error) {
      throw this.#failure(error);
    }
  }

  #find(): Promise<FoundServer> {
    const now = Date.now();
    if (this.#found !== undefined && now - this.#found.at < METADATA_MS) return this.#found.server;
    const server = findAuthorizationServer(this.server, this.#options);
    const found = { at: now, server };
    this.#found = found;
    // The next one who needs it looks again.
    server.catch(() => {
      if (this.#found === found) this.#found = undefined;
    });
    return server;
  }

  async #clientAuth(): Promise<oauth.ClientAuth> {
    const { method, secret, keyId } = this.server.auth;
    if (method === 'none' || secret === undefined) return oauth.None();
    const text = await readText(secret);
    if (method === 'client_secret_basic') return oauth.ClientSecretBasic(text);
    if (method === 'client_secret_post') return oauth.ClientSecretPost(text);
    const key = signingKey(createPrivateKey(text));
    return oauth.PrivateKeyJwt(keyId === undefined ? key : { key, kid: keyId });
  }

  #failure(error: unknown): unknown {
    const { name } = this.server;
    const message = `There is no token for the server "${name}": ${reasonOf(error)}`;
    // What it refuses now it refuses later; anything else may be a fault that passes.
    const isRefused = error instanceof oauth.ResponseBodyError || error instanceof oauth.WWWAuthenticateChallengeError;
    if (isRefused && error.status < 500) return new ServerAuthError(name, message, { cause: error });
    return new AuthorizationServerAway(message, { cause: error });
  }
}

function issuedToken({ access_token: token, expires_in: lifeS, refresh_token: next }: oauth.TokenEndpointResponse): IssuedToken {
  if (token.length > MAX_TOKEN_CHARACTERS || !/^[\x21-\x7e]+$/.test(token)) throw new Error('its token is none that a header can have');
  return {
    token,
    ...(lifeS !== undefined && { expiresAt: Date.now() + lifeS * 1_000 }),
    ...(next !== undefined && next.length <= MAX_TOKEN_CHARACTERS && { refreshToken: next }),
  };
}

/** Of the words of an authorization server, only codes of errors are quoted. */
function reasonOf(error: unknown): string {
  if (error instanceof oauth.ResponseBodyError)
    return `its authorization server refuses us (${WORD.test(error.error) ? error.error : `HTTP ${error.status}`})`;
  if (error instanceof oauth.WWWAuthenticateChallengeError) return `its authorization server refuses us (HTTP ${error.status})`;
  return error instanceof Error ? error.message : String(error);
}

const ALGORITHMS = {
  rsa: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  ec: { name: 'ECDSA', namedCurve: 'P-256' },
  ed25519: { name: 'Ed25519' },
} as const;

/** The key of a client, for signatures. @throws Error for another kind of key */
function signingKey(key: KeyObject): webcrypto.CryptoKey {
  const algorithm = Object.entries(ALGORITHMS).find(([type]) => type === key.asymmetricKeyType)?.[1];
  if (algorithm === undefined) throw new Error('its key must be RSA, EC with P-256, or Ed25519');
  return key.toCryptoKey(algorithm, false, ['sign']);
}
