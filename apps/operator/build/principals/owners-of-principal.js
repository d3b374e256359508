/** Under which names callers own things, by who their tokens say they are. */
import { callerOfOwner, ownerOfClient, ownerOfSubject, ownerOfUser } from '@longhaul/sessions';
/** The owners, where a principal names all of them; nothing for those of a whole tenant or issuer, which have to be looked for. */
export function ownersOf(principal) {
    if ('name' in principal)
        return [ownerOfUser(principal.name)];
    const { issuer, subject: name, tenant } = principal;
    if (name === undefined || tenant === undefined)
        return undefined;
    return [ownerOfSubject({ issuer, tenant, name }), ownerOfClient({ issuer, tenant, name })];
}
/** Whether an owner is one of them. */
export function isOf(owner, principal) {
    const caller = callerOfOwner(owner);
    if (caller === undefined)
        return false;
    if ('name' in principal)
        return caller.issuer === undefined && caller.subject === principal.name;
    const { issuer, subject, tenant } = principal;
    return caller.issuer === issuer && (subject ?? caller.subject) === caller.subject && (tenant ?? caller.tenant) === caller.tenant;
}
//# sourceMappingURL=owners-of-principal.js.map