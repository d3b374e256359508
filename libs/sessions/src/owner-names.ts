/** Under which names tasks and records are kept for their owners. They are persisted: a change loses what is kept. */

/** Whose the tasks of requests are that belong to no session and of whose callers nothing is known. It is everybody: nothing else is kept for it. */
export const ANONYMOUS_OWNER = 'anonymous';

/** The one user of `longhaul stdio`, whose records outlast processes and sessions. */
export const LOCAL_OWNER = 'local';

/** The owner of everything that a known caller creates, in any session and any version of the protocol. */
export function ownerOfUser(name: string): string {
  return `user:${name}`;
}

/** Who an authorization server says that somebody is. */
export interface IssuedName {
  readonly issuer: string;
  /** Where the issuer has several: the same name in two tenants is that of two. */
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

/** The owner of what a session creates without authentication: the session itself, so that no other one sees it. */
export function ownerOfAnonymousSession(sessionId: string): string {
  return `session:${sessionId}`;
}

/** The owner of what callers create who show the secret with that hash. */
export function ownerOfSecretHash(hash: string): string {
  return `secret:${hash}`;
}

/** Owners and accounts of callers without a name. */
const ANONYMOUS = /^(anonymous$|session:|secret:|address:)/;
const OF_TENANT = /^(?:subject|client):(\d+):/;

/**
 * Whose data key encrypts what an owner has: that of its tenant, or its own, or one for all owners without a name, of whom there
 * are any number.
 */
export function keyScopeOf(owner: string): string {
  if (ANONYMOUS.test(owner)) return ANONYMOUS_OWNER;
  const [prefix, length] = OF_TENANT.exec(owner) ?? [];
  if (prefix === undefined) return owner;
  const issuer = owner.slice(prefix.length, prefix.length + Number(length));
  const [rest, tenantLength] = /^:(\d+):/.exec(owner.slice(prefix.length + issuer.length)) ?? [];
  if (rest === undefined || Number(tenantLength) === 0) return owner;
  const at = prefix.length + issuer.length + rest.length;
  return `tenant:${issuer.length}:${issuer}:${owner.slice(at, at + Number(tenantLength))}`;
}
