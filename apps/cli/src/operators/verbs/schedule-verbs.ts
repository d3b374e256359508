/** Lists the commands of schedules. */
import type { Flag } from '../../command-line/command.js';
import { FEATURES_FLAG, LIMIT_FLAG, REASON_FLAG } from '../command-line/flags.js';
import type { Verb } from '../command-line/verb.js';

const DEFINITION_FLAGS: readonly Flag[] = [
  { name: 'cron', value: 'FIELDS', summary: 'when it starts, in five fields: "30 2 * * *"' },
  { name: 'time-zone', value: 'ZONE', summary: 'the time zone of --cron, such as Europe/Berlin (UTC)' },
  { name: 'every', value: 'DURATION', summary: 'or its interval, such as 1h30m' },
  { name: 'from', value: 'TIME', summary: 'the first time of the interval' },
  { name: 'at', value: 'TIME', summary: 'or its single time: 2026-12-24T18:00:00+01:00' },
  { name: 'until', value: 'TIME', summary: 'its last time' },
  { name: 'jitter', value: 'DURATION', summary: 'each start is up to this much later' },
  {
    name: 'overlap',
    value: 'POLICY',
    summary: 'what happens while an earlier task still runs (skip)',
    choices: ['skip', 'queue', 'allow', 'cancel'],
  },
  { name: 'catch-up', value: 'DURATION', summary: 'skip a start that would be later than this (1h)' },
  { name: 'arguments', value: 'JSON', summary: 'all arguments' },
  { name: 'owner', value: 'OWNER', summary: 'the owner of its tasks' },
];

const load = () => import('./schedules.js');

/** The commands. */
export const SCHEDULE_VERBS: readonly Verb[] = [
  {
    usage: 'schedules',
    summary: 'lists the schedules of tools, and when each is due next',
    flags: [LIMIT_FLAG],
    run: async (context) => (await load()).listSchedules(context),
  },
  {
    usage: 'schedules show NAME',
    summary: 'shows a schedule, its next ten times and its history',
    run: async (context) => (await load()).showSchedule(context),
  },
  {
    usage: 'schedules add NAME TOOL [NAME=VALUE…]',
    summary: 'starts a tool on a schedule: by --cron, --every or --at',
    flags: [...DEFINITION_FLAGS, { name: 'replace', summary: 'change the schedule of that name' }, FEATURES_FLAG, REASON_FLAG],
    run: async (context) => (await load()).addSchedule(context),
  },
  {
    usage: 'schedules pause NAME',
    summary: 'pauses a schedule until it is resumed',
    flags: [REASON_FLAG],
    run: async (context) => (await load()).actOnSchedule(context, 'pause'),
  },
  {
    usage: 'schedules resume NAME',
    summary: 'resumes a paused schedule; the times of the pause are skipped',
    flags: [REASON_FLAG],
    run: async (context) => (await load()).actOnSchedule(context, 'resume'),
  },
  {
    usage: 'schedules run NAME',
    summary: 'starts a task of a schedule now',
    flags: [REASON_FLAG],
    run: async (context) => (await load()).actOnSchedule(context, 'run'),
  },
  {
    usage: 'schedules backfill NAME',
    summary: 'starts the times of a past range that were not started',
    flags: [
      { name: 'from', value: 'TIME', summary: 'the first time: 2d or 2026-01-31T12:00:00Z' },
      { name: 'to', value: 'TIME', summary: 'the last time' },
      REASON_FLAG,
    ],
    run: async (context) => (await load()).backfillSchedule(context),
  },
  {
    usage: 'schedules remove NAME',
    summary: 'removes a schedule; its tasks continue',
    flags: [REASON_FLAG],
    run: async (context) => (await load()).removeSchedule(context),
  },
];
