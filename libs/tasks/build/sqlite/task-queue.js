import { givenBackIdOf, jobIdsOf, soughtIdsOf } from '../ports/job-id.js';
/** The kind of the jobs of tasks; side jobs have their own. */
export const PASS = 'pass';
/** `TaskQueue` in a data file. */
export class SqliteTaskQueue {
    jobs;
    clock;
    constructor(jobs, clock) {
        this.jobs = jobs;
        this.clock = clock;
    }
    add(job, dueAt) {
        const { immediate, delayed } = jobIdsOf(job);
        return dueAt > this.clock() ? this.#add(delayed, job, dueAt) : this.#add(immediate, job);
    }
    async has(jobs) {
        const ids = jobs.map(soughtIdsOf);
        const known = await this.jobs.known(ids.flat());
        return ids.map((each) => each.some((id) => known.has(id)));
    }
    recover(job) {
        return this.#add(jobIdsOf(job).immediate, { ...job, recovered: true });
    }
    addGivenBack(job, givenBack) {
        return this.#add(givenBackIdOf(job, givenBack.times), { ...job, givenBack });
    }
    addSideJob({ kind, id, lane = '', data }) {
        return this.jobs.add({ id, kind, lane, data: JSON.stringify(data) });
    }
    async close() {
        // The file belongs to the backend.
    }
    /** Named one by one: other members of the caller's object stay out of the file. */
    #add(id, { taskId, pass, lane = '', tool, priority, recovered, givenBack }, dueAt) {
        const data = {
            taskId,
            pass,
            ...(lane !== '' && { lane }),
            ...(tool !== undefined && { tool }),
            ...(priority !== undefined && { priority }),
            ...(recovered === true && { recovered }),
            ...(givenBack !== undefined && { givenBack }),
        };
        return this.jobs.add({ id, kind: PASS, lane, tool, priority, data: JSON.stringify(data), ...(dueAt !== undefined && { dueAt }) });
    }
}
//# sourceMappingURL=task-queue.js.map