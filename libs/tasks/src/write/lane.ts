/**
 * Names the lane of an owner's jobs in the queue, and its group: lanes of a group share the slots of the group. Both names are hashes, and
 * reveal nothing about the owner. In rare cases two owners share a lane.
 *
 * The owners of a tenant are lanes of one group; every other owner is a group of its own.
 */
import { createHash } from 'node:crypto';
import { issuedTenant, ownerOfUser } from '../domain/owner-names.js';
import { remembered } from '../remembered.js';

const REMEMBERED_OWNERS = 1_000;

/** Separates the group from the lane within it; a hash has no such letter. */
const IN_GROUP = '.';

export const laneOf = remembered(REMEMBERED_OWNERS, (owner: string) => {
  const tenant = issuedTenant(owner);
  return tenant === undefined ? hashOf(owner) : `${groupOfTenant(tenant)}${IN_GROUP}${hashOf(owner)}`;
});

/** The group of a lane. */
export function groupOf(lane: string): string {
  const end = lane.indexOf(IN_GROUP);
  return end < 0 ? lane : lane.slice(0, end);
}

/** The groups that a name of a tenant may stand for: the group of a tenant that tokens name, of a static token, or of an owner. */
export function groupsOfTenant(name: string): readonly string[] {
  return [groupOfTenant(name), laneOf(ownerOfUser(name)), groupOf(laneOf(name))];
}

function groupOfTenant(tenant: string): string {
  return hashOf(`tenant:${tenant}`);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 11);
}
