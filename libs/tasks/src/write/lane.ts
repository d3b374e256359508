import { createHash } from 'node:crypto';
import { remembered } from '../remembered.js';

const REMEMBERED_OWNERS = 1_000;

/** The lane of an owner's jobs in the queue: it says nothing of the owner. Two owners may share one, once in a great while. */
export const laneOf = remembered(REMEMBERED_OWNERS, (owner: string) => createHash('sha256').update(owner).digest('base64url').slice(0, 11));
