/**
 * The ids by which a queue knows that it has a job for a pass already. A delayed job has another id than
 * the immediate one of the same pass: an answer that arrives before a timer must not be held up by it.
 * Nothing else is in an id, so that a job can be looked for without knowing when it was added.
 * BullMQ allows neither `:` nor a plain integer.
 */
export function jobIdsOf({ taskId, pass }) {
    return { immediate: `${taskId}-${pass}`, delayed: `${taskId}-${pass}-later` };
}
/** The ids that a job may have that is looked for. */
export function soughtIdsOf(job) {
    const { immediate, delayed } = jobIdsOf(job);
    const givenBack = Array.from({ length: GIVEN_BACK_IDS }, (_, times) => givenBackIdOf(job, times));
    return [immediate, ...givenBack, ...(job.mayBeDelayed ? [delayed] : [])];
}
/** So many ids in turn, because the job of the worker that gave the task back may not have ended yet. */
const GIVEN_BACK_IDS = 4;
/** The id of a job for a task that was given back. @param times how often it was before */
export function givenBackIdOf({ taskId, pass }, times) {
    return `${taskId}-${pass}-again-${times % GIVEN_BACK_IDS}`;
}
//# sourceMappingURL=job-id.js.map