/**
 * Which queues there are, and which of them a lane's jobs are put into. A queue is a number: 0 is the one that there always is.
 * The other numbers are chosen so that the slots of the queues' hash tags are spread over a Redis Cluster: cut into as many
 * equal parts as there are queues, each part has one. Masters mostly have equal parts, so each of as many masters gets a queue.
 */
import { groupOf } from '@longhaul/tasks/store';
import { slotOf, SLOTS } from '@longhaul/redis';

/** The queue that jobs without a lane are put into, and the only one unless configured otherwise. */
export const FIRST_QUEUE = 0;

/** How near a queue's slot may be to the border of its part: a master's share may begin some slots later. */
const MARGIN = 0.25;

/** The hash tag of a queue's keys. Persisted, so frozen. */
export function tagOfQueue(prefix: string, queue: number): string {
  return queue === FIRST_QUEUE ? prefix : `${prefix}:${queue}`;
}

/** The numbers of so many queues, the first one first; the same ones in each process. */
export function queueNumbers(prefix: string, count: number): readonly number[] {
  const placeOf = (queue: number): number => (slotOf(tagOfQueue(prefix, queue)) * count) / SLOTS;
  const partOfFirst = Math.floor(placeOf(FIRST_QUEUE));
  const numbers = [FIRST_QUEUE];
  for (let part = 0; part < count; part++) {
    if (part === partOfFirst) continue;
    let queue = 1;
    while (placeOf(queue) < part + MARGIN || placeOf(queue) > part + 1 - MARGIN) queue += 1;
    numbers.push(queue);
  }
  return numbers;
}

/** The queue of a lane's jobs, the same one for as long as the queues are the same, and for all lanes of a group. */
export function queueOfLane(queues: readonly number[], lane: string | undefined): number {
  return queues[lane === undefined ? 0 : slotOf(groupOf(lane)) % queues.length] ?? FIRST_QUEUE;
}
