/** The commands after which the pass is over, and how it ended then. */
export const FINAL = new Map([
    ['CompleteTask', 'ended'],
    ['FailTask', 'ended'],
    ['ContinueAsNew', 'continued'],
    ['FailPass', 'retrying'],
    ['SuspendPass', 'suspended'],
]);
/** A value that the function has already seen, so that it must be durable before anything is done with it. */
export function isRecord(draft) {
    return draft.type === 'CompleteStep' && draft.key.startsWith('$');
}
/** The function goes on once this is recorded. */
export function isAnswer({ type }) {
    return type === 'CompleteStep' || type === 'FailStep' || type === 'FireTimer';
}
/** Whether a step waits for a retry whose time has come. */
export function isDue(operation, now) {
    return operation.status === 'retrying' && operation.retryAt <= now;
}
/** When the operation goes on by itself, epoch milliseconds; infinite when only somebody else can settle it. */
export function dueAt(operation) {
    if (operation?.status === 'scheduled')
        return operation.dueAt;
    return operation?.status === 'retrying' ? operation.retryAt : Number.POSITIVE_INFINITY;
}
//# sourceMappingURL=drafts.js.map