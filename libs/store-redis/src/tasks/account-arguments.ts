/** Makes the arguments for the scripts of the index, alone or together with an append. */
import type { Account, LimitRefusal, Registration, Retirement } from '@longhaul/tasks/store';
import { isAddressAccount, type TaskId } from '@longhaul/tasks';
import type { RedisKeys } from '../keys/tasks.js';
import type { Refused } from './task-index.lua.js';

/** The keys of an account. */
export function keysOfAccount(keys: RedisKeys, owner: string) {
  return { account: keys.ownerAccount(owner), tasks: keys.ownerTasks(owner) };
}

/** The arguments that register a task under accounts. */
export function registering(keys: RedisKeys, { taskId, createdAt, bytes = 0 }: Registration, accounts: readonly Account[]) {
  return {
    args: { taskId, createdAt: String(createdAt), taken: bytes },
    ofAccounts: accounts.flatMap(({ limits: { concurrentTasks, tasksPerMinute, historyBytes } }) => {
      return [concurrentTasks, tasksPerMinute, historyBytes];
    }),
    sets: accounts.map(({ owner }) => keysOfAccount(keys, owner)),
  };
}

/** Reads the script's reply about one of these accounts. */
export function limitRefusal([verdict, number, retryAfterMs]: Refused, accounts: readonly Account[]): LimitRefusal {
  return { verdict, account: accounts[number - 1], retryAfterMs } as LimitRefusal;
}

/** The arguments that retire a task under accounts. */
export function retiring(keys: RedisKeys, owners: readonly string[], taskId: TaskId, { keptMs, storedMs }: Omit<Retirement, 'accounts'>) {
  return {
    args: { taskId, keptMs, storedMs },
    ofAccounts: owners.map(isAddressAccount).map(Number),
    sets: owners.map((owner) => keysOfAccount(keys, owner)),
  };
}
