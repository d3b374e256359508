import { ConnectionLostError } from '@longhaul/client';

/** A server, or its authorization server, does not accept who we are. Trying again changes nothing; the message has the server's name. */
export class ServerAuthError extends Error {
  override readonly name: string = 'ServerAuthError';

  constructor(
    readonly server: string,
    message: string,
    options?: ErrorOptions,
    /** Scopes that the server wants in a token. */
    readonly scopes: readonly string[] = [],
  ) {
    super(message, options);
  }
}

/** The token that was gotten for a caller is not good any more, and there is no way to another one without the caller. */
export class CredentialsExpired extends ServerAuthError {
  override readonly name: string = 'CredentialsExpired';

  /** @param why it is not good, as the end of a sentence */
  constructor(server: string, why: string, options?: ErrorOptions) {
    super(server, `For the caller, there is no token of the server "${server}" any more: ${why}. Call the tool again.`, options);
  }
}

/** An authorization server cannot be asked now, so nothing was sent to the server itself. */
export class AuthorizationServerAway extends ConnectionLostError {
  override readonly name = 'AuthorizationServerAway';

  constructor(message: string, options?: ErrorOptions) {
    super(message, 'none', options);
  }
}

/** The error of a call for which no caller's token can be exchanged. */
export function tokenMissing(server: string): ServerAuthError {
  const how = 'The server is called for callers with a token of an authorization server (LONGHAUL_ISSUERS).';
  return new ServerAuthError(server, `There is no token of a caller to exchange for one of the server "${server}". ${how}`);
}

/** The error of a server that a person must log in to, where no person can. */
export function loginMissing(server: string): ServerAuthError {
  const who = 'which only "longhaul agent" can do';
  const instead = 'A deployment needs "client_credentials" or "token-exchange".';
  return new ServerAuthError(
    server,
    `Somebody has to log in to the server "${server}" in a browser ("authorization_code"), ${who}. ${instead}`,
  );
}

/** The refusal among an error and its causes. */
export function authErrorIn(error: unknown): ServerAuthError | undefined {
  if (error instanceof ServerAuthError) return error;
  return error instanceof Error ? authErrorIn(error.cause) : undefined;
}

const ERROR = /(?:^|[\s,])error="([\w.-]{1,64})"/i;
const SCOPES = /(?:^|[\s,])scope="([\x21\x23-\x5b\x5d-\x7e ]{1,512})"/i;

/** A server's refusal in words of ours: of what it says itself, only codes are quoted. */
export function refusalOf(server: string, status: number, challenge: string | null, hasCredentials: boolean): ServerAuthError {
  const [, error] = ERROR.exec(challenge ?? '') ?? [];
  const scopes = scopesOf(challenge ?? '');
  const why = [`HTTP ${status}`, error, scopes === undefined ? undefined : `it wants the scopes ${scopes.join(' ')}`];
  const what = hasCredentials ? 'does not accept our credentials' : 'wants credentials, and the file has none for it';
  const message = `The server "${server}" ${what} (${why.filter((each) => each !== undefined).join(', ')}).`;
  return new ServerAuthError(server, message, {}, scopes);
}

/** The scopes that a challenge names. */
export function scopesOf(challenge: string): readonly string[] | undefined {
  return SCOPES.exec(challenge)?.[1]
    ?.split(' ')
    .filter((scope) => scope !== '');
}
