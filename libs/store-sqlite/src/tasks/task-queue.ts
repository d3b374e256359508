import type { GivenBack, QueuedTaskJob, SideJob, TaskJob, TaskQueue } from '@longhaul/tasks';
import { givenBackIdOf, jobIdsOf, soughtIdsOf, type SoughtJob } from '@longhaul/tasks/store';
import type { JobTable } from './job-table.js';

/** The kind of the jobs of tasks; side jobs have their own. */
export const PASS = 'pass';

/** `TaskQueue` in a data file. */
export class SqliteTaskQueue implements TaskQueue {
  constructor(
    private readonly jobs: JobTable,
    private readonly clock: () => number,
  ) {}

  add(job: TaskJob, dueAt: number): Promise<void> {
    const { immediate, delayed } = jobIdsOf(job);
    return dueAt > this.clock() ? this.#add(delayed, job, dueAt) : this.#add(immediate, job);
  }

  withdraw(job: TaskJob): Promise<void> {
    return this.jobs.removeDelayed(jobIdsOf(job).delayed);
  }

  async has(jobs: readonly SoughtJob[]): Promise<readonly boolean[]> {
    const ids = jobs.map(soughtIdsOf);
    const known = await this.jobs.known(ids.flat());
    return ids.map((each) => each.some((id) => known.has(id)));
  }

  recover(job: TaskJob): Promise<void> {
    return this.#add(jobIdsOf(job).immediate, { ...job, recovered: true });
  }

  addGivenBack(job: TaskJob, givenBack: GivenBack): Promise<void> {
    return this.#add(givenBackIdOf(job, givenBack.times), { ...job, givenBack });
  }

  addSideJob({ kind, id, lane = '', data }: SideJob): Promise<void> {
    return this.jobs.add({ id, kind, lane, data: JSON.stringify(data) });
  }

  async close(): Promise<void> {
    // The file belongs to the store.
  }

  /** Named one by one: other members of the caller's object stay out of the file. */
  #add(id: string, { taskId, pass, lane = '', tool, priority, recovered, givenBack }: QueuedTaskJob, dueAt?: number): Promise<void> {
    const data: QueuedTaskJob = {
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
