import { fromStored } from '../ports/stored-event.js';
import { wrappedStore } from './wrapped-store.js';
/** What a simulated task writes to: what was appended stays readable, and of jobs only those are kept that clean up. */
export class RecordingBackend {
    onAppend;
    /** All events in order, also those before a task was continued as new. */
    history = [];
    sideJobs = [];
    backend;
    /** @param onAppend called after each append, also one that was refused */
    constructor(backend, onAppend) {
        this.onAppend = onAppend;
        const { events } = backend;
        const recorded = wrappedStore(events, {
            append: async (request) => this.note(request, await events.append(request)),
            create: async (request, ...counted) => this.note(request, await events.create(request, ...counted)),
        });
        this.backend = { ...backend, events: recorded, queue: this.queue() };
    }
    note(request, result) {
        if (result === 'appended')
            this.history.push(...request.events.map(fromStored));
        this.onAppend();
        return result;
    }
    /** What is due follows from the record, so that its jobs are not needed. */
    queue() {
        return {
            add: async () => undefined,
            has: async (jobs) => jobs.map(() => true),
            recover: async () => undefined,
            addGivenBack: async () => undefined,
            addSideJob: async (job) => void this.sideJobs.push(job),
            close: async () => undefined,
        };
    }
}
//# sourceMappingURL=recording-backend.js.map