/** Finds the owner names of callers, from the identities in their tokens. */
import { callerOfOwner, ownerOfClient, ownerOfSubject, ownerOfUser, type RevokedPrincipal } from '@longhaul/sessions';

/** The owners, if a principal names all of them; nothing for a whole tenant or issuer, whose owners must be searched. */
export function ownersOf(principal: RevokedPrincipal): readonly string[] | undefined {
  if ('name' in principal) return [ownerOfUser(principal.name)];
  const { issuer, subject: name, tenant } = principal;
  if (name === undefined || tenant === undefined) return undefined;
  return [ownerOfSubject({ issuer, tenant, name }), ownerOfClient({ issuer, tenant, name })];
}

/** Whether an owner belongs to the principal. */
export function isOf(owner: string, principal: RevokedPrincipal): boolean {
  const caller = callerOfOwner(owner);
  if (caller === undefined) return false;
  if ('name' in principal) return caller.issuer === undefined && caller.subject === principal.name;
  const { issuer, subject, tenant } = principal;
  return caller.issuer === issuer && (subject ?? caller.subject) === caller.subject && (tenant ?? caller.tenant) === caller.tenant;
}
