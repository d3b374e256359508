/** @param first the first event of a stream. @returns nothing for any other event, or none */
export function beginningOf(first) {
    if (first?.type === 'TaskCreated')
        return { task: first.data, version: 1 };
    return first?.type === 'TaskContinued' ? { task: first.data.task, version: first.data.version } : undefined;
}
/**
 * A recorded task without what it says of the caller that created it: the writer of a history could name anyone there, and a task that
 * is made of it would run in their name. Its records stay those of its owner, if they were.
 */
export function withoutCaller(recorded) {
    const { sessionId: _session, idempotencyKey: _key, auth: _auth, accounts: _accounts, recordOwner, ...task } = recorded;
    return { ...task, ...(recordOwner?.id === task.owner && { recordOwner }) };
}
//# sourceMappingURL=beginning.js.map