/** The earliest deadline of the task in its present state, if it has one. */
export function nextDeadline(state) {
    if (state.task === undefined || state.outcome !== undefined)
        return undefined;
    const { maxRunMs, maxWaitMs } = state.task;
    const run = maxRunMs === undefined
        ? undefined
        : {
            at: state.runStartedAt + maxRunMs,
            reason: 'MAX_RUN',
            message: `The task failed: it did not end within ${maxRunMs} ms (maxRunMs).`,
        };
    const since = waitsForClientSince(state);
    if (maxWaitMs === undefined || since === undefined)
        return run;
    const message = `The task failed: its client did not answer within ${maxWaitMs} ms (maxWaitMs).`;
    const wait = { at: since + maxWaitMs, reason: 'MAX_WAIT', message };
    return run !== undefined && run.at <= wait.at ? run : wait;
}
function waitsForClientSince({ pass, operations }) {
    if (pass.phase !== 'suspended')
        return undefined;
    return pass.waitingFor.some((key) => operations.get(key)?.status === 'pending') ? pass.since : undefined;
}
//# sourceMappingURL=next-deadline.js.map