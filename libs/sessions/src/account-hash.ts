import { createHash } from 'node:crypto';
import { remembered } from '@longhaul/tasks';

const REMEMBERED_ACCOUNTS = 1_000;

/** Hashes the name of an account for counting: an address need not be known. Each request needs the hash of its caller. */
export const hashOfAccount = remembered(REMEMBERED_ACCOUNTS, (account) =>
  createHash('sha256').update(account).digest('base64url').slice(0, 22),
);
