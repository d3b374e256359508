/** Tests properties of every store: after any writes in any order by any writers, the stream is legal and the view is its fold. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '@longhaul/store-sqlite';
import { connectRedisStore } from '@longhaul/store-redis';
import { type TaskStore, wholeMs } from '@longhaul/tasks';
import {
  CommandRejected,
  decideAll,
  fold,
  fromStored,
  newTaskId,
  type OutsideCommand,
  project,
  type TaskCommand,
  TaskHistory,
  TaskWriter,
  toStored,
} from '@longhaul/tasks/testing';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { illegalities } from '../../support/legal-history.js';
import { openTestRedis } from '../../support/redis.js';

const RUNS = 60;
const START = Date.now();

const key = fc.constantFrom('a', 'b', 'c');
const at = fc.integer({ min: START, max: START + 50 });
const epoch = fc.integer({ min: 1, max: 4 });
const error = fc.constant({ name: 'Error', message: 'x' });
const seq = fc.integer({ min: 1, max: 4 });

/** Everything that anybody may ask of a task that exists. */
const command: fc.Arbitrary<TaskCommand> = fc.oneof(
  fc.record(
    {
      type: fc.constant('ClaimPass' as const),
      at,
      pass: fc.integer({ min: 1, max: 5 }),
      workerId: fc.constantFrom('v', 'w'),
      trial: fc.constantFrom('together' as const, 'alone' as const),
    },
    { requiredKeys: ['type', 'at', 'pass', 'workerId'] },
  ),
  fc.record({
    type: fc.constant('ProvideInput' as const),
    at,
    key,
    answer: fc.constant({ response: { ok: true } }),
    via: fc.constant('test'),
  }),
  fc.record({ type: fc.constant('ExpireTask' as const), at }),
  fc.record({ type: fc.constant('CompleteStep' as const), at, epoch, key, value: fc.jsonValue() }),
  fc.record({ type: fc.constant('FailStep' as const), at, epoch, key, error, attempt: fc.constant(1), retryAt: at.map(wholeMs) }),
  fc.record({ type: fc.constant('FailStep' as const), at, epoch, key, error, attempt: fc.constant(1) }),
  fc.record({ type: fc.constant('RequestInput' as const), at, epoch, key, method: fc.constant('roots/list'), params: fc.constant({}) }),
  fc.record({ type: fc.constant('ScheduleTimer' as const), at, epoch, key, dueAt: at.map(wholeMs) }),
  fc.record({ type: fc.constant('FireTimer' as const), at, epoch, key }),
  fc.record({ type: fc.constant('ReportStatus' as const), at, epoch, message: fc.string(), seq }),
  fc.record({ type: fc.constant('ReportProgress' as const), at, epoch, progress: fc.integer({ min: 0, max: 9 }), seq }),
  fc.record({ type: fc.constant('SuspendPass' as const), at, epoch, waitingFor: fc.uniqueArray(key) }),
  fc.record({ type: fc.constant('FailPass' as const), at, epoch, error, retryAt: at.map(wholeMs) }),
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.record({ type: fc.constant('CompleteTask' as const), at, epoch, result: fc.constant({ content: [] }) }),
      fc.record({ type: fc.constant('CancelTask' as const), at, by: fc.constant('alice') }),
    ),
  },
);

function isFromOutside(each: TaskCommand): each is OutsideCommand {
  return ['ProvideInput', 'CancelTask', 'ExpireTask', 'FailPermanently'].includes(each.type);
}

const commands = fc.array(command, { minLength: 1, maxLength: 40 });

/** A task that is claimed, and what two writers with the same knowledge of it want to append. */
const writers = fc.record({ first: fc.array(key, { minLength: 1, maxLength: 4 }), second: fc.array(key, { minLength: 1, maxLength: 4 }) });

function onError(error: unknown): void {
  throw error;
}

interface Opened {
  readonly store: TaskStore;
  close(): Promise<void>;
}

const openers: readonly { readonly name: string; open(): Promise<Opened> }[] = [
  {
    name: 'SQLite',
    async open() {
      const folder = await mkdtemp(join(tmpdir(), 'sqlite-'));
      const store = await openSqliteStore({ path: join(folder, 'data.db'), onError });
      return { store, close: () => store.close().then(() => rm(folder, { recursive: true })) };
    },
  },
  {
    name: 'Redis',
    async open() {
      const { url, prefix, cleanUp } = openTestRedis();
      const store = await connectRedisStore({ url, prefix, role: 'worker', onError });
      return { store, close: () => store.close().then(cleanUp) };
    },
  },
];

describe.each(openers)('the store $name', ({ open }) => {
  let opened: Opened;

  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  /** How long operators have a task is the one thing in its view that does not follow from its events. */
  const keep = { endedMs: 0, failedMs: 0 };
  const writer = (): TaskWriter => new TaskWriter({ store: { ...opened.store, keep }, clock: () => START, onError });

  async function expectSound(taskId: ReturnType<typeof newTaskId>): Promise<void> {
    const events = await opened.store.events.read(taskId);
    expect(illegalities(events.map((event) => ({ event })))).toEqual([]);
    expect(await opened.store.events.readOutcome(taskId)).toEqual(JSON.parse(JSON.stringify(project(taskId, fold(events)))));
  }

  async function tryToWrite(taskId: ReturnType<typeof newTaskId>, each: TaskCommand): Promise<void> {
    try {
      if (isFromOutside(each)) await writer().write(taskId, each);
      else await writeAsPass(taskId, each);
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(CommandRejected);
    }
  }

  async function writeAsPass(taskId: ReturnType<typeof newTaskId>, each: TaskCommand): Promise<void> {
    for (let result = 'conflict'; result === 'conflict';) {
      const before = fold(await opened.store.events.read(taskId));
      const { events, state: after } = decideAll([each], before);
      result =
        events.length === 0
          ? 'appended'
          : await writer().commit({ taskId, before, events: events.map((event) => toStored(event)), decided: events, after });
    }
  }

  async function created(): Promise<TaskHistory> {
    const task = new TaskHistory(newTaskId(), START);
    await opened.store.events.append(task.create({ maxRunMs: 40, maxWaitMs: 20 }));
    return task;
  }

  it('has a view that is the fold of the events after any sequence of commands', async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (sequence) => {
        const { taskId } = await created();
        for (const each of sequence) await tryToWrite(taskId, each);
        await expectSound(taskId);
      }),
      { numRuns: RUNS },
    );
  });

  it('keeps the stream legal, and the view its fold, when the commands come at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (sequence) => {
        const { taskId } = await created();
        await Promise.all(sequence.map((each) => tryToWrite(taskId, each)));
        await expectSound(taskId);
      }),
      { numRuns: RUNS },
    );
  });

  it('lets exactly one of two writers win who expect the same version, in any interleaving', async () => {
    await fc.assert(
      fc.asyncProperty(writers, fc.scheduler(), async ({ first, second }, scheduler) => {
        const task = await created();
        await opened.store.events.append(task.claim());
        const append = scheduler.scheduleFunction(opened.store.events.append.bind(opened.store.events));
        const requests = [first, second].map((keys, index) => requestOf(task.fork(), keys, index));
        const results = await scheduler.waitFor(Promise.all(requests.map((request) => append(request))));
        expect(results.toSorted()).toEqual(['appended', 'conflict']);
        const winner = requests[results.indexOf('appended')];
        expect(await opened.store.events.read(task.taskId, task.state.version)).toEqual(winner?.events.map(fromStored));
        await expectSound(task.taskId);
      }),
      { numRuns: RUNS },
    );
  });
});

/** The append of some steps by one of two writers. */
function requestOf(task: TaskHistory, keys: readonly string[], writer: number) {
  const held = task.state.epoch;
  return task.append(
    keys.map((name, index) => ({ type: 'CompleteStep' as const, at: START, epoch: held, key: `${name}${index}`, value: writer })),
    held,
  );
}
