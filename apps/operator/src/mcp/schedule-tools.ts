/** Defines the tools with which an assistant looks after schedules. */
import { z } from 'zod';
import { ActOnSchedule, AddSchedule, Backfill, Backfilled, SchedulePage } from '../routes/schedule-routes.js';
import { Schedule, ScheduleSummary } from '../schemas/schedule.js';
import { Limit, type OperatorTool, READS, tool } from './tool-spec.js';

const ScheduleOfTool = AddSchedule.pick({ name: true });
const CHANGES = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const STARTS = { ...CHANGES, idempotentHint: false, openWorldHint: true };

const pathOf = (name: string): string => `/schedules/${encodeURIComponent(name)}`;

export const READING_SCHEDULES: readonly OperatorTool[] = [
  tool({
    name: 'list-schedules',
    title: 'List schedules',
    description: 'Tools that start by themselves: when each is due next, what it started last, and why it cannot start anything.',
    input: z.strictObject({ limit: Limit, cursor: z.string().max(256).optional() }),
    output: SchedulePage,
    annotations: READS,
    run: (input, api) => api.get('/schedules', input),
  }),
  tool({
    name: 'show-schedule',
    title: 'Show a schedule',
    description: 'A schedule with its arguments, its next ten times, and its history: starts, refusals, and skipped times with the reason.',
    input: ScheduleOfTool,
    output: Schedule,
    annotations: READS,
    run: ({ name }, api) => api.get(pathOf(name)),
  }),
];

export const CHANGING_SCHEDULES: readonly OperatorTool[] = [
  tool({
    name: 'add-schedule',
    title: 'Add a schedule',
    description:
      'Has a tool start by itself: by `cron` (five fields, with a `timeZone`), in an interval (`every`, such as 1h30m), or once (`at`). `reason` goes to the audit log.',
    input: AddSchedule,
    output: ScheduleSummary,
    annotations: { ...CHANGES, idempotentHint: false },
    run: (input, api) => api.post('/schedules', input),
  }),
  ...(['pause', 'resume', 'run'] as const).map((verb) =>
    tool({
      name: `${verb}-schedule`,
      ...{
        pause: {
          title: 'Pause a schedule',
          description: 'Has a schedule start nothing until it is resumed. Times of the pause are skipped. `reason` is shown with it.',
        },
        resume: { title: 'Resume a schedule', description: 'Continues a paused schedule. `reason` goes to the audit log.' },
        run: {
          title: 'Run a schedule now',
          description: 'Starts a task of a schedule now, even if it is paused or an earlier task runs. `reason` goes to the audit log.',
        },
      }[verb],
      input: ScheduleOfTool.extend(ActOnSchedule.shape),
      output: ScheduleSummary,
      annotations: verb === 'run' ? STARTS : CHANGES,
      run: ({ name, reason }, api) => api.post(`${pathOf(name)}/${verb}`, { reason }),
    }),
  ),
  tool({
    name: 'backfill-schedule',
    title: 'Backfill a schedule',
    description:
      'Starts the times of a past range that were not started, one after the other unless its tasks may overlap. `reason` goes to the audit log.',
    input: ScheduleOfTool.extend(Backfill.shape),
    output: Backfilled,
    annotations: STARTS,
    run: ({ name, ...range }, api) => api.post(`${pathOf(name)}/backfill`, range),
  }),
];
