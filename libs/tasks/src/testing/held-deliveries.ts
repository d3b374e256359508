import type { TaskStore } from '../ports/task-store.js';
import type { LaneRules } from '../ports/lane-rules.js';
import type { ConsumeOptions, JobDelivery, JobVerdict, TaskConsumer } from '../ports/task-queue.js';
import { waitUntil } from './wait-until.js';

/** A delivery that the test ends when it likes. */
export interface Held {
  readonly delivery: JobDelivery;
  /** When it came, by `performance.now`. */
  readonly at: number;
  readonly isEnded: boolean;
  end(verdict?: JobVerdict): void;
  reject(error: Error): void;
}

/** The deliveries of one consumer, in their order. */
export interface HeldDeliveries {
  readonly consumer: TaskConsumer;
  readonly held: Held[];
}

/** Consumes jobs and holds every delivery until the test ends it. */
export async function holdDeliveries(
  store: TaskStore,
  concurrency = 10,
  rules?: () => LaneRules,
  keyOf?: ConsumeOptions['keyOf'],
): Promise<HeldDeliveries> {
  const held: Held[] = [];
  const consumer = await store.consume(
    (delivery) =>
      new Promise<JobVerdict>((resolve, reject) => {
        const each = {
          delivery,
          at: performance.now(),
          isEnded: false,
          end: (verdict: JobVerdict = {}) => {
            each.isEnded = true;
            resolve(verdict);
          },
          reject,
        };
        held.push(each);
      }),
    { concurrency, rules, keyOf },
  );
  return { consumer, held };
}

/** Waits until so many have been delivered. */
export async function heldCount(held: readonly Held[], count: number): Promise<void> {
  await waitUntil(() => held.length === count, { description: `${count} jobs are delivered` });
}
