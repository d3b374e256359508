/** How a server's URL is given tokens: the member `auth` of a file of servers. */
import { isSecureUrl } from '@longhaul/runtime/signing-settings';
import { z } from 'zod';
import type { SecretText } from './secret-text.js';

/** How we show an authorization server who we are. */
export type ClientAuthMethod = 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';

/** How an authorization server is found, and what it is asked for. */
export interface TokenSettings {
  /** The authorization server. Absent: the one that the server's metadata name. */
  readonly issuer?: string | undefined;
  /** Its token endpoint. Absent: the one that its metadata name. */
  readonly tokenUrl?: string | undefined;
  readonly clientId: string;
  readonly method: ClientAuthMethod;
  /** The client's secret, or its private key as PEM; absent for `none`. */
  readonly secret?: SecretText | undefined;
  /** The id of the private key. */
  readonly keyId?: string | undefined;
  readonly scopes: readonly string[];
  /** Whom the token is for, by the name that the authorization server has for it. Absent: it is not said. */
  readonly audience?: string | undefined;
  /** The resource of the token (RFC 8707). `false`: it is not said. Absent: the server's URL. */
  readonly resource?: string | false | undefined;
}

/** How programs get tokens for a server. */
export interface ServerAuth extends TokenSettings {
  /**
   * `client_credentials`: one token for all callers. `token-exchange`: a token for each caller, for which the caller's own is exchanged
   * (RFC 8693).
   */
  readonly grant: 'client_credentials' | 'token-exchange';
}

/** How a person logs in to a server by the browser. */
export interface LoginSettings extends Omit<TokenSettings, 'clientId'> {
  /** Absent: the authorization server registers a client (RFC 7591). The https URL of a document about the client is possible too. */
  readonly clientId?: string | undefined;
}

const MAX_TEXT = 2_048;
const short = z.string().min(1).max(MAX_TEXT);
const secureUrl = short.refine(isSecureUrl, 'must be an https URL, or an http URL of this machine, without a password');

/** As the file has it. */
export const authEntry = z
  .strictObject({
    grant: z.enum(
      ['client_credentials', 'token-exchange', 'authorization_code'],
      'must be "client_credentials", "token-exchange" or "authorization_code"',
    ),
    issuer: secureUrl.optional(),
    tokenUrl: secureUrl.optional(),
    clientId: short.optional(),
    clientSecret: short.optional(),
    privateKey: short.optional(),
    keyId: short.optional(),
    method: z.enum(['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none']).optional(),
    scopes: z.array(short).max(64).default([]),
    audience: short.optional(),
    resource: z.union([z.url(), z.literal(false)], 'must be a URL, or false').optional(),
  })
  .superRefine(({ grant, issuer, tokenUrl, clientId, clientSecret, privateKey, method }, check) => {
    if (clientId === undefined && (grant !== 'authorization_code' || clientSecret !== undefined || privateKey !== undefined))
      check.addIssue('must have a "clientId"');
    if (grant === 'authorization_code' && tokenUrl !== undefined)
      check.addIssue('must name the "issuer" instead of the "tokenUrl": a log-in needs more of its endpoints');
    // A server that named it could have the tokens of callers sent anywhere.
    if (grant === 'token-exchange' && issuer === undefined && tokenUrl === undefined)
      check.addIssue('must name the "issuer" or the "tokenUrl" that tokens of callers are sent to');
    if (clientSecret !== undefined && privateKey !== undefined) check.addIssue('must have "clientSecret" or "privateKey", not both');
    const fitting =
      privateKey !== undefined
        ? ['private_key_jwt']
        : clientSecret !== undefined
          ? ['client_secret_basic', 'client_secret_post']
          : ['none'];
    if (method !== undefined && !fitting.includes(method))
      check.addIssue(`its "method" must be ${fitting.join(' or ')} with the secret that it has`);
  });

/** The settings of the one kind or the other. @param secretOf expands variables, and reports mistakes */
export function serverAuthOf(
  { grant, clientId, clientSecret, privateKey, method, ...rest }: z.output<typeof authEntry>,
  secretOf: (field: string, text: string) => SecretText,
): { readonly auth: ServerAuth } | { readonly login: LoginSettings } {
  const client = (): Pick<TokenSettings, 'method' | 'secret'> => {
    if (privateKey !== undefined) return { method: 'private_key_jwt', secret: secretOf('auth.privateKey', privateKey) };
    if (clientSecret === undefined) return { method: 'none' };
    return { method: method ?? 'client_secret_basic', secret: secretOf('auth.clientSecret', clientSecret) };
  };
  if (grant === 'authorization_code') return { login: { ...rest, ...(clientId !== undefined && { clientId }), ...client() } };
  return { auth: { grant, clientId: clientId ?? '', ...rest, ...client() } };
}

/** A warning for operators about the settings. */
export function authWarning({ grant, issuer, tokenUrl, clientSecret, privateKey }: z.output<typeof authEntry>): string | undefined {
  const hasSecret = grant !== 'authorization_code' || clientSecret !== undefined || privateKey !== undefined;
  if (!hasSecret || issuer !== undefined || tokenUrl !== undefined) return undefined;
  return 'auth: without "issuer" or "tokenUrl" the server itself says which authorization server is shown the secret: name one';
}
