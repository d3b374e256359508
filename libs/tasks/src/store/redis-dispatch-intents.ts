import type { TaskId } from '../domain/task-id.js';
import type { DispatchIntent, DispatchIntents } from './dispatch-intents.js';
import type { RedisClient } from './redis-connection.js';
import type { RedisKeys } from './redis-keys.js';
import { whileReachable } from './unavailable.js';

/** A UUID. */
const TASK_ID_LENGTH = 36;

/** `DispatchIntents` on Redis: sorted sets by the time of the note, one for each shard of task ids. */
export class RedisDispatchIntents implements DispatchIntents {
  constructor(private readonly deps: { readonly redis: RedisClient; readonly keys: RedisKeys }) {}

  async note(intent: DispatchIntent, at: number): Promise<void> {
    const { redis, keys } = this.deps;
    await whileReachable(() => redis.zadd(keys.due(intent.taskId), at, toMember(intent)));
  }

  async settle(intent: DispatchIntent): Promise<void> {
    const { redis, keys } = this.deps;
    await whileReachable(() => redis.zrem(keys.due(intent.taskId), toMember(intent)));
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
