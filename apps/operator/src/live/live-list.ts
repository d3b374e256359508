/** Lists that clients follow: followers of the same list share each load. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ListedTask, OperatorQuery, OperatorService, TaskIndexPosition } from '@longhaul/tasks';
import type { SentEvent } from '../http/event-stream.js';
import type { LinkTemplates } from '../links/link-settings.js';
import { summaryOf } from '../schemas/task.js';
import type { ChangeFeed } from './change-feed.js';

/** The load of a list takes at most a quarter of the time: a filter that few of many tasks fit takes long. */
const REST_PER_LOOK = 3;

/** The filter and length of a followed list. */
export type FollowedList = Pick<OperatorQuery, 'filter' | 'limit'>;

/** All followed lists. */
export class LiveLists {
  #tick = -1;
  #looks = new Map<string, Promise<readonly ListedTask[]>>();

  constructor(
    private readonly tasks: Pick<OperatorService, 'list'>,
    private readonly feed: Pick<ChangeFeed, 'ticks'>,
    private readonly templates: LinkTemplates,
  ) {}

  /**
   * `begin`, then `task` for each task that is new in the list or has changed, oldest first, so that the newest ends on top; `gone` for
   * each that no longer fits; `ready` after the tasks of the first load.
   */
  async *follow(list: FollowedList, signal: AbortSignal): AsyncGenerator<SentEvent> {
    let known: ReadonlyMap<string, string> | undefined;
    yield { event: 'begin', data: {} };
    for await (const tick of this.feed.ticks(signal)) {
      const startedAt = performance.now();
      const found = await this.#look(tick, list);
      const now = new Map(found.map((task) => [task.row.taskId as string, JSON.stringify(summaryOf(task, this.templates))]));
      yield* changesBetween(known ?? new Map<string, string>(), now);
      if (known === undefined) yield { event: 'ready', data: {} };
      known = now;
      const tookMs = performance.now() - startedAt;
      await delay(REST_PER_LOOK * tookMs, undefined, { signal }).catch(() => undefined);
    }
  }

  #look(tick: number, list: FollowedList): Promise<readonly ListedTask[]> {
    if (tick !== this.#tick) {
      this.#tick = tick;
      this.#looks = new Map();
    }
    const key = JSON.stringify(list);
    const look = this.#looks.get(key) ?? listed(this.tasks, list);
    this.#looks.set(key, look);
    return look;
  }
}

function* changesBetween(known: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): Generator<SentEvent> {
  for (const [taskId, text] of [...now].toReversed())
    if (known.get(taskId) !== text) yield { event: 'task', data: JSON.parse(text) as unknown };
  for (const taskId of known.keys()) if (!now.has(taskId)) yield { event: 'gone', data: { taskId } };
}

/** A full page, even if the index finds it in parts. */
async function listed(tasks: Pick<OperatorService, 'list'>, { filter, limit }: FollowedList): Promise<readonly ListedTask[]> {
  const found: ListedTask[] = [];
  for (let after: TaskIndexPosition | undefined; ;) {
    const page = await tasks.list({ filter, limit: limit - found.length, after });
    found.push(...page.tasks);
    after = page.next;
    if (after === undefined || found.length >= limit) return found;
  }
}
