/** Reads who a token stands for from its verified claims. */
import type { Principal } from '@longhaul/sessions/gateway';
import { ownerOfClient, ownerOfSubject } from '@longhaul/sessions';
import { isJsonObject, type Json, type JsonObject } from '@longhaul/tasks';
import { type ScopeSettings, withIncluded } from '../rpc/request-scopes.js';
import type { IssuerSettings } from './issuer-settings.js';
import { TokenRejected } from './token-rejected.js';

/** The characters that OpenID Connect allows for a subject, and that a name may have here. */
const NAME = /^[\x20-\x7e]{1,255}$/;
/** Each task records the token's claims for features. */
const MAX_PASSED_BYTES = 8 * 1024;

/** @throws TokenRejected when the claims have no subject, no tenant although tenants are required, or no end */
export function principalOf(
  claims: Readonly<Record<string, unknown>>,
  settings: Pick<IssuerSettings, 'issuer' | 'claims' | 'leewayMs'> & Partial<Pick<IssuerSettings, 'dpop'>>,
  scopes: ScopeSettings,
): Principal {
  const { issuer, claims: names } = settings;
  const client = nameIn(claims, names.client) ?? nameIn(claims, 'azp');
  const subject = nameIn(claims, names.subject);
  const tenant = names.tenant === undefined ? undefined : nameIn(claims, names.tenant);
  // Otherwise the client alone would stand for all of its users.
  if (subject === undefined && names.subject !== 'sub' && claims['sub'] !== undefined && claims['sub'] !== client)
    throw lacking(names.subject);
  const name = subject ?? client;
  if (name === undefined) throw new TokenRejected('the token names neither a subject nor a client');
  if (names.tenant !== undefined && tenant === undefined) throw lacking(names.tenant);
  const boundTo = thumbprintIn(claims['cnf']);
  if (boundTo === undefined && settings.dpop === 'required') throw new TokenRejected('the token is bound to no key, and has to be');
  const { exp, iat } = claims;
  if (typeof exp !== 'number') throw new TokenRejected('the token has no end');
  const passed = passedOn(claims, names.pass);
  return {
    owner: subject === undefined ? ownerOfClient({ issuer, tenant, name }) : ownerOfSubject({ issuer, tenant, name }),
    subject: name,
    issuer,
    ...(tenant !== undefined && { tenant }),
    ...(client !== undefined && { client }),
    scopes: withIncluded(scopesIn(claims[names.scopes]), scopes),
    ...(Object.keys(passed).length > 0 && { claims: passed }),
    expiresAt: exp * 1_000 + settings.leewayMs,
    ...(boundTo !== undefined && { boundTo }),
    ...(typeof iat === 'number' && { issuedAt: iat * 1_000 }),
  };
}

function lacking(claim: string): TokenRejected {
  return new TokenRejected(`the token has no claim ${claim}`, { misfit: { claim, wanted: 'a name' } });
}

function nameIn(claims: Readonly<Record<string, unknown>>, claim: string): string | undefined {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !NAME.test(value)) throw new TokenRejected(`the claim ${claim} of the token is no name`);
  return value;
}

/** @throws TokenRejected for a token that is bound in another way, such as to a certificate: that is not checked here */
function thumbprintIn(confirmation: unknown): string | undefined {
  if (confirmation === undefined) return undefined;
  const jkt = isJsonObject(confirmation) && Object.keys(confirmation).length === 1 ? confirmation['jkt'] : undefined;
  if (typeof jkt !== 'string') throw new TokenRejected('the token is bound to a key in a way that is not looked at here');
  return jkt;
}

/** Issuers write scopes as one text, or as a list. */
function scopesIn(value: unknown): readonly string[] {
  const scopes: readonly unknown[] = typeof value === 'string' ? value.split(' ') : Array.isArray(value) ? (value as unknown[]) : [];
  return scopes.filter((scope): scope is string => typeof scope === 'string' && scope !== '');
}

function passedOn(claims: Readonly<Record<string, unknown>>, names: readonly string[]): JsonObject {
  const passed = Object.fromEntries(names.flatMap((name) => (Object.hasOwn(claims, name) ? [[name, claims[name] as Json]] : [])));
  if (!isJsonObject(passed) || Buffer.byteLength(JSON.stringify(passed)) > MAX_PASSED_BYTES)
    throw new TokenRejected(`the claims of the token that are passed on have more than ${MAX_PASSED_BYTES} bytes`);
  return passed;
}
