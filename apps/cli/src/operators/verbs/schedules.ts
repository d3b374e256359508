/** Implements `schedules`: tools that start by themselves. */
import type { Schedule, ScheduleEntry, ScheduleWithHistory, Tool } from '@longhaul/operator';
import type { Given } from '../../command-line/command.js';
import { UserError } from '../../user-error.js';
import { EXIT } from '../api/exit-codes.js';
import { limitOf, reasonOf, timeFlagOf } from '../command-line/flags.js';
import { namedValues } from '../command-line/named-values.js';
import { listed } from '../command-line/pages.js';
import type { VerbContext } from '../command-line/verb.js';

/** Flags that are members of a schedule, by the name of the member. */
const MEMBERS: Readonly<Record<string, string>> = {
  owner: 'owner',
  cron: 'cron',
  'time-zone': 'timeZone',
  every: 'every',
  from: 'from',
  at: 'at',
  until: 'until',
  jitter: 'jitter',
  overlap: 'overlap',
  'catch-up': 'catchUp',
};

/** `schedules`. */
export async function listSchedules({ api, given, output }: VerbContext): Promise<number> {
  const schedules = await listed<Schedule>(api, { path: '/schedules', query: {}, name: 'schedules' }, limitOf(given));
  output.list(
    schedules,
    [
      { title: 'NAME', text: ({ name }) => name },
      { title: 'TOOL', width: 30, text: ({ tool }) => tool },
      { title: 'WHEN', width: 50, text: whenText },
      { title: 'NEXT', text: ({ next, status }) => next ?? status },
      { title: 'STARTED LAST', text: ({ last }) => last?.at },
      { title: 'NOTE', width: 80, text: noteText },
    ],
    { schedules },
  );
  return 0;
}

/** `schedules show`. */
export async function showSchedule({ api, given, output }: VerbContext): Promise<number> {
  const schedule = await api.get<ScheduleWithHistory>(pathOf(given));
  const { tool, owner, jitter, overlap, catchUp, until, origin, addedAt, addedBy, starts, skips, waiting, times, history } = schedule;
  output.details(schedule, [
    ['tool', tool],
    ['arguments', JSON.stringify(schedule.arguments)],
    ['owner', owner],
    ['when', whenText(schedule)],
    ['until', until],
    ['jitter', jitter],
    ['overlap', overlap],
    ['catch-up', catchUp],
    ['from', `${origin === 'file' ? 'the file of LONGHAUL_SCHEDULES' : addedBy}, ${addedAt}`],
    ['status', noteText(schedule) ?? schedule.status],
    ['started, skipped, waiting', `${starts}, ${skips}, ${waiting}`],
    ...times.map((time) => ['next', time] as const),
    ...history.map((entry) => [entry.at, entryText(entry)] as const),
  ]);
  return 0;
}

/** `schedules add`. */
export async function addSchedule({ api, given, output }: VerbContext): Promise<number> {
  const [name = '', tool = '', ...named] = given.words;
  const wrong = named.find((word) => !word.includes('='));
  if (wrong !== undefined) throw new UserError(`${JSON.stringify(wrong)} is no argument: write NAME=VALUE`, EXIT.usage);
  const reason = reasonOf(given);
  const { tools } = await api.get<{ tools: readonly Tool[] }>('/tools');
  // A missing tool gets its error from the API, unless only workers know it: then its arguments are given as JSON.
  const schema = tools.find((known) => known.name === tool)?.inputSchema;
  if (schema === undefined && named.length > 0)
    throw new UserError(
      `there is no durable tool ${JSON.stringify(tool)} here; give the arguments of one that only workers know with --arguments`,
      EXIT.usage,
    );
  const args = namedValues({ schema, named, json: given.value('arguments'), what: { owner: `tool ${tool}`, flag: 'arguments' } });
  const members = Object.entries(MEMBERS).flatMap(([flag, member]) => {
    const value = given.value(flag);
    return value === undefined ? [] : [[member, value] as const];
  });
  const schedule = { tool, arguments: args, ...Object.fromEntries(members) };
  const added = given.has('replace')
    ? await api.put<Schedule>(pathOf(given), { schedule, reason })
    : await api.post<Schedule>('/schedules', { name, schedule, reason });
  output.say(`${added.name} starts ${added.tool} at ${added.next ?? 'no time'}`, added);
  return 0;
}

/** `schedules pause`, `schedules resume` and `schedules run`. */
export async function actOnSchedule({ api, given, output }: VerbContext, verb: 'pause' | 'resume' | 'run'): Promise<number> {
  const schedule = await api.post<Schedule>(`${pathOf(given)}/${verb}`, { reason: reasonOf(given) });
  const texts = {
    pause: 'is paused',
    resume: `continues at ${schedule.next ?? 'no time'}`,
    run: 'starts a task within a second',
  };
  output.say(`${schedule.name} ${texts[verb]}`, schedule);
  return 0;
}

/** `schedules backfill`. */
export async function backfillSchedule({ api, given, output }: VerbContext): Promise<number> {
  const [from, to] = [timeFlagOf(given, 'from'), timeFlagOf(given, 'to')];
  if (from === undefined || to === undefined) throw new UserError('--from and --to name the range of past times', EXIT.usage);
  const answer = await api.post<{ schedule: Schedule; times: number }>(`${pathOf(given)}/backfill`, { from, to, reason: reasonOf(given) });
  output.say(`${answer.schedule.name} starts ${answer.times} past times, without those that were started`, answer);
  return 0;
}

/** `schedules remove`. */
export async function removeSchedule({ api, given, output }: VerbContext): Promise<number> {
  const answer = await api.delete<{ name: string }>(pathOf(given), { reason: reasonOf(given) });
  output.say(`${answer.name} is removed; its tasks continue`, answer);
  return 0;
}

function pathOf({ words: [name = ''] }: Given): string {
  return `/schedules/${encodeURIComponent(name)}`;
}

/** When a schedule is due. */
function whenText({ cron, timeZone, every, at }: Schedule): string {
  if (cron !== undefined) return `${cron} ${timeZone ?? 'UTC'}`;
  return every === undefined ? `once, ${at ?? ''}` : `every ${every}`;
}

/** Why a schedule starts nothing, or not at its time. */
function noteText({ paused, refused, problem, status }: Schedule): string | undefined {
  if (paused !== undefined) return `paused by ${paused.by}: ${paused.reason}`;
  if (refused !== undefined) return `refused (${refused.code ?? 'unknown'}), tried again at ${refused.retryAt ?? 'once'}`;
  return problem ?? (status === 'ended' ? 'ended' : undefined);
}

/** An event of the history. */
function entryText({ type, by, reason, dueAt, taskId, from, to, count, code, message, cause }: ScheduleEntry): string {
  switch (type) {
    case 'Started':
      return `started ${taskId ?? ''} for ${dueAt ?? ''}${cause === 'time' ? '' : ` (${cause ?? ''})`}`;
    case 'TimesSkipped':
      return `skipped ${count ?? 0} from ${from ?? ''} to ${to ?? ''}: ${reason ?? ''}${code === undefined ? '' : ` (${code})`}`;
    case 'StartRefused':
      return `refused for ${dueAt ?? ''}: ${message ?? ''} (${code ?? ''})`;
    default:
      return [type, by, reason, dueAt, from, to].filter((text) => text !== undefined).join(' ');
  }
}
