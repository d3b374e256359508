/** @returns nothing for a task that has ended */
export function waitingReasonOf(view, now) {
    const { standing, ending, updatedAt, workerVersion } = view;
    if (ending !== undefined)
        return undefined;
    const { phase, since = updatedAt, wakeAt, asks = [], attempt = 1, workerId = '' } = standing;
    switch (phase) {
        case 'idle':
            return { for: 'queue', since: updatedAt };
        case 'running':
            return { for: 'worker', workerId, since, ...(workerVersion !== undefined && { version: workerVersion }) };
        case 'retrying':
            return wakeAt !== undefined && wakeAt > now ? { for: 'retry', until: wakeAt, attempt } : { for: 'queue', since: wakeAt ?? updatedAt };
        case 'suspended':
            if (wakeAt !== undefined && wakeAt <= now)
                return { for: 'queue', since: Math.max(wakeAt, since) };
            if (asks.length > 0)
                return { for: 'question', keys: asks, since, ...(wakeAt !== undefined && { until: wakeAt }) };
            return wakeAt === undefined ? { for: 'queue', since } : { for: 'timer', until: wakeAt, since };
    }
}
//# sourceMappingURL=waiting-reason.js.map