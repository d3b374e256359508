import { isOf, ownersOf } from './owners-of-principal.js';
/** Sessions that are named at most: an issuer may have any number. */
const MAX_SESSIONS = 1_000;
/** Owners that are asked for at the same time. */
const AT_ONCE = 50;
/** Counts the open sessions of callers. Where the owners are known, those are looked for; a tenant or an issuer is looked for in all accounts. */
export async function heldSessions(places, principal) {
    const asked = ownersOf(principal) ?? (await accountsOf(places, principal));
    let count = 0;
    const sessions = [];
    const owners = [];
    for (let at = 0; at < asked.length; at += AT_ONCE) {
        const room = MAX_SESSIONS - sessions.length;
        const found = await Promise.all(asked.slice(at, at + AT_ONCE).map((owner) => sessionsOf(places, owner, room)));
        for (const open of found.filter((one) => one.count > 0)) {
            count += open.count;
            owners.push(open.owner);
            sessions.push(...open.sessions);
        }
        sessions.splice(MAX_SESSIONS);
    }
    return { count, sessions, owners };
}
/** @param most sessions that are wanted one by one */
export async function sessionsOf(places, owner, most) {
    const { count, sessions } = await places.openOf(owner, most);
    return { owner, count, sessions: sessions.map((open) => ({ owner, open })) };
}
async function accountsOf(places, principal) {
    const found = new Set();
    for await (const account of places.accounts())
        if (isOf(account, principal))
            found.add(account);
    return [...found].toSorted();
}
//# sourceMappingURL=sessions-of-principal.js.map