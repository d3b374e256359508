import type { SoughtJob, TaskJob } from './task-queue.js';

/**
 * Makes the ids of jobs, by which a queue knows that it already has a job for a pass. A delayed job has another id than the immediate job
 * of the same pass: an answer that arrives before a timer must not be held up by it. An id contains nothing else, so that a job can be
 * looked for without knowing when it was added. BullMQ allows neither `:` nor a plain integer.
 */
export function jobIdsOf({ taskId, pass }: TaskJob): { readonly immediate: string; readonly delayed: string } {
  return { immediate: `${taskId}-${pass}`, delayed: `${taskId}-${pass}-later` };
}

/** The possible ids of a job that is looked for. */
export function soughtIdsOf(job: SoughtJob): readonly string[] {
  const { immediate, delayed } = jobIdsOf(job);
  const givenBack = Array.from({ length: GIVEN_BACK_IDS }, (_, times) => givenBackIdOf(job, times));
  return [immediate, ...givenBack, ...(job.mayBeDelayed ? [delayed] : [])];
}

/** Ids are used in rotation, this many, because the job of the worker that gave the task back may not have ended yet. */
const GIVEN_BACK_IDS = 4;

/** The id of a job for a task that was given back. @param times how often it was before */
export function givenBackIdOf({ taskId, pass }: TaskJob, times: number): string {
  return `${taskId}-${pass}-again-${times % GIVEN_BACK_IDS}`;
}
