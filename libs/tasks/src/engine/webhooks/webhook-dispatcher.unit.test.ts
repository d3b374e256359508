import { beforeEach, describe, expect, it } from 'vitest';
import { openMemoryStore } from '@longhaul/store-sqlite';
import { override } from '../../../../../test/support/override.js';
import { WEBHOOK_EVENTS } from '../../domain/webhook-kinds.js';
import { TaskError } from '../../errors.js';
import type { TaskStore } from '../../ports/task-store.js';
import type { WebhookOutbox } from '../../ports/webhook-outbox.js';
import { TaskHistory } from '../../testing/task-history.js';
import { waitUntil } from '../../testing/wait-until.js';
import type { SendOutcome, WebhookDelivery } from './send-webhook.js';
import { WebhookDispatcher, type WebhookReport } from './webhook-dispatcher.js';

const DAY_MS = 24 * 3_600_000;
const FAILED: SendOutcome = { kind: 'failed', status: 500, problem: 'HTTP 500' };
const DELIVERED: SendOutcome = { kind: 'delivered', status: 204 };

let now: number;
let store: TaskStore;
let sent: WebhookDelivery[];
let reports: WebhookReport[];
let errors: unknown[];
/** What the endpoint does; its name is its host. */
let receive: (delivery: WebhookDelivery) => SendOutcome | Promise<SendOutcome>;

beforeEach(() => {
  now = 1_000_000;
  store = openMemoryStore({ clock: () => now });
  [sent, reports, errors] = [[], [], []];
  receive = () => DELIVERED;
  return () => store.close();
});

function dispatcher(outbox: WebhookOutbox = store.webhooks): WebhookDispatcher {
  return new WebhookDispatcher({
    outbox,
    sender: {
      hostOf: ({ endpoint }) => endpoint,
      send: async (delivery) => {
        sent.push(delivery);
        return receive(delivery);
      },
    },
    clock: () => now,
    random: () => 0.5,
    onTry: (report) => reports.push(report),
    onError: (error) => errors.push(error),
  });
}

/** Sends what is due, one of each recipient, and waits for it. */
async function round(worker = dispatcher()): Promise<void> {
  await worker.run();
  await worker.stop();
}

async function started(endpoints: readonly string[] = ['crm']): Promise<TaskHistory> {
  const task = new TaskHistory();
  await store.events.append(task.create({ webhooks: endpoints.map((endpoint) => ({ endpoint, events: WEBHOOK_EVENTS })) }));
  await store.events.append(task.claim());
  return task;
}

async function ended(endpoints?: readonly string[]): Promise<TaskHistory> {
  const task = await started(endpoints);
  await store.events.append(task.complete());
  return task;
}

const typesOf = (): unknown[] => sent.map(({ message }) => (JSON.parse(message.body) as { type: string }).type);

describe('webhooks', () => {
  it('are sent once, and what is known of them stays with the task', async () => {
    const task = await ended();
    await round();
    await round();
    expect(sent).toMatchObject([{ endpoint: 'crm', id: `${task.taskId}-3` }]);
    const record = { event: 'task.completed', tries: 1, lastTry: { at: now, status: 204 }, ended: 'delivered' };
    expect((await store.webhooks.of(task.taskId)).webhooks).toMatchObject([record]);
    expect(await store.webhooks.count()).toMatchObject({ pending: 0 });
  });

  it('of a task come in their order: a later one waits until the earlier one is delivered', async () => {
    const task = await started();
    await store.events.append(task.ask('city'));
    await store.events.append(task.complete());
    receive = () => FAILED;
    await round();
    expect(typesOf()).toEqual(['task.input_required']);
    await round();
    expect(sent, 'before its time').toHaveLength(1);
    receive = () => DELIVERED;
    now += 5_000;
    await round();
    await round();
    expect(typesOf()).toEqual(['task.input_required', 'task.input_required', 'task.completed']);
    expect(new Set(sent.map(({ id }) => id)).size, 'a try has the id of the one before').toBe(2);
  });

  it('are given up after a day, and the next one of the task is sent then', async () => {
    const task = await started();
    await store.events.append(task.ask('city'));
    await store.events.append(task.complete());
    receive = ({ message }) => (message.body.includes('input_required') ? FAILED : DELIVERED);
    const from = now;
    while ((await store.webhooks.count()).pending > 0) {
      await round();
      expect(now - from).toBeLessThan(1.1 * DAY_MS);
      now += 60_000;
    }
    expect(now - from).toBeGreaterThan(0.9 * DAY_MS);
    expect((await store.webhooks.of(task.taskId)).webhooks).toMatchObject([
      { event: 'task.input_required', tries: 11, lastTry: { problem: 'HTTP 500' }, ended: 'given-up' },
      { event: 'task.completed', tries: 1, ended: 'delivered' },
    ]);
    expect(await store.webhooks.list('given-up', 10)).toEqual([{ taskId: task.taskId, endpoint: 'crm' }]);
    expect(reports.filter(({ record }) => record.ended === 'given-up')).toHaveLength(1);
  });

  it('are given up at once when the receiver does not want them', async () => {
    await ended();
    receive = () => ({ kind: 'refused', status: 410, problem: 'HTTP 410' });
    await round();
    expect(reports).toMatchObject([{ record: { tries: 1, lastTry: { status: 410 }, ended: 'given-up' } }]);
  });

  it('wait as long as the receiver asks', async () => {
    await ended();
    receive = () => ({ ...FAILED, retryAfterMs: 60_000 });
    await round();
    now += 59_000;
    await round();
    expect(sent).toHaveLength(1);
    now += 1_000;
    await round();
    expect(sent).toHaveLength(2);
  });

  it('are sent again when their process died before it recorded that they were delivered', async () => {
    await ended();
    const dying = override(store.webhooks, { record: () => Promise.reject(new TaskError('STORE_UNAVAILABLE')) });
    await round(dispatcher(dying));
    expect(errors).toHaveLength(1);
    await round();
    expect(sent, 'within the lease').toHaveLength(1);
    now += 60_000;
    await round();
    expect(sent.map(({ id }) => id)).toEqual([sent[0]?.id, sent[0]?.id]);
    expect(reports).toMatchObject([{ record: { ended: 'delivered' } }]);
  });

  it('of an endpoint that does not answer hold up no others', async () => {
    const TASKS = 100;
    for (let count = 0; count < TASKS; count++) await ended(['dead', 'alive']);
    const { promise: hangs, resolve: answer } = Promise.withResolvers<SendOutcome>();
    receive = ({ endpoint }) => (endpoint === 'dead' ? hangs : DELIVERED);
    const worker = dispatcher();
    const running = worker.run();
    const countOf = (name: string): number => sent.filter(({ endpoint }) => endpoint === name).length;
    for (let rounds = 0; countOf('alive') < TASKS && rounds < 100; rounds++) {
      now += 2_000;
      await worker.run();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await waitUntil(() => countOf('alive') === TASKS, { description: 'all others are sent' });
    expect(countOf('dead')).toBe(8);
    answer(FAILED);
    await Promise.all([running, worker.stop()]);
  });

  it('of an endpoint that fails are rarely looked at, one at a time', async () => {
    for (let count = 0; count < 20; count++) await ended();
    receive = () => FAILED;
    const worker = dispatcher();
    await worker.run();
    await waitUntil(() => reports.length > 0, { description: 'the first ones were tried' });
    now += 5_000;
    const { promise: hangs, resolve: answer } = Promise.withResolvers<SendOutcome>();
    receive = () => hangs;
    const before = sent.length;
    await worker.run();
    await waitUntil(() => sent.length > before, { description: 'one is tried again' });
    now += 19_000;
    await worker.run();
    expect(sent.length).toBe(before + 1);
    answer(DELIVERED);
    await worker.stop();
  });

  it('that cannot be read are set aside, and hold up no others', async () => {
    const [broken, other] = [await ended(), await ended()];
    const { taskId } = broken;
    const unreadable = override(store.webhooks, {
      first: async (recipient) =>
        recipient.taskId === taskId ? Promise.reject(new TaskError('VALUE_NOT_GENUINE')) : store.webhooks.first(recipient),
    });
    await round(dispatcher(unreadable));
    expect(sent).toMatchObject([{ id: `${other.taskId}-3` }]);
    expect(errors).toMatchObject([{ code: 'VALUE_NOT_GENUINE' }]);
    now += 599_000;
    await round();
    expect(sent).toHaveLength(1);
    now += 1_000;
    await round();
    expect(sent).toHaveLength(2);
  });
});
