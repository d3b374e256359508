import { TaskError } from '../errors.js';
/** A lost change message costs at most this long. */
const BACKSTOP_MS = 5_000;
/**
 * The one loop behind everything that waits for a task: subscribe, re-read, hand out what is new,
 * wait for the next change message, which may bring the end with it, and look again after a while even without one. While the store is
 * away it waits for that.
 */
export async function* followTask({ events, patience, shown = (view) => view }, from, signal) {
    const { taskId } = from.view;
    const readNow = () => patience.run(() => read(events, taskId), signal);
    if (from.view.endedAt !== undefined)
        return yield from.outcome === undefined ? await readNow() : from;
    yield from;
    let { version } = from.view;
    const changes = new ChangeFlag();
    const unsubscribe = await patience.run(() => events.subscribe(taskId, (ended) => changes.raise(ended)), signal);
    try {
        for (;;) {
            signal.throwIfAborted();
            const now = changes.ended ?? (await readNow());
            // A store that has lost its latest writes has the task end in an earlier version than was seen.
            if (now.view.version > version || now.outcome !== undefined) {
                version = now.view.version;
                yield { ...now, view: shown(now.view) };
                if (now.outcome !== undefined)
                    return;
            }
            else {
                await changes.wait(BACKSTOP_MS, signal);
            }
        }
    }
    finally {
        unsubscribe();
    }
}
async function read(events, taskId) {
    const snapshot = await events.readOutcome(taskId);
    if (snapshot === undefined)
        throw new TaskError('TASK_NOT_FOUND');
    return snapshot;
}
/** Remembers a change that came while nobody waited. */
class ChangeFlag {
    raised = false;
    wake;
    /** With what the last change was, if the task ended by it and that was said. */
    ended;
    raise(ended) {
        this.raised = true;
        this.ended ??= ended;
        this.wake?.();
    }
    async wait(timeoutMs, signal) {
        // An abort that came before is not announced again.
        if (!this.raised && !signal.aborted)
            await new Promise((resolve) => {
                const done = () => {
                    clearTimeout(timer);
                    signal.removeEventListener('abort', done);
                    resolve();
                };
                const timer = setTimeout(done, timeoutMs);
                signal.addEventListener('abort', done);
                this.wake = done;
            });
        this.raised = false;
        this.wake = undefined;
    }
}
//# sourceMappingURL=follow-task.js.map