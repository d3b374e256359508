/** The reason of an aborted delivery: this worker no longer holds its job. */
export class JobLost extends Error {
    name = 'JobLost';
    message = 'This worker has lost the job.';
}
/** A job whose handler rejected is delivered again after this time, without limit: the domain counts lost passes. */
export const REDELIVERY_DELAY_MS = 1000;
//# sourceMappingURL=task-queue.js.map