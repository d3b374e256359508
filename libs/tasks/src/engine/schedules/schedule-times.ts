/** Computes what decisions about a schedule depend on: its times, how much later each start is, and the ids of its tasks. */
import { createHash } from 'node:crypto';
import { type DueTimes, dueTimes } from '@longhaul/runtime/schedules';
import { type ScheduleFacts, timeAfter } from '../../domain/schedules/next-act.js';
import type { ScheduleDefinition, ScheduleRule } from '../../domain/schedules/schedule-events.js';
import type { ScheduleState } from '../../domain/schedules/schedule-state.js';
import type { TaskId } from '../../domain/task-id.js';
import { remembered } from '../../remembered.js';

const REMEMBERED_RULES = 1_000;
/** The largest number of the 48 bits that an offset is made of, and one more. */
const OFFSETS = 2 ** 48;

const timesByRule = remembered(REMEMBERED_RULES, (rule: string): DueTimes => dueTimes(JSON.parse(rule) as ScheduleRule));

/** The times of a rule. */
export function timesOf(rule: ScheduleRule): DueTimes {
  return timesByRule(JSON.stringify(rule));
}

/** The facts about a schedule at a moment, by the store's clock. */
export function factsOf(
  { uid, definition }: Pick<ScheduleState, 'uid' | 'definition'>,
  now: number,
  unfinished: readonly TaskId[],
): ScheduleFacts {
  const { after } = timesOf(definition.rule);
  return { now, after, unfinished, offsetOf: (dueAt) => offsetOf(uid, definition, dueAt), taskIdOf: (key) => taskIdOf(uid, key) };
}

/** The next times of a schedule after a date, at most `count`. */
export function timesAfter({ definition }: Pick<ScheduleState, 'definition'>, ms: number, count: number): readonly number[] {
  const { after } = timesOf(definition.rule);
  const times: number[] = [];
  for (
    let next = timeAfter({ definition }, after, ms);
    next !== null && times.length < count;
    next = timeAfter({ definition }, after, next)
  )
    times.push(next);
  return times;
}

/** The same for each worker, and less than the time until the next start, so that starts keep their order. */
function offsetOf(uid: string, { rule, jitterMs }: ScheduleDefinition, dueAt: number): number {
  if (jitterMs === 0) return 0;
  const next = timesOf(rule).after(dueAt);
  const most = next === undefined ? jitterMs : Math.min(jitterMs, next - dueAt - 1);
  return Math.floor((digest(`${uid} offset ${dueAt}`).readUIntBE(0, 6) / OFFSETS) * most);
}

/** The one task of a time or a run. It cannot be guessed by somebody who does not know the schedule's `uid`. */
function taskIdOf(uid: string, key: string): TaskId {
  const hex = digest(`${uid} task ${key}`).toString('hex');
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}` as TaskId;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
