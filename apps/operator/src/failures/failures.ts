/**
 * Groups of failed tasks by what happened: counted by the index, described by their newest task, and marked by operators. Everything but the
 * marks follows from the rows of the tasks, so a group is gone with its tasks.
 */
import {
  type FailureGroup,
  type FailureSample,
  HOUR_MS,
  type ListedTask,
  type OperatorService,
  type OperatorTask,
  TaskError,
  type TaskIndexPosition,
} from '@longhaul/tasks';
import { Refused } from '../http/problems.js';
import type { FailureMark, FailureMarks } from './failure-marks.js';

/** Hours of the small chart of a group, the present one included. */
export const HOURS = 24;
/** The newest tasks of a group from which its owners, versions and minutes are counted. */
const LOOKED_AT = 1_000;
const MINUTE_MS = 60_000;
/** Minutes of the chart of one group. */
const MINUTES = 60;

/** Whether operators see a group among those to look at. */
export const FAILURE_STATES = ['open', 'snoozed', 'dismissed'] as const;
export type FailureState = (typeof FAILURE_STATES)[number];

/** A group, with what is known of it. */
export interface Failure extends FailureGroup {
  readonly state: FailureState;
  readonly mark?: FailureMark;
  readonly sample?: FailureSample;
}

/** Which groups are listed. */
export interface WantedFailures {
  readonly states: readonly FailureState[];
  readonly tool?: string | undefined;
  readonly limit: number;
}

/** The largest groups; `total` and `tasks` count all of them. */
export interface FoundFailures {
  readonly groups: readonly Failure[];
  readonly total: number;
  readonly tasks: number;
}

/** How many of the counted tasks have a value. */
export interface Share {
  readonly name: string;
  readonly count: number;
}

/** A group with its newest tasks. */
export interface FailureStory extends Failure {
  /** The newest task, with its stack. Absent when it cannot be read. */
  readonly task?: OperatorTask;
  readonly tasks: readonly ListedTask[];
  /** From how many of the tasks the rest was counted. */
  readonly looked: number;
  readonly owners: readonly Share[];
  readonly versions: readonly Share[];
  /** How many failed in each minute of the last hour. */
  readonly minutes: readonly number[];
}

/** The groups of a deployment. */
export class Failures {
  constructor(
    private readonly tasks: OperatorService,
    private readonly marks: FailureMarks,
    private readonly clock: () => number = Date.now,
  ) {}

  /** Groups in one of the states, the largest first. */
  async list({ states, tool, limit }: WantedFailures): Promise<FoundFailures> {
    const [all, marks] = await Promise.all([this.tasks.failureGroups(), this.marks.all()]);
    const groups = all.filter((group) => tool === undefined || group.tool === tool);
    const marked = await Promise.all(groups.map((group) => this.#marked(group, marks)));
    const wanted = marked.filter(({ state }) => states.includes(state));
    const tasks = wanted.reduce((sum, { count }) => sum + count, 0);
    return { groups: await this.#sampled(wanted.slice(0, limit)), total: wanted.length, tasks };
  }

  /** One group with its newest tasks. @throws Refused 404 */
  async get(id: string): Promise<FailureStory> {
    const [group, marks] = await Promise.all([this.#group(id), this.marks.all()]);
    const [failure] = await this.#sampled([await this.#marked(group, marks)]);
    const listed = await this.#newest(id);
    const task = failure?.sample?.view && (await this.#readable(failure.sample.view.taskId));
    return { ...group, ...failure, state: failure?.state ?? 'open', ...(task !== undefined && { task }), ...this.#countsOf(listed) };
  }

  /** Marks a group, or opens it again without a mark. @throws Refused 404 */
  async mark(id: string, mark: Omit<FailureMark, 'at'> | undefined): Promise<Failure> {
    const group = await this.#group(id);
    const whole = mark && { ...mark, at: this.clock() };
    await this.marks.set(id, whole);
    const [failure] = await this.#sampled([await this.#marked(group, new Map(whole === undefined ? [] : [[id, whole]]))]);
    return failure ?? { ...group, state: 'open' };
  }

  async #group(id: string): Promise<FailureGroup> {
    const group = (await this.tasks.failureGroups()).find(({ cause }) => cause === id);
    if (group !== undefined) return group;
    throw new Refused(404, 'NO_SUCH_GROUP', 'There is no such group of failures: its tasks were retried, or are gone.');
  }

  async #marked(group: FailureGroup, marks: ReadonlyMap<string, FailureMark>): Promise<Failure> {
    const mark = marks.get(group.cause);
    return mark === undefined || (await this.#isOver(group, mark)) ? { ...group, state: 'open' } : { ...group, state: mark.state, mark };
  }

  async #isOver({ cause, count, latestAt }: FailureGroup, { at, until, more }: FailureMark): Promise<boolean> {
    if (until !== undefined) return until <= this.clock();
    if (more === undefined || latestAt <= at || count === 0) return false;
    let failed = 0;
    for (let after: TaskIndexPosition | undefined, looked = 0; looked < LOOKED_AT;) {
      const { tasks, next } = await this.tasks.list({ filter: { cause }, limit: 100, after });
      failed += tasks.filter(({ row: { endedAt = 0 } }) => endedAt > at).length;
      looked += 100;
      if (failed >= more) return true;
      if (next === undefined) return false;
      after = next;
    }
    return false;
  }

  async #sampled(failures: readonly Failure[]): Promise<readonly Failure[]> {
    const fromHour = Math.floor(this.clock() / HOUR_MS) - HOURS + 1;
    const causes = failures.map(({ cause }) => cause);
    const samples = await this.tasks.failureSamples(causes, fromHour, HOURS);
    return failures.map((failure) => {
      const sample = samples.get(failure.cause);
      return sample === undefined ? failure : { ...failure, sample };
    });
  }

  async #newest(cause: string): Promise<readonly ListedTask[]> {
    const listed: ListedTask[] = [];
    for (let after: TaskIndexPosition | undefined; listed.length < LOOKED_AT;) {
      const { tasks, next } = await this.tasks.list({ filter: { cause }, limit: LOOKED_AT - listed.length, after });
      listed.push(...tasks);
      if (next === undefined) break;
      after = next;
    }
    return listed;
  }

  async #readable(taskId: string): Promise<OperatorTask | undefined> {
    try {
      return await this.tasks.get(taskId);
    } catch (error) {
      // It may have expired meanwhile, or its key may be missing; the group is there all the same.
      if (error instanceof TaskError && error.code !== 'STORE_UNAVAILABLE') return undefined;
      throw error;
    }
  }

  #countsOf(tasks: readonly ListedTask[]): Pick<FailureStory, 'tasks' | 'looked' | 'owners' | 'versions' | 'minutes'> {
    const fromMinute = Math.floor(this.clock() / MINUTE_MS) - MINUTES + 1;
    const minutes = Array.from({ length: MINUTES }, () => 0);
    for (const { row } of tasks) {
      const at = Math.floor((row.endedAt ?? 0) / MINUTE_MS) - fromMinute;
      if (at >= 0 && at < MINUTES) minutes[at] = (minutes[at] ?? 0) + 1;
    }
    const owners = sharesOf(tasks.map(({ row }) => row.owner));
    const versions = sharesOf(tasks.flatMap(({ row }) => row.version ?? []));
    return { tasks, looked: tasks.length, owners, versions, minutes };
  }
}

/** Values by how many have them, the most first. */
function sharesOf(values: readonly string[]): readonly Share[] {
  return [...Map.groupBy(values, (value) => value)]
    .map(([name, same]) => ({ name, count: same.length }))
    .toSorted((one, other) => other.count - one.count);
}
