import { Operations } from './timeline-operations.js';
import { Waits } from './timeline-waits.js';
/**
 * The timeline of a history.
 *
 * @param events of a task from its first one on, or from the one with which it was continued as new
 */
export function timelineOf(events) {
    const fold = new TimelineFold();
    for (const event of events)
        fold.take(event);
    return fold.timeline;
}
/** The same, event by event: nothing is kept of what steps returned, so that a history may be far larger than its timeline. */
export class TimelineFold {
    passes = [];
    operations = new Operations();
    waits = new Waits(this.operations);
    version = 0;
    /** The timeline by now. */
    get timeline() {
        return { passes: this.passes, operations: this.operations.spans, waits: this.waits.spans };
    }
    take(event) {
        const { passes } = this;
        this.version = event.type === 'TaskContinued' ? event.data.version : this.version + 1;
        const running = passes.at(-1)?.ending === undefined ? passes.at(-1) : undefined;
        const ending = endingOf(event);
        if (running !== undefined && ending !== undefined)
            Object.assign(running, ending, { endedAt: event.at });
        if (event.type === 'PassStarted')
            passes.push(passOf(event, this.version));
        this.operations.take(event, this.version, passes.length === 0);
        this.waits.take(event);
    }
}
function passOf({ at, data }, version) {
    const { pass, epoch, workerId, attempt, version: deployment, trial } = data;
    const optional = { ...(deployment !== undefined && { deployment }), ...(trial !== undefined && { trial }) };
    return { version, pass, epoch, workerId, ...optional, attempt, startedAt: at };
}
/** How an event ends the pass that runs, if it does. */
function endingOf(event) {
    switch (event.type) {
        case 'PassStarted':
            return { ending: 'lost' };
        case 'PassSuspended':
            return { ending: event.data.waitingFor.length === 0 ? 'released' : 'suspended' };
        case 'PassFailed':
            return { ending: 'retrying', error: event.data.error };
        case 'TaskContinued':
            return { ending: 'continued' };
        case 'TaskCompleted':
            return { ending: 'completed' };
        case 'TaskFailed':
            return { ending: 'failed' };
        case 'TaskCancelled':
            return { ending: 'cancelled' };
        default:
            return undefined;
    }
}
//# sourceMappingURL=timeline.js.map