import { isAddressAccount } from '../write/accounts.js';
/** The keys of an account. */
export function keysOfAccount(keys, owner) {
    return {
        tasks: keys.ownerTasks(owner),
        expiring: keys.ownerExpiring(owner),
        implicit: keys.ownerImplicit(owner),
        bytes: keys.ownerBytes(owner),
        minute: keys.ownerMinute(owner),
    };
}
/** To register a task under accounts. */
export function registering(keys, { taskId, createdAt, implicit, bytes = 0 }, accounts) {
    return {
        args: { taskId, createdAt, taken: bytes },
        ofAccounts: accounts.flatMap(({ owner, limits: { concurrentTasks, tasksPerMinute, historyBytes } }) => {
            return [concurrentTasks, tasksPerMinute, historyBytes, Number(!implicit && !isAddressAccount(owner))];
        }),
        sets: accounts.map(({ owner }) => keysOfAccount(keys, owner)),
    };
}
/** What the script said of one of these accounts. */
export function refusalOf([verdict, number, retryAfterMs], accounts) {
    return { verdict, account: accounts[number - 1], retryAfterMs };
}
/** To retire a task under accounts. */
export function retiring(keys, owners, taskId, { keptMs, storedMs }) {
    return {
        args: { taskId, keptMs, storedMs },
        ofAccounts: owners.map(isAddressAccount).map(Number),
        sets: owners.map((owner) => keysOfAccount(keys, owner)),
    };
}
//# sourceMappingURL=account-arguments.js.map