/** Describes schedules and their history in words. */
import type { Schedule, ScheduleEntry } from '../../../src/answers.js';
import { timeText } from '../parts/time.js';

/** When a schedule is due. */
export function whenText({ cron, timeZone, every, at }: Schedule): string {
  if (cron !== undefined) return `${cron} (${timeZone ?? 'UTC'})`;
  return every === undefined ? `once, ${at === undefined ? '' : timeText(at)}` : `every ${every}`;
}

/** Why a schedule starts nothing, or not at its time. */
export function noteText({ paused, refused, problem, status }: Schedule): string | undefined {
  if (paused !== undefined) return `Paused by ${paused.by}: ${paused.reason}`;
  if (refused !== undefined)
    return `Refused (${refused.code ?? 'unknown'}); tried again ${refused.retryAt === undefined ? '' : timeText(refused.retryAt)}`;
  return problem ?? (status === 'ended' ? 'Ended' : undefined);
}

const REASONS: Readonly<Record<string, string>> = {
  paused: 'the schedule was paused',
  outage: 'too late after an outage',
  overlap: 'an earlier task still ran',
  refused: 'every try was refused',
  started: 'started before',
};

const CAUSES: Readonly<Record<string, string>> = {
  time: '',
  queue: ', after the earlier task',
  backfill: ', for a backfill',
  run: ', by hand',
};

/** An event of the history. */
export function entryText({ type, by, reason = '', cause = 'time', dueAt, from, to, count = 1, code, message }: ScheduleEntry): string {
  const at = (time: string | undefined): string => (time === undefined ? '' : timeText(time));
  switch (type) {
    case 'Started':
      return `Started for ${at(dueAt)}${CAUSES[cause] ?? ''}`;
    case 'TimesSkipped': {
      const times = count === 1 ? `Skipped ${at(from)}` : `Skipped ${count.toLocaleString()} times from ${at(from)} to ${at(to)}`;
      return `${times}: ${REASONS[reason] ?? reason}${code === undefined ? '' : ` (${code})`}`;
    }
    case 'StartRefused':
      return `Refused for ${at(dueAt)}: ${message ?? ''} (${code ?? ''})`;
    case 'StartQueued':
      return `${at(dueAt)} waits for the end of the earlier task`;
    case 'ScheduleAdded':
      return `Added by ${by ?? ''}`;
    case 'ScheduleChanged':
      return `Changed by ${by ?? ''}`;
    case 'SchedulePaused':
      return `Paused by ${by ?? ''}: ${reason}`;
    case 'ScheduleResumed':
      return `Resumed by ${by ?? ''}`;
    case 'RunRequested':
      return `${by ?? ''} asked for a run`;
    case 'BackfillRequested':
      return `${by ?? ''} asked for the times from ${at(from)} to ${at(to)}`;
    case 'ScheduleEnded':
      return 'No more times';
    default:
      return type;
  }
}
