import { type PendingWebhook, type StoredWebhook, type TakenRecipient, webhookFrom } from '@longhaul/tasks/store';
import type {
  KeptWebhook,
  RecipientCounts,
  RecipientStanding,
  Milliseconds,
  PayloadCodec,
  TaskId,
  TaskWebhooks,
  WebhookChange,
  WebhookRecipient,
  WebhookOutbox,
  WebhookRecord,
} from '@longhaul/tasks';
import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import type { RedisKeys } from '../keys/tasks.js';
import { WebhookKeys } from '../keys/webhooks.js';
import { TAKE_DUE } from './task-agenda.lua.js';
import { DATE_RECIPIENT, NOTE_RECIPIENT, RECORD_WEBHOOK, SETTLE_RECIPIENT } from './webhook-outbox.lua.js';
import { whileReachable } from './store-fault.js';

/** Dependencies of the outbox. */
export interface RedisWebhookOutboxDeps {
  readonly redis: RedisClient;
  readonly keys: RedisKeys;
  readonly codec: PayloadCodec;
  /** Whether one script may touch recipients and webhooks: on one server, not on a cluster. */
  readonly isOneServer: boolean;
}

/** `<endpoint>:<version>`; the endpoint has no colon. */
const RECORD_FIELD = /^([^:]+):(\d+)$/;

/** `WebhookOutbox` on Redis: a hash for each task, and sorted sets of recipients. */
export class RedisWebhookOutbox implements WebhookOutbox {
  readonly #take: RunScript<typeof TAKE_DUE>;
  readonly #date: RunScript<typeof DATE_RECIPIENT>;
  readonly #record: RunScript<typeof RECORD_WEBHOOK>;
  readonly #settle: RunScript<typeof SETTLE_RECIPIENT>;
  readonly #note: RunScript<typeof NOTE_RECIPIENT>;
  readonly #keys: WebhookKeys;
  readonly #recipients: ReturnType<WebhookKeys['recipients']>;

  constructor(private readonly deps: RedisWebhookOutboxDeps) {
    const { redis, keys } = deps;
    this.#take = defineScript(redis, TAKE_DUE);
    this.#date = defineScript(redis, DATE_RECIPIENT);
    this.#record = defineScript(redis, RECORD_WEBHOOK);
    this.#settle = defineScript(redis, SETTLE_RECIPIENT);
    this.#note = defineScript(redis, NOTE_RECIPIENT);
    this.#keys = new WebhookKeys(keys);
    this.#recipients = this.#keys.recipients();
  }

  async take(limit: number, leaseMs: Milliseconds): Promise<readonly TakenRecipient[]> {
    const { due, lease } = await whileReachable(() => this.#take({ shard: this.#recipients.pending }, { limit, leaseMs }));
    return due.map((name) => Object.assign(recipientNamed(name), { lease }));
  }

  async first(recipient: WebhookRecipient): Promise<PendingWebhook | undefined> {
    const version = await this.#firstVersion(recipient);
    if (version === undefined) return undefined;
    const field = fieldOf(recipient.endpoint, version);
    const webhooks = this.#keys.webhooks(recipient.taskId);
    const [record, message] = await whileReachable(() => this.deps.redis.hmget(webhooks, field, `${field}:message`));
    // Sent or gone since the first look.
    if (typeof record !== 'string' || typeof message !== 'string') return undefined;
    return webhookFrom(this.deps.codec, recipient, { version, record, message });
  }

  async record(recipient: WebhookRecipient, { version, before, after }: WebhookChange): Promise<void> {
    const { redis, keys } = this.deps;
    const { taskId, endpoint } = recipient;
    const names = { webhooks: this.#keys.webhooks(taskId), events: keys.events(taskId) };
    const texts = { endpoint, version: String(version), before: JSON.stringify(before), after: JSON.stringify(after) };
    const isRecorded = await whileReachable(() => this.#record(names, { ...texts, ends: after.ended !== undefined }));
    if (!isRecorded) return;
    const name = nameOf(recipient);
    if (isFailing(after)) await whileReachable(() => this.#note({ list: this.#recipients.failing }, { recipient: name }));
    else if (isFailing(before)) await whileReachable(() => redis.zrem(this.#recipients.failing, name));
    if (after.ended === 'given-up') await whileReachable(() => this.#note({ list: this.#recipients.givenUp }, { recipient: name }));
  }

  async settle(recipient: TakenRecipient, inMs: Milliseconds | undefined): Promise<void> {
    const { isOneServer } = this.deps;
    const { taskId, endpoint, lease } = recipient;
    const { pending, failing } = this.#recipients;
    const names = { pending, failing, webhooks: isOneServer ? this.#keys.webhooks(taskId) : undefined };
    await whileReachable(() => this.#settle(names, { recipient: nameOf(recipient), endpoint, lease, inMs }));
    if (inMs !== undefined || isOneServer) return;
    // The same afterwards: an append that comes later dates the recipient itself.
    if ((await this.#firstVersion(recipient)) !== undefined) await this.date([recipient], 0);
  }

  async of(taskId: TaskId): Promise<TaskWebhooks> {
    const { redis } = this.deps;
    const fields = await this.#fields(taskId);
    if (fields.length === 0) return { webhooks: [], leftOut: 0 };
    const names = fields.map(({ endpoint, version }) => fieldOf(endpoint, version));
    const [leftOut, ...texts] = await whileReachable(() => redis.hmget(this.#keys.webhooks(taskId), 'left-out', ...names));
    const webhooks = fields.flatMap((field, at): readonly KeptWebhook[] => {
      const text = texts[at];
      return typeof text === 'string' ? [{ ...field, ...(JSON.parse(text) as WebhookRecord) }] : [];
    });
    return { webhooks, leftOut: Number(leftOut ?? 0) };
  }

  async list(standing: RecipientStanding, limit: number): Promise<readonly WebhookRecipient[]> {
    const { redis } = this.deps;
    const { pending, failing, givenUp } = this.#recipients;
    const latest = (key: string) => redis.zrange(key, '0', String(limit - 1), 'REV');
    const names = await whileReachable(() =>
      standing === 'pending' ? redis.zrange(pending, '0', String(limit - 1)) : latest(standing === 'failing' ? failing : givenUp),
    );
    return names.map(recipientNamed);
  }

  async count(): Promise<RecipientCounts> {
    const { redis } = this.deps;
    const { pending, failing, givenUp } = this.#recipients;
    const counts = await whileReachable(() => Promise.all([pending, failing, givenUp].map((key) => redis.zcard(key))));
    const [isPending = 0, isFailing = 0, isGivenUp = 0] = counts;
    return { pending: isPending, failing: isFailing, 'given-up': isGivenUp };
  }

  /** The keys that an append needs. */
  namesFor(taskId: TaskId): { readonly webhooks: string; readonly webhookRecipients: string } {
    return { webhooks: this.#keys.webhooks(taskId), webhookRecipients: this.#recipients.pending };
  }

  /** Makes sure that the recipients are looked at in `inMs` at the latest, or whenever they are dated for already. */
  async date(recipients: readonly WebhookRecipient[], inMs: number): Promise<void> {
    const { pending } = this.#recipients;
    await whileReachable(() => Promise.all(recipients.map((recipient) => this.#date({ pending }, { recipient: nameOf(recipient), inMs }))));
  }

  /** Dates the recipients of tasks with webhooks to send: their entries may be lost. */
  async ensure(taskIds: readonly TaskId[]): Promise<void> {
    const recipients = await Promise.all(
      taskIds.map(async (taskId) => {
        const endpoints = new Set(
          (await this.of(taskId)).webhooks.filter(({ ended }) => ended === undefined).map(({ endpoint }) => endpoint),
        );
        return [...endpoints].map((endpoint) => ({ taskId, endpoint }));
      }),
    );
    await this.date(recipients.flat(), 0);
  }

  async #firstVersion({ taskId, endpoint }: WebhookRecipient): Promise<number | undefined> {
    const { redis } = this.deps;
    const names = await whileReachable(() => redis.hkeys(this.#keys.webhooks(taskId)));
    const prefix = `${endpoint}:`;
    const versions = names
      .filter((name) => name.startsWith(prefix) && name.endsWith(':message'))
      .map((name) => Number.parseInt(name.slice(prefix.length), 10));
    return versions.length === 0 ? undefined : Math.min(...versions);
  }

  async #fields(taskId: TaskId): Promise<readonly { readonly endpoint: string; readonly version: number }[]> {
    const { redis } = this.deps;
    const names = await whileReachable(() => redis.hkeys(this.#keys.webhooks(taskId)));
    const fields = names.flatMap((name) => {
      const [, endpoint, version] = RECORD_FIELD.exec(name) ?? [];
      return endpoint === undefined ? [] : [{ endpoint, version: Number(version) }];
    });
    return fields.sort((left, right) => left.version - right.version || (left.endpoint < right.endpoint ? -1 : 1));
  }
}

/** The arguments of the webhooks of an append. */
export function argumentsOf(webhooks: readonly StoredWebhook[]): readonly (string | number)[] {
  return webhooks.flatMap(({ endpoint, version, isEnd, record, message }) => [endpoint, version, Number(isEnd), record, message]);
}

function isFailing({ lastTry, ended }: WebhookRecord): boolean {
  return lastTry?.problem !== undefined && ended === undefined;
}

function fieldOf(endpoint: string, version: number): string {
  return `${endpoint}:${version}`;
}

function nameOf({ taskId, endpoint }: WebhookRecipient): string {
  return `${taskId} ${endpoint}`;
}

function recipientNamed(name: string): WebhookRecipient {
  const space = name.indexOf(' ');
  return { taskId: name.slice(0, space) as TaskId, endpoint: name.slice(space + 1) };
}
