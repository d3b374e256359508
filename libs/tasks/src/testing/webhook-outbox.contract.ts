import { beforeEach, describe, expect, it } from 'vitest';
import { wholeMs } from '../domain/milliseconds.js';
import { WEBHOOK_EVENTS } from '../domain/webhook-kinds.js';
import type { EventStore } from '../ports/event-store.js';
import {
  MAX_ENDED_WEBHOOKS,
  MAX_PENDING_WEBHOOKS,
  type PendingWebhook,
  type TakenRecipient,
  type WebhookRecipient,
  type WebhookOutbox,
  type WebhookRecord,
} from '../ports/webhook-outbox.js';
import type { ContractStore } from './contract-store.js';
import { opening } from './opening.js';
import { TaskHistory } from './task-history.js';
import { waitUntil } from './wait-until.js';

const LEASE_MS = wholeMs(60_000);
const MANY = 100;
const CREATED = { webhooks: [{ endpoint: 'crm', events: WEBHOOK_EVENTS }] };
const BOTH = { webhooks: [...CREATED.webhooks, { endpoint: 'log', events: WEBHOOK_EVENTS }] };
const RETIRES = { accounts: ['alice'], keptMs: wholeMs(60_000), storedMs: wholeMs(0) };

/** Declares the contract of the webhooks' outbox on every store. */
export function webhookOutboxContract({ name, open }: ContractStore): void {
  describe(`the outbox of webhooks in ${name}`, () => {
    let outbox: WebhookOutbox;
    let events: EventStore;
    beforeEach(opening(open, ({ store }) => ({ webhooks: outbox, events } = store)));

    async function started(created: Parameters<TaskHistory['create']>[0] = CREATED): Promise<TaskHistory> {
      const task = new TaskHistory();
      await events.append(task.create(created));
      await events.append(task.claim());
      return task;
    }
    async function ended(created?: Parameters<TaskHistory['create']>[0]): Promise<TaskHistory> {
      const task = await started(created);
      expect(await events.append({ ...task.complete(), retires: RETIRES })).toBe('appended');
      return task;
    }
    const recipientOf = ({ taskId }: TaskHistory, endpoint = 'crm'): WebhookRecipient => ({ taskId, endpoint });
    /** Recipients that are due by now, or soon: on a cluster an append may date them for a moment later. */
    async function taken(count: number): Promise<readonly TakenRecipient[]> {
      const recipients: TakenRecipient[] = [];
      await waitUntil(
        async () => {
          recipients.push(...(await outbox.take(MANY, LEASE_MS)));
          return recipients.length >= count;
        },
        { description: `${count} recipients are due` },
      );
      expect(recipients).toHaveLength(count);
      return recipients;
    }
    async function tried(recipient: WebhookRecipient, after: Partial<WebhookRecord>): Promise<PendingWebhook> {
      const webhook = await outbox.first(recipient);
      if (webhook === undefined) throw new Error('The recipient has nothing to send.');
      const { version, record } = webhook;
      await outbox.record(recipient, { version, before: record, after: { ...record, tries: record.tries + 1, ...after } });
      return webhook;
    }
    const FAILED = { lastTry: { at: 1, status: 500, problem: 'HTTP 500' }, nextAt: 2 };

    it('has nothing of tasks without webhooks', async () => {
      const task = await ended({});
      expect(await outbox.take(MANY, LEASE_MS)).toEqual([]);
      expect(await outbox.of(task.taskId)).toEqual({ webhooks: [], leftOut: 0 });
      expect(await outbox.count()).toEqual({ pending: 0, failing: 0, 'given-up': 0 });
    });

    it('has a webhook with the append that makes it due, for each endpoint, and with none that was refused', async () => {
      const task = await started(BOTH);
      const late = task.fork();
      await events.append({ ...task.complete(), retires: RETIRES });
      expect(await events.append(late.cancel())).toBe('conflict');
      const recipients = await taken(2);
      expect(recipients.map(({ endpoint }) => endpoint).sort()).toEqual(['crm', 'log']);
      const { version, record, message } = (await outbox.first(recipientOf(task)))!;
      expect({ version, record }).toEqual({ version: 3, record: { event: 'task.completed', at: task.startedAt, tries: 0 } });
      expect(JSON.parse(message.body)).toMatchObject({ type: 'task.completed', data: { taskId: task.taskId } });
      expect((await outbox.of(task.taskId)).webhooks).toMatchObject([{ endpoint: 'crm' }, { endpoint: 'log' }]);
      expect(await outbox.count()).toMatchObject({ pending: 2 });
    });

    it('gives a recipient to one taker, and to another one when the lease is over', async () => {
      await ended();
      const [first] = await Promise.all([outbox.take(MANY, wholeMs(1_500)), outbox.take(MANY, wholeMs(1_500))]);
      const rest = first.length === 1 ? await outbox.take(MANY, LEASE_MS) : [];
      expect(rest).toEqual([]);
      const [again] = await taken(1);
      await outbox.settle(first[0] ?? again!, wholeMs(0));
      expect(await outbox.take(MANY, LEASE_MS), 'with a lease that has expired').toEqual([]);
    });

    it('sends the webhooks of a recipient in their order, and a later one does not bring the recipient forward', async () => {
      const task = await started();
      await events.append(task.ask('one'));
      const [recipient] = await taken(1);
      await tried(recipient!, FAILED);
      await events.append(task.ask('two'));
      expect(await outbox.take(MANY, LEASE_MS)).toEqual([]);
      await outbox.settle(recipient!, LEASE_MS);
      await events.append({ ...task.complete(), retires: RETIRES });
      expect(await outbox.take(MANY, LEASE_MS)).toEqual([]);
      const sent: number[] = [];
      for (let at = 0; at < 3; at++) sent.push((await tried(recipient!, { ended: 'delivered' })).version);
      expect(sent).toEqual([3, 4, 5]);
      expect(await outbox.first(recipient!)).toBeUndefined();
    });

    it('ends a recipient that has nothing to send, and begins it again', async () => {
      const task = await started();
      await events.append(task.ask('one'));
      const [recipient] = await taken(1);
      await tried(recipient!, { ended: 'delivered' });
      await outbox.settle(recipient!, undefined);
      expect(await outbox.count()).toMatchObject({ pending: 0 });
      await events.append(task.ask('two'));
      await taken(1);
    });

    it('keeps the date of a recipient whose append came while it was taken', async () => {
      const task = await started();
      await events.append(task.ask('one'));
      const [recipient] = await taken(1);
      await tried(recipient!, { ended: 'delivered' });
      await events.append(task.ask('two'));
      await outbox.settle(recipient!, undefined);
      await taken(1);
    });

    it('records a try once, though two processes made it', async () => {
      const task = await ended();
      const { version, record } = (await outbox.first(recipientOf(task)))!;
      const after = { ...record, tries: 1 };
      await outbox.record(recipientOf(task), { version, before: record, after: { ...after, ended: 'delivered' } });
      await outbox.record(recipientOf(task), { version, before: record, after: { ...after, ...FAILED } });
      expect((await outbox.of(task.taskId)).webhooks).toMatchObject([{ tries: 1, ended: 'delivered' }]);
      expect(await outbox.count()).toMatchObject({ failing: 0 });
      expect(await outbox.first(recipientOf(task))).toBeUndefined();
    });

    it('lists recipients that fail until they do no more, and those that were given up', async () => {
      const [failing, lost] = [await ended(), await ended()];
      const recipients = await taken(2);
      await tried(recipientOf(failing), FAILED);
      await tried(recipientOf(lost), FAILED);
      expect(await outbox.list('failing', MANY)).toHaveLength(2);
      await tried(recipientOf(lost), { ...FAILED, ended: 'given-up' });
      expect(await outbox.list('failing', MANY)).toEqual([recipientOf(failing)]);
      expect(await outbox.list('given-up', MANY)).toEqual([recipientOf(lost)]);
      expect(await outbox.list('pending', 1)).toHaveLength(1);
      expect(await outbox.count()).toEqual({ pending: 2, failing: 1, 'given-up': 1 });
      await tried(recipientOf(failing), { ended: 'delivered' });
      for (const recipient of recipients) await outbox.settle(recipient, undefined);
      expect(await outbox.count()).toEqual({ pending: 0, failing: 0, 'given-up': 1 });
    });

    it('leaves out questions while many wait, and no end, and those of one endpoint for no other', async () => {
      const task = await started(BOTH);
      const log = (of: TaskHistory): WebhookRecipient => recipientOf(of, 'log');
      for (let at = 0; at < MAX_PENDING_WEBHOOKS + 2; at++) {
        await events.append(task.ask(`question ${at}`));
        await tried(log(task), { ended: 'delivered' });
      }
      await events.append({ ...task.complete(), retires: RETIRES });
      const { webhooks, leftOut } = await outbox.of(task.taskId);
      expect(leftOut).toBe(2);
      expect(webhooks.filter(({ endpoint }) => endpoint === 'crm')).toHaveLength(MAX_PENDING_WEBHOOKS + 1);
      expect(webhooks.at(-1)).toMatchObject({ event: 'task.completed' });
      for (let at = 0; at <= MAX_PENDING_WEBHOOKS; at++) await tried(recipientOf(task), { ended: 'delivered' });
      const kept = (await outbox.of(task.taskId)).webhooks.filter(({ endpoint }) => endpoint === 'crm');
      expect(kept).toHaveLength(MAX_ENDED_WEBHOOKS);
      expect(kept.at(-1)).toMatchObject({ event: 'task.completed', ended: 'delivered' });
    });
  });
}
