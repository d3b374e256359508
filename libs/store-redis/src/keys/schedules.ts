/** Names the keys of schedules in Redis. The names are persisted, so they are frozen: a new meaning gets a new name. */
import { createHash } from 'node:crypto';
import type { RedisKeys } from './tasks.js';

/** Builds the names under the prefix of the tasks' keys. All are in one slot: one script writes a schedule with its date. */
export class ScheduleKeys {
  constructor(private readonly tasks: Pick<RedisKeys, 'prefix'>) {}

  /** Sorted set: names of schedules by when a worker must look at them. Permanent; gone while empty. */
  due(): string {
    return `${this.tasks.prefix}:{schedules}:due`;
  }

  /** Sorted set: the names of all schedules, in their order. Permanent; gone while empty. */
  names(): string {
    return `${this.tasks.prefix}:{schedules}:names`;
  }

  /** Hash: how many schedules the owners of a tenant have, by the tenant. Permanent; gone while empty. */
  tenants(): string {
    return `${this.tasks.prefix}:{schedules}:tenants`;
  }

  /**
   * Hash: the schedule of that name. `version`, `state` as JSON, `arguments`, `tenant`, and its latest events as `event:<version>` from
   * `first` on. Permanent: gone when the schedule is removed.
   */
  schedule(name: string): string {
    return `${this.tasks.prefix}:{schedules}:of:${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
  }
}
