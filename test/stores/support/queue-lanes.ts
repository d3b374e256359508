/** Lanes and jobs of several queues, for tests of what a deployment with several of them does. */
import { wholeMs } from '@longhaul/tasks';
import type { RedisBackend } from '@longhaul/store-redis';
import { newTaskId } from '@longhaul/tasks/testing';
import { queueOfLane } from '@longhaul/store-redis/testing';

export const QUEUES = 3;

/** A lane of each queue, in the order of the queues. */
export type LaneOfEach = readonly [string, string, string];

/** Lanes whose jobs are in the queue. */
function lanesOf(numbers: readonly number[], queue: number): string[] {
  return Array.from({ length: 50 }, (_, index) => `lane ${index}`).filter((lane) => queueOfLane(numbers, lane) === queue);
}

export function laneOfEach(numbers: readonly number[]): LaneOfEach {
  return numbers.map((queue) => lanesOf(numbers, queue)[0]) as unknown as LaneOfEach;
}

/** Adds so many jobs, each of a task of its own. */
export async function add({ queue }: RedisBackend, lane: string, count: number): Promise<void> {
  for (let added = 0; added < count; added++) await queue.add({ taskId: newTaskId(), pass: 1, lane }, wholeMs(0));
}
