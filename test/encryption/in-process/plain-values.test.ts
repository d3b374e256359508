/**
 * Tests that plain values are refused if only encrypted ones are accepted, for every encrypted kind of value. Here a process without keys
 * writes them. Values that are plain by design are still read.
 */
import { randomUUID } from 'node:crypto';
import type { GatewayState } from '@longhaul/sessions/gateway';
import { openSqliteStore } from '@longhaul/store-sqlite';
import { connectRedisStore } from '@longhaul/store-redis';
import type { Store } from '@longhaul/sessions';
import { NO_VERSION } from '@longhaul/sessions/testing';
import type { EncryptionKeys } from '@longhaul/tasks';
import { TaskHistory } from '@longhaul/tasks/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { encryptionOf } from '../../support/encryption.js';
import { openTestRedis } from '../../support/redis.js';
import { TestFolder } from '../../support/test-folder.js';
import { waitUntil } from '../../support/wait-until.js';

/** A process. */
interface Opened {
  readonly store: Store;
  readonly state: GatewayState;
}

/** Opens a store again and again, each time as a process of its own. */
type OpenStore = (encryption: EncryptionKeys | undefined, onError?: (error: unknown) => void) => Promise<Opened>;

const ONLY: EncryptionKeys = { ...encryptionOf(), takesPlain: false };
const ignore = (): void => undefined;

function redis(): OpenStore {
  const { url, prefix, cleanUp } = openTestRedis();
  onTestFinished(cleanUp);
  return async (encryption, onError = ignore) => {
    const store = await connectRedisStore({ url, prefix, role: 'gateway', encryption, onError });
    onTestFinished(() => store.close());
    return { store, state: store.gateway };
  };
}

function sqlite(): OpenStore {
  const folder = new TestFolder();
  onTestFinished(() => folder.remove());
  return async (encryption, onError = ignore) => {
    const store = await openSqliteStore({ path: folder.dataFile, encryption, onError });
    onTestFinished(() => store.close());
    return { store, state: store.gateway };
  };
}

/** A kind of value: writes one, and says how it is read. */
type Kind = (by: Opened) => Promise<(by: Opened) => Promise<unknown>>;

async function taskOf({ store }: Opened, more: (task: TaskHistory) => ReturnType<TaskHistory['append']>[]): Promise<TaskHistory> {
  const task = new TaskHistory();
  for (const request of [task.create({ owner: 'ada' }), task.claim(), ...more(task)])
    expect(await store.events.append(request)).toBe('appended');
  return task;
}

const KINDS: readonly (readonly [string, Kind])[] = [
  [
    'an event of a task',
    async (by) => {
      const { taskId } = await taskOf(by, (task) => [task.step('a', 'value')]);
      return ({ store }) => store.events.read(taskId);
    },
  ],
  [
    'what a view says',
    async (by) => {
      const { taskId } = await taskOf(by, (task) => [task.status('said')]);
      return ({ store }) => store.events.views([taskId]);
    },
  ],
  [
    'a webhook of a task',
    async ({ store: { events } }) => {
      const task = new TaskHistory();
      const webhooks = [{ endpoint: 'crm', events: ['task.cancelled' as const] }];
      for (const request of [task.create({ owner: 'ada', webhooks }), task.cancel()]) expect(await events.append(request)).toBe('appended');
      return ({ store }) => store.webhooks.first({ taskId: task.taskId, endpoint: 'crm' });
    },
  ],
  [
    'the outcome of a task',
    async (by) => {
      const { taskId } = await taskOf(by, (task) => [task.complete('result')]);
      return ({ store }) => store.events.readOutcome(taskId);
    },
  ],
  [
    'a value of a session',
    async ({ store }) => {
      const session = randomUUID();
      await store.sessionState.set(session, 'name', 'value', 'ada');
      return (by) => by.store.sessionState.get(session, 'name');
    },
  ],
  [
    'a record of an owner',
    async ({ store }) => {
      const of = { owner: { id: `user:${randomUUID()}` }, name: 'things' };
      await store.ownerRecords.apply(of, { since: NO_VERSION, changes: [{ id: 'a', json: '1' }], maxBytes: 1_000 });
      return (by) => by.store.ownerRecords.changesSince(of, NO_VERSION);
    },
  ],
  [
    'a message of an event stream',
    async ({ state }) => {
      const stream = { sessionId: randomUUID(), streamId: 'stream', gatewayId: 'one', isStandalone: false };
      await state.streams.open({ ...stream, requests: [{ id: 1 }], leaseMs: 60_000, maxOpen: 10 });
      await state.streams.append({ ...stream, epoch: 1 }, { json: '{"jsonrpc":"2.0"}', isExclusive: true, isAnswer: false });
      return (by) => by.state.streams.read(stream, 0);
    },
  ],
  [
    'an answer of a client',
    async ({ state }) => {
      const asked = { sessionId: randomUUID(), requestId: 'one' };
      await state.clientResponses.put(asked, '{"action":"accept"}');
      return (by) => by.state.clientResponses.take(asked);
    },
  ],
  [
    'the outcome of a call',
    async ({ state }) => {
      const id = randomUUID();
      await state.outcomes.begin(id, 60_000);
      await state.outcomes.record(id, '{"result":1}');
      return (by) => by.state.outcomes.begin(id, 60_000);
    },
  ],
];

describe.each([
  ['Redis', redis],
  ['SQLite', sqlite],
])('where only encrypted values are taken in %s', (_name, open) => {
  it.each(KINDS)('%s is refused when it is plain, and read when it is encrypted', async (_what, write) => {
    const openWith = open();
    const [plain, encrypting, strict] = [await openWith(undefined), await openWith(encryptionOf()), await openWith(ONLY)];
    const [readPlain, readEncrypted] = [await write(plain), await write(encrypting)];
    await expect(readPlain(strict)).rejects.toMatchObject({ code: 'VALUE_NOT_GENUINE' });
    expect(JSON.stringify(await readEncrypted(strict))).toBeTypeOf('string');
  });

  it('what is plain by design is read: a view that says nothing, and who runs a task', async () => {
    const openWith = open();
    const strict = await openWith(ONLY);
    const task = await taskOf(strict, () => []);
    expect(await strict.store.events.views([task.taskId])).toEqual([task.projection.view]);
    expect(await strict.store.events.read(task.taskId)).toEqual(task.events);
  });

  it('an idempotency key is not taken for one that was used for what its plain digest says', async () => {
    const openWith = open();
    const digestsOf = async ({ store }: Opened) => (await store.codec.digestsFor('ada')).map((digest) => digest('arguments'));
    const [plain = ''] = await digestsOf(await openWith(undefined));
    expect(await digestsOf(await openWith(encryptionOf()))).toContain(plain);
    expect(await digestsOf(await openWith(ONLY))).not.toContain(plain);
  });
});

it('where only encrypted values are taken, a plain message by Redis is left out and reported', async () => {
  const openWith = redis();
  const errors: unknown[] = [];
  const [plain, strict] = [await openWith(undefined), await openWith(ONLY, (error) => errors.push(error))];
  const heard: unknown[] = [];
  await strict.store.sessionNotifications.subscribe('session', (notification) => heard.push(notification));
  const notification = { method: 'notifications/message', params: { data: 'said' } };
  await plain.store.sessionNotifications.publish('session', notification);
  await waitUntil(() => errors.length > 0, { description: 'the message is reported' });
  expect(errors).toEqual([expect.objectContaining({ code: 'VALUE_NOT_GENUINE' })]);
  await strict.store.sessionNotifications.publish('session', notification);
  await waitUntil(() => heard.length > 0, { description: 'an encrypted one is heard' });
  expect(heard).toEqual([notification]);
});
