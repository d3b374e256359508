/**
 * Tests that a step never starts after its record, whoever records it: a worker stands still at any record of a task, another one takes the
 * task over and brings it to its end, and the first one continues in each way in which it may hear of that.
 */
import { describe, expect, it } from 'vitest';
import { Engine, intercept } from '../../../../test/support/engine.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import type { AppendRequest } from '../ports/event-store.js';
import { fromStored } from '../ports/stored-event.js';
import { WorkerLease } from './worker-lease.js';

/** Longer than the silence after which others take the jobs of a worker. */
const SILENT_MS = 5_000;
/** No worker of the test makes so many records of the task. */
const MOST_RECORDS = 20;

/** What the worker hears when it continues, in this order. */
const NEWS = {
  'its jobs are lost': ({ lose }) => lose(),
  'its jobs are lost, and in the same turn it is sure of those that it gets from now on': ({ lose, renew }) => (lose(), renew()),
  'it is sure of its jobs again, and in the same turn they are lost': ({ lose, renew }) => (renew(), lose()),
  'nothing but what its store says': ({ renew }) => renew(),
} as const satisfies Record<string, (means: { lose: () => void; renew: () => void }) => void>;

/** When it stands still: before the store has the record, before it has the store's reply, or with the reply and before its next step. */
const MOMENTS = ['before', 'after', 'at the step'] as const;

interface Case {
  readonly news: (typeof NEWS)[keyof typeof NEWS];
  readonly moment: (typeof MOMENTS)[number];
  /** The number of the record at which it stands still. */
  readonly record: number;
}

/** @returns the starts after their record; nothing when there is no such record */
async function startsTooLate({ news, moment, record }: Case): Promise<readonly string[] | undefined> {
  const time = { monotonic: 0 };
  const lease = new WorkerLease(() => time.monotonic);
  lease.renew(3_000);
  const [reached, continued] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const settled = new Set<string>();
  const late: string[] = [];
  let records = 0;
  let isFrozen = false;
  const note = (attempt: number, events: AppendRequest['events']): void => {
    for (const { type, data } of events.map(fromStored))
      if (type === 'StepCompleted') settled.add(data.key);
      else if (type === 'StepFailed') settled.add(`${data.key} of attempt ${attempt}`);
  };
  let attempt = 1;
  const standStill = async (): Promise<void> => {
    isFrozen = true;
    reached.resolve();
    await continued.promise;
  };
  const engine: Engine = new Engine(
    async (context) => {
      const work = (name: string, fails: boolean) =>
        context.step(name, () => {
          const what = [name, `${name} of attempt ${context.attempt}`].find((key) => settled.has(key));
          if (what !== undefined) late.push(what);
          if (fails) throw new Error('no');
          return name;
        });
      await work('kept', false);
      await context.sleep('nap', 10);
      await work('doomed', true);
    },
    (store) =>
      intercept(store, async (request, append) => {
        const isOurs = !isFrozen && request.expectedVersion > 0 && ++records === record;
        if (isOurs && moment === 'before') await standStill();
        const result = await append(request);
        if (result === 'appended') {
          note(attempt, request.events);
          if (request.events.some(({ type }) => type === 'PassFailed')) attempt += 1;
        }
        if (isOurs && moment === 'after') await standStill();
        // The reply is there: the worker stands still as soon as it asks whether it is sure of its jobs.
        if (isOurs && moment === 'at the step') {
          time.monotonic += SILENT_MS;
          isFrozen = true;
          setImmediate(reached.resolve);
        }
        return result;
      }),
  );
  engine.retry = { attempts: 2, initialMs: 100, jitter: 0 };
  const id = await engine.create();
  const power = new AbortController();
  const first = engine.worker('first', { lease });
  let job = engine.jobs[0]?.job;
  let running: Promise<void> = Promise.resolve();
  const ended = async (): Promise<'ended'> => {
    for (const mayContinue = (): boolean => engine.jobs.length > 0 && !isFrozen; mayContinue();) {
      job = engine.jobs[0]?.job;
      running = engine.deliver(first, power.signal);
      await running;
    }
    return 'ended';
  };
  const end = ended();
  if ((await Promise.race([reached.promise, end])) === 'ended' && !isFrozen) return undefined;
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  if (moment !== 'at the step') time.monotonic += SILENT_MS;
  engine.now += SILENT_MS;
  if (job !== undefined) await engine.redeliver(job);
  await engine.settle();
  news({ lose: () => power.abort(), renew: () => lease.renew(time.monotonic + 3_000) });
  continued.resolve();
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  power.abort();
  await end;
  await engine.settle();
  await waitUntil(async () => (await engine.outcome(id)) !== undefined, { description: 'the task has ended' });
  expect(await engine.value(id)).toBe('Error: no');
  return late;
}

describe('a worker that stood still while another one ended its task', () => {
  for (const [name, news] of Object.entries(NEWS))
    for (const moment of MOMENTS)
      it(`starts no step after its record: ${name}, it stood still ${moment} the record`, async () => {
        let record = 0;
        for (let late: readonly string[] | undefined = []; late !== undefined && record < MOST_RECORDS;) {
          record += 1;
          late = await startsTooLate({ news, moment, record });
          expect(late ?? [], `at record ${record}`).toEqual([]);
        }
        // Claim, both steps, the sleep, and the end, at least.
        expect(record).toBeGreaterThan(5);
      });
});
