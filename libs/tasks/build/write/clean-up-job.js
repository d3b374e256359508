import { laneOf } from './lane.js';
/** The kind of the jobs that clean up. Persisted. */
export const CLEAN_UP = 'clean-up';
/** The job that ends what an interrupted task has left behind. */
export function cleanUpJob({ taskId, owner }) {
    return { kind: CLEAN_UP, id: `${CLEAN_UP}-${taskId}`, lane: laneOf(owner), data: { taskId } };
}
//# sourceMappingURL=clean-up-job.js.map