import { TaskReports } from './task-reports.js';
/** A task as the place where an agent runs: what is recorded is not done again, and nothing is held while it sleeps. */
export function createDurableHost(context, place) {
    const reports = new TaskReports(context);
    const { signal } = context;
    return {
        signal,
        // Tries are the loop's: what the engine repeats is what a crash has left unrecorded.
        step: (name, body) => place === 'client' ? body(signal) : context.step(name, (step) => body(step.signal)),
        sleep: (name, ms) => context.sleep(name, ms),
        now: () => context.now(),
        report: (event) => reports.take(event),
    };
}
//# sourceMappingURL=durable-host.js.map