/** Keeps which groups of failures operators have dismissed or snoozed, in the store. */
import type { Json, OwnerCollection } from '@longhaul/tasks';

/** What an operator said of a group. Times are epoch milliseconds. */
export interface FailureMark {
  readonly state: 'dismissed' | 'snoozed';
  readonly who: string;
  readonly reason: string;
  readonly at: number;
  /** A snoozed group comes back then. */
  readonly until?: number;
  /** A snoozed group comes back when so many more tasks have failed. */
  readonly more?: number;
}

/** The latest marks are kept. */
const MAX_MARKS = 1_000;

/** The marks of a deployment, by the ids of groups. */
export class FailureMarks {
  constructor(private readonly collection: OwnerCollection) {}

  all(): Promise<ReadonlyMap<string, FailureMark>> {
    return this.collection.read((found) => new Map([...found].map(([id, value]) => [id, value as unknown as FailureMark])));
  }

  /** Marks a group. @param mark absent: the group is open again */
  async set(id: string, mark: FailureMark | undefined): Promise<void> {
    await this.collection.update((found) => {
      const oldest = [...found]
        .filter(([each]) => each !== id)
        .toSorted(([, one], [, other]) => (other as unknown as FailureMark).at - (one as unknown as FailureMark).at)
        .slice(MAX_MARKS - 1);
      const own = mark === undefined ? (found.has(id) ? [{ id }] : []) : [{ id, value: mark as unknown as Json }];
      return { changes: [...oldest.map(([each]) => ({ id: each })), ...own], result: undefined };
    });
  }
}
