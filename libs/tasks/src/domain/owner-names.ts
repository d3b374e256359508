/** Makes the names under which tasks and records are kept for their owners. They are persisted: after a change the kept data is lost. */

/**
 * The owner of tasks of requests that belong to no session and have an unknown caller. It stands for everybody: nothing else is kept for
 * it.
 */
export const ANONYMOUS_OWNER = 'anonymous';

/** The one user of `longhaul stdio`; its records outlast processes and sessions. */
export const LOCAL_OWNER = 'local';

/** The scope of the data key that makes the keys of the operators' index: it stands for no caller. */
export const SEARCH_OWNER = 'longhaul/search';

/** The owner of everything that a known caller creates, in any session and any version of the protocol. */
export function ownerOfUser(name: string): string {
  return `user:${name}`;
}

/** Who an authorization server says that somebody is. */
export interface IssuedName {
  readonly issuer: string;
  /** Where the issuer has several: the same name in two tenants means two people. */
  readonly tenant?: string | undefined;
  readonly name: string;
}

/** The owner of what the subject of a token creates. Each part is preceded by its length, so that no two owners are the same. */
export function ownerOfSubject(subject: IssuedName): string {
  return `subject:${issuedName(subject)}`;
}

/** The owner of what a client creates that acts for itself, and has a token without a subject. */
export function ownerOfClient(client: IssuedName): string {
  return `client:${issuedName(client)}`;
}

function issuedName({ issuer, tenant = '', name }: IssuedName): string {
  return `${issuer.length}:${issuer}:${tenant.length}:${tenant}:${name}`;
}

/** Who the owner is by its token. @returns nothing for owners without a token */
export function callerOfOwner(owner: string): { readonly issuer?: string; readonly tenant?: string; readonly subject: string } | undefined {
  if (owner.startsWith('user:')) return { subject: owner.slice('user:'.length) };
  const [start] = /^(subject|client):/.exec(owner) ?? [];
  if (start === undefined) return undefined;
  const [issuer, rest] = firstPart(owner.slice(start.length));
  const [tenant, name] = firstPart(rest);
  return { issuer, subject: name, ...(tenant !== '' && { tenant }) };
}

/** A part that is preceded by its length, and what follows it. */
function firstPart(text: string): readonly [string, string] {
  const colon = text.indexOf(':');
  const end = colon + 1 + Number(text.slice(0, colon));
  return [text.slice(colon + 1, end), text.slice(end + 1)];
}

/** The owner of what a session creates without authentication: the session itself, so that no other one sees it. */
export function ownerOfAnonymousSession(sessionId: string): string {
  return `session:${sessionId}`;
}

/** The owner of what callers create who show the secret with that hash. */
export function ownerOfSecretHash(hash: string): string {
  return `secret:${hash}`;
}

/** The name of a holder of a static token, and an issued name. */
const USER = /^user:(.*)$/su;
const ISSUED = /^(?:subject|client):/u;

/**
 * The tenant that an owner belongs to: the tenant that its token names, as `ISSUER#TENANT`; without one, the name of its static token, or
 * the owner itself. Tenants of the same name at two issuers are two.
 */
export function tenantOf(owner: string): string {
  return issuedTenant(owner) ?? USER.exec(owner)?.[1] ?? owner;
}

/** The tenant that a token has named, with its issuer; the issuer's URL has no `#`; nothing if the token names no tenant. */
export function issuedTenant(owner: string): string | undefined {
  if (!ISSUED.test(owner)) return undefined;
  const [issuer, rest] = firstPart(owner.slice(owner.indexOf(':') + 1));
  const [tenant] = firstPart(rest);
  return tenant === '' ? undefined : `${issuer}#${tenant}`;
}

/** Owners and accounts of callers without a name. */
const NAMELESS = /^(anonymous$|session:|secret:|address:)/;

/**
 * The scope of the data key that encrypts an owner's data: its tenant, or the owner itself, or one scope for all owners without a name,
 * because their number is unlimited.
 */
export function keyScopeOf(owner: string): string {
  if (NAMELESS.test(owner)) return ANONYMOUS_OWNER;
  const tenant = issuedTenant(owner);
  return tenant === undefined ? owner : `tenant:${tenant}`;
}
