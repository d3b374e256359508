/**
 * Sends the webhooks that are due: one process's part of it. It takes recipients from the outbox with each sweep, and sends the first
 * webhook of each. A recipient whose first webhook was delivered or given up continues with the next one; one whose try failed waits for
 * its next date.
 *
 * Delivery is at least once. A recipient that was taken by a process that dies is due again when its lease expires. A webhook counts as
 * tried when that is recorded: if the process dies before, it is sent again, with the same id.
 */
import type { TaskId } from '../../domain/task-id.js';
import { wholeMs } from '../../domain/milliseconds.js';
import { isStoreError } from '../../errors.js';
import type { Clock } from '../../ports/clock.js';
import type { PendingWebhook, TakenRecipient, WebhookOutbox, WebhookRecord } from '../../ports/webhook-outbox.js';
import { HostSlots } from './host-slots.js';
import { retryDelay } from './retry-delays.js';
import type { SendOutcome, WebhookSender } from './send-webhook.js';

/** Recipients that a process has at the same time, sending or waiting for a slot. */
const MAX_HELD_RECIPIENTS = 256;
/** Requests to one host at the same time, and recipients that wait for one of them. */
const HOST_SLOTS = { atOnce: 8, waiting: 120 };
/** Nothing is sent in the last part of a lease: a request takes less than that. */
const LEASE_MS = wholeMs(60_000);
const LEASE_LEFT_MS = 20_000;
/**
 * A recipient whose host has no slot is tried again after this time, and up to as much later: soon if the host answers, so that it always
 * has something to do, and otherwise so rarely that many recipients of a dead host cost little.
 */
const BUSY_MS = { answering: 1_000, failing: 20_000 };
/** A webhook that cannot be read is looked at again after this time. */
const SET_ASIDE_MS = wholeMs(600_000);

/** The result of a try, for logs and metrics. */
export interface WebhookReport {
  readonly taskId: TaskId;
  readonly endpoint: string;
  readonly version: number;
  readonly record: WebhookRecord;
}

/** Dependencies of the dispatcher. */
export interface WebhookDispatcherOptions {
  readonly outbox: WebhookOutbox;
  readonly sender: WebhookSender;
  readonly clock: Clock;
  readonly random: () => number;
  /** Called after each try. */
  readonly onTry: (report: WebhookReport) => void;
  readonly onError: (error: unknown) => void;
}

/** Sends webhooks. */
export class WebhookDispatcher {
  readonly #held = new Set<Promise<void>>();
  readonly #slots = new HostSlots(HOST_SLOTS.atOnce, HOST_SLOTS.waiting);
  /** How many recipients found no slot so far. */
  #turnedAway = 0;
  #isTaking = false;
  #isStopped = false;

  constructor(private readonly options: WebhookDispatcherOptions) {}

  /** Takes recipients that are due, as many as this process has room for. They are sent afterwards. */
  async run(): Promise<void> {
    if (this.#isTaking || this.#isStopped) return;
    this.#isTaking = true;
    try {
      const turnedAway = this.#turnedAway;
      for (;;) {
        const room = MAX_HELD_RECIPIENTS - this.#held.size;
        const recipients = room > 0 ? await this.options.outbox.take(room, LEASE_MS) : [];
        for (const recipient of recipients) this.#hold(recipient);
        if (recipients.length < room || room <= 0) return;
        await Promise.race(this.#held);
        // With more than a host can take, the rest waits for the next sweep.
        if (this.#isStopped || this.#turnedAway > turnedAway) return;
      }
    } finally {
      this.#isTaking = false;
    }
  }

  /** Takes no more recipients. Resolves when one webhook of each recipient that it has was sent. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    while (this.#held.size > 0) await Promise.all(this.#held);
  }

  #hold(recipient: TakenRecipient): void {
    const held = this.#send(recipient)
      .catch((error: unknown) => this.#onRecipientError(recipient, error))
      .finally(() => this.#held.delete(held));
    this.#held.add(held);
  }

  async #onRecipientError(recipient: TakenRecipient, error: unknown): Promise<void> {
    this.options.onError(error);
    if (isStoreError(error)) return; // The lease expires, and somebody takes the recipient again.
    await this.options.outbox.settle(recipient, SET_ASIDE_MS).catch(this.options.onError);
  }

  async #send(recipient: TakenRecipient): Promise<void> {
    const { outbox, clock } = this.options;
    const sendBy = clock() + LEASE_MS - LEASE_LEFT_MS;
    for (;;) {
      const webhook = await outbox.first(recipient);
      if (webhook === undefined) return outbox.settle(recipient, undefined);
      const waitMs = await this.#try(recipient, webhook, sendBy);
      if (waitMs !== undefined) return outbox.settle(recipient, wholeMs(waitMs));
      if (this.#isStopped) return outbox.settle(recipient, wholeMs(0));
    }
  }

  /** @returns how long the recipient waits; nothing when its next webhook can be sent */
  async #try(recipient: TakenRecipient, { version, record, message }: PendingWebhook, sendBy: number): Promise<number | undefined> {
    const { outbox, sender, random, clock, onTry } = this.options;
    const { taskId, endpoint } = recipient;
    const delivery = { endpoint, id: `${taskId}-${version}`, message };
    const host = sender.hostOf(delivery);
    const outcome = await this.#inSlot(host, async () => (clock() > sendBy ? undefined : sender.send(delivery)));
    if (outcome === undefined) {
      this.#turnedAway += 1;
      return this.#busyMs(host) * (1 + random());
    }
    const tries = record.tries + 1;
    const waitMs = outcome.kind === 'failed' ? retryDelay(tries, outcome.retryAfterMs, random) : undefined;
    const after = recordAfter(record, outcome, { at: clock(), waitMs });
    await outbox.record(recipient, { version, before: record, after });
    onTry({ taskId, endpoint, version, record: after });
    return waitMs;
  }

  /** @returns nothing when the host has no slot, or got one too late */
  async #inSlot(host: string | undefined, send: () => Promise<SendOutcome | undefined>): Promise<SendOutcome | undefined> {
    if (host === undefined) return send();
    const leave = await this.#slots.enter(host);
    if (leave === undefined) return undefined;
    let hasFailed = this.#slots.isFailing(host);
    try {
      const outcome = await send();
      if (outcome !== undefined) hasFailed = outcome.kind === 'failed';
      return outcome;
    } finally {
      leave(hasFailed);
    }
  }

  #busyMs(host: string | undefined): number {
    return host !== undefined && this.#slots.isFailing(host) ? BUSY_MS.failing : BUSY_MS.answering;
  }
}

function recordAfter(
  { event, at: dueAt, tries }: WebhookRecord,
  outcome: SendOutcome,
  { at, waitMs }: { readonly at: number; readonly waitMs: number | undefined },
): WebhookRecord {
  const { status, problem } = outcome.kind === 'delivered' ? { status: outcome.status, problem: undefined } : outcome;
  const lastTry = { at, ...(status !== undefined && { status }), ...(problem !== undefined && { problem }) };
  const tried = { event, at: dueAt, tries: tries + 1, lastTry };
  if (waitMs !== undefined) return { ...tried, nextAt: at + waitMs };
  return { ...tried, ended: outcome.kind === 'delivered' ? 'delivered' : 'given-up' };
}
