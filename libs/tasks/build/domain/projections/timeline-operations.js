const USES = /:\d+$/;
/** Collects what events say of operations. */
export class Operations {
    spans = [];
    /** Those that a later event may be about. */
    present = new Map();
    /** The operation of that key as it is by now. */
    get(key) {
        return this.present.get(key);
    }
    /** @param isCopied whether what it records was recorded in another task */
    take(event, version, isCopied) {
        const { at } = event;
        switch (event.type) {
            case 'StepStarted':
            case 'StepCompleted':
            case 'StepFailed':
                return this.step(event, this.open(event.data.key, 'step', version, isCopied), version);
            case 'InputRequested': {
                const { key, method } = event.data;
                return void Object.assign(this.open(key, 'question', version, isCopied), { startedAt: at, method });
            }
            case 'TimerScheduled': {
                const { key, dueAt } = event.data;
                return void Object.assign(this.open(key, 'timer', version, isCopied), { startedAt: at, dueAt });
            }
            case 'InputReceived':
                return settle(this.present.get(event.data.key), 'error' in event.data.answer ? 'failed' : 'completed', at, version);
            case 'TimerFired':
                return settle(this.present.get(event.data.key), 'completed', at, version);
            case 'PassStarted':
            case 'PassSuspended':
                return this.losePresentTries();
            case 'PassFailed':
                this.losePresentTries();
                // The next attempt runs failed steps anew.
                for (const [key, { kind, status }] of this.present)
                    if (kind === 'step' && status === 'failed')
                        this.present.delete(key);
                return;
            case 'TaskContinued':
            case 'TaskCompleted':
            case 'TaskFailed':
            case 'TaskCancelled':
                return this.interrupt();
            default:
        }
    }
    open(key, kind, version, isCopied) {
        const found = this.present.get(key);
        if (found !== undefined)
            return found;
        const status = kind === 'step' ? 'running' : 'waiting';
        const span = { key, name: key.replace(USES, ''), kind, status, version, tries: [], ...(isCopied && { isCopied: true }) };
        this.present.set(key, span);
        this.spans.push(span);
        return span;
    }
    step(event, span, version) {
        const { startedAt } = event.data;
        if (startedAt !== undefined)
            span.startedAt ??= startedAt;
        const open = span.tries.at(-1);
        const isOpen = open !== undefined && open.endedAt === undefined && open.isLost === undefined;
        if (isOpen)
            span.tries.pop();
        const attempt = 'attempt' in event.data ? event.data.attempt : (open?.attempt ?? 0) + (isOpen || open?.isLost === true ? 0 : 1);
        const begun = { attempt, ...(startedAt !== undefined && { startedAt }) };
        if (event.type === 'StepStarted') {
            span.status = 'running';
            span.tries.push(begun);
            return;
        }
        if (event.type === 'StepCompleted') {
            span.tries.push({ ...begun, endedAt: event.at });
            return settle(span, 'completed', event.at, version);
        }
        const { error, retryAt } = event.data;
        span.tries.push({ ...begun, endedAt: event.at, error, ...(retryAt !== undefined && { retryAt }) });
        if (retryAt === undefined)
            settle(span, 'failed', event.at, version);
        else
            span.status = 'retrying';
    }
    /** A pass has ended: what ran in it does not run any more, and runs again in the next one. */
    losePresentTries() {
        for (const span of this.present.values()) {
            const open = span.tries.at(-1);
            if (span.status !== 'running' || open === undefined)
                continue;
            span.tries[span.tries.length - 1] = { ...open, isLost: true };
            span.status = 'waiting';
        }
    }
    interrupt() {
        this.losePresentTries();
        for (const span of this.present.values())
            if (span.settledAt === undefined)
                span.status = 'interrupted';
        this.present.clear();
    }
}
function settle(span, status, at, version) {
    if (span !== undefined)
        Object.assign(span, { status, settledAt: at, settledVersion: version });
}
//# sourceMappingURL=timeline-operations.js.map