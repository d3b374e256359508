/**
 * Defines where webhooks wait until they are delivered, and what is kept of them. A webhook is put here by the append that makes it due.
 * A recipient is one endpoint of one task: it gets its webhooks one after the other, and recipients do not wait for each other.
 *
 * A recipient with webhooks to send has a date, like a task in the agenda: a worker that takes it has it for the time of a lease, and gives
 * it its next date. Times are by the store's clock.
 */
import type { DueWebhook, WebhookMessage } from '../domain/projections/webhooks.js';
import type { WebhookEvent } from '../domain/webhook-kinds.js';
import type { Milliseconds } from '../domain/milliseconds.js';
import type { TaskId } from '../domain/task-id.js';

/** A task and one of its endpoints. */
export interface WebhookRecipient {
  readonly taskId: TaskId;
  readonly endpoint: string;
}

/** A recipient that this process has taken. */
export interface TakenRecipient extends WebhookRecipient {
  /** Identifies the lease: a recipient that was taken again has another one. */
  readonly lease: number;
}

/** How a try to deliver ended. It names neither the URL nor an address. */
export interface WebhookTry {
  /** Epoch milliseconds, by the clock of the store. */
  readonly at: number;
  /** The answer's HTTP status, if there was an answer. */
  readonly status?: number;
  /** Why it counts as failed. */
  readonly problem?: string;
}

/** What is known of one webhook. Operators see it, and it holds nothing that must be sealed. */
export interface WebhookRecord {
  readonly event: WebhookEvent;
  /** When it became due, epoch milliseconds. */
  readonly at: number;
  readonly tries: number;
  readonly lastTry?: WebhookTry;
  /** When it is tried again, epoch milliseconds, by the clock of the store. */
  readonly nextAt?: number;
  /** Absent while it waits. */
  readonly ended?: 'delivered' | 'given-up';
}

/** A webhook of a task. */
export interface KeptWebhook extends WebhookRecord {
  readonly endpoint: string;
  readonly version: number;
}

/** A webhook that must be sent. */
export interface PendingWebhook {
  readonly version: number;
  readonly record: WebhookRecord;
  readonly message: WebhookMessage;
}

/** Lists of recipients: those with webhooks to send, those whose latest try failed, and those with a webhook that was given up. */
export const RECIPIENT_STANDINGS = ['pending', 'failing', 'given-up'] as const;

/** One of `RECIPIENT_STANDINGS`. */
export type RecipientStanding = (typeof RECIPIENT_STANDINGS)[number];

/** How many recipients there are of each standing. */
export type RecipientCounts = Readonly<Record<RecipientStanding, number>>;

/** The webhooks of one task. */
export interface TaskWebhooks {
  /** In the order of their versions. */
  readonly webhooks: readonly KeptWebhook[];
  /** How many were left out because `MAX_PENDING_WEBHOOKS` waited. */
  readonly leftOut: number;
}

/** Questions are left out for a recipient while so many webhooks wait for it; the end of a task never is. */
export const MAX_PENDING_WEBHOOKS = 32;
/** So many delivered or given up webhooks of a recipient are kept, the latest ones. */
export const MAX_ENDED_WEBHOOKS = 20;
/** A list has at most so many recipients of each standing; those that failed or were given up longest ago are left out. */
export const MAX_LISTED_RECIPIENTS = 10_000;
/** A webhook that no worker sends is kept for so long; one that was sent or given up is kept as long as its task. */
export const WEBHOOK_TTL_MS = 8 * 24 * 3_600_000;

/** The result of a try. */
export interface WebhookChange {
  readonly version: number;
  readonly before: WebhookRecord;
  readonly after: WebhookRecord;
}

/**
 * Every method rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached.
 */
export interface WebhookOutbox {
  /** Takes up to `limit` recipients that are due, the oldest ones, for `leaseMs`; they are due again after that. */
  take(limit: number, leaseMs: Milliseconds): Promise<readonly TakenRecipient[]>;
  /** The first webhook that the recipient has to send; nothing if there is none. @throws TaskError `KEY_MISSING`, `VALUE_NOT_GENUINE` */
  first(recipient: WebhookRecipient): Promise<PendingWebhook | undefined>;
  /** Records the result of a try; a webhook that has ended is not sent again. Does nothing if another process has recorded one since then. */
  record(recipient: WebhookRecipient, change: WebhookChange): Promise<void>;
  /**
   * Gives a taken recipient its next date, or ends it if nothing is left to send. Does nothing if the lease has expired and another process
   * has the recipient.
   */
  settle(recipient: TakenRecipient, inMs: Milliseconds | undefined): Promise<void>;
  /** What is known of the webhooks of a task. */
  of(taskId: TaskId): Promise<TaskWebhooks>;
  /** Some recipients of a standing: pending ones by when they are due, the others latest first. */
  list(standing: RecipientStanding, limit: number): Promise<readonly WebhookRecipient[]>;
  count(): Promise<RecipientCounts>;
}

/** A webhook as it is put into the outbox, with the text that is sealed. */
export interface StoredWebhook {
  readonly endpoint: string;
  readonly version: number;
  /** Whether it may not be left out. */
  readonly isEnd: boolean;
  /** JSON of its record. */
  readonly record: string;
  /** JSON of its message, sealed. */
  readonly message: string;
}

/** The record of a webhook that has just become due. */
export function newRecord({ event, at }: DueWebhook): WebhookRecord {
  return { event, at, tries: 0 };
}
