/**
 * The lane of an owner's jobs in the queue, and the group that it is in: lanes of a group share what the group gets. Both are
 * hashes, and say nothing of the owner. Two owners may share a lane, once in a great while.
 *
 * The owners of a tenant are lanes of one group; every other owner is a group of its own.
 */
import { createHash } from 'node:crypto';
import { issuedTenant, ownerOfUser } from '../domain/owner-names.js';
import { remembered } from '../remembered.js';
const REMEMBERED_OWNERS = 1_000;
/** Stands between the group and what the lane is within it; a hash has no such letter. */
const IN_GROUP = '.';
export const laneOf = remembered(REMEMBERED_OWNERS, (owner) => {
    const tenant = issuedTenant(owner);
    return tenant === undefined ? hashOf(owner) : `${groupOfTenant(tenant)}${IN_GROUP}${hashOf(owner)}`;
});
/** The group of a lane. */
export function groupOf(lane) {
    const end = lane.indexOf(IN_GROUP);
    return end < 0 ? lane : lane.slice(0, end);
}
/** The groups that a name of a tenant may stand for: those of a tenant that tokens name, of a static token, of an owner. */
export function groupsOfTenant(name) {
    return [groupOfTenant(name), laneOf(ownerOfUser(name)), groupOf(laneOf(name))];
}
function groupOfTenant(tenant) {
    return hashOf(`tenant:${tenant}`);
}
function hashOf(text) {
    return createHash('sha256').update(text).digest('base64url').slice(0, 11);
}
//# sourceMappingURL=lane.js.map