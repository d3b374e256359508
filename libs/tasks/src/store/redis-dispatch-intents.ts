import type { TaskId } from '../domain/task-id.js';
import { Batch } from './batch.js';
import type { DispatchIntent, DispatchIntents } from './dispatch-intents.js';
import type { RedisClient } from './redis-connection.js';
import type { RedisKeys } from './redis-keys.js';
import { FITS_WHEN_FULL } from './scripts/when-full.js';
import { whileReachable } from './unavailable.js';

/** A UUID. */
const TASK_ID_LENGTH = 36;
/** An intent that is settled a little later harms nobody: only much older ones are looked at. */
const SETTLE_DELAY_MS = 50;

/**
 * A script, because a plain ZADD is refused when Redis is out of memory, and an answer is not. Sent whole each time: by its
 * hash it could be asked for once more, after an append that was sent after it.
 */
const NOTE = `${FITS_WHEN_FULL}redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])`;

/** What the intents work with. */
export interface RedisDispatchIntentsDeps {
  readonly redis: RedisClient;
  readonly keys: RedisKeys;
  /** True on one server, where notes and appends share a connection; false on a cluster, where they go to different nodes. */
  readonly precedesAppend: boolean;
  readonly onError: (error: unknown) => void;
}

/** `DispatchIntents` on Redis: sorted sets by the time of the note, one for each shard of task ids. */
export class RedisDispatchIntents implements DispatchIntents {
  readonly #settled: Batch<DispatchIntent>;

  constructor(private readonly deps: RedisDispatchIntentsDeps) {
    this.#settled = new Batch(SETTLE_DELAY_MS, (intents) => this.#remove(intents), deps.onError);
  }

  get precedesAppend(): boolean {
    return this.deps.precedesAppend;
  }

  async note(intent: DispatchIntent, at: number): Promise<void> {
    const { redis, keys } = this.deps;
    await whileReachable(() => redis.eval(NOTE, 1, keys.due(intent.taskId), at, toMember(intent)));
  }

  settle(intent: DispatchIntent): void {
    this.#settled.add(intent);
  }

  flush(): Promise<void> {
    return this.#settled.flush();
  }

  async overdue(before: number, limit: number): Promise<readonly DispatchIntent[]> {
    const { redis, keys } = this.deps;
    const shards = await whileReachable(() =>
      Promise.all(keys.allDue().map((key) => redis.zrange(key, '-inf', `(${before}`, 'BYSCORE', 'LIMIT', 0, limit, 'WITHSCORES'))),
    );
    return shards
      .flatMap((reply) => pairs(reply))
      .sort((left, right) => left.at - right.at)
      .slice(0, limit)
      .map(({ member }) => fromMember(member));
  }

  async #remove(intents: readonly DispatchIntent[]): Promise<void> {
    const { redis, keys } = this.deps;
    const byShard = Map.groupBy(intents, ({ taskId }) => keys.due(taskId));
    await whileReachable(() => Promise.all([...byShard].map(([key, settled]) => redis.zrem(key, ...settled.map(toMember)))));
  }
}

function pairs(reply: readonly string[]): { member: string; at: number }[] {
  const found: { member: string; at: number }[] = [];
  for (let index = 0; index + 1 < reply.length; index += 2) found.push({ member: reply[index] ?? '', at: Number(reply[index + 1]) });
  return found;
}

/** Frozen, like every name in Redis: `<taskId>-<pass>-<dueAt>`; `dueAt` is 0 for at once. */
function toMember({ taskId, pass, dueAt }: DispatchIntent): string {
  return `${taskId}-${pass}-${dueAt}`;
}

function fromMember(member: string): DispatchIntent {
  const [pass, dueAt] = member.slice(TASK_ID_LENGTH + 1).split('-');
  return { taskId: member.slice(0, TASK_ID_LENGTH) as TaskId, pass: Number(pass), dueAt: Number(dueAt) };
}
