/** Lists the commands for groups of failures. */
import {
  DRY_RUN_FLAG,
  FORCE_FLAG,
  FROM_FLAG,
  KEY_FLAG,
  LIMIT_FLAG,
  PATCH_FLAG,
  REASON_FLAG,
  TOOL_FLAG,
  YES_FLAG,
} from '../command-line/flags.js';
import type { Verb } from '../command-line/verb.js';

const STATES = ['open', 'snoozed', 'dismissed', 'all'] as const;

export const FAILURE_VERBS: readonly Verb[] = [
  {
    usage: 'failures',
    summary: 'groups failed tasks by what happened to them, the largest group first',
    flags: [{ name: 'state', value: 'STATE', summary: 'groups of this state (open)', choices: STATES }, TOOL_FLAG, LIMIT_FLAG],
    run: async (context) => (await import('./failures.js')).listFailures(context),
  },
  {
    usage: 'failures show FAILURE',
    summary: 'shows a group: message, stack, times, owners, versions and tasks',
    run: async (context) => (await import('./failures.js')).showFailure(context),
  },
  {
    usage: 'failures retry FAILURE',
    summary: 'retries all tasks of a group as new tasks',
    flags: [FROM_FLAG, PATCH_FLAG, FORCE_FLAG, KEY_FLAG, REASON_FLAG, YES_FLAG, DRY_RUN_FLAG],
    run: async (context) => (await import('./failures.js')).retryFailure(context),
  },
  {
    usage: 'failures snooze FAILURE',
    summary: 'hides a group for a while',
    flags: [
      { name: 'until', value: 'TIME', summary: 'until then: 2h, 3d or 2026-01-31T12:00:00Z' },
      { name: 'more', value: 'COUNT', summary: 'until so many more have failed' },
      REASON_FLAG,
    ],
    run: async (context) => (await import('./failures.js')).markFailure(context, 'snooze'),
  },
  {
    usage: 'failures dismiss FAILURE',
    summary: 'hides a group until it is opened again',
    flags: [REASON_FLAG],
    run: async (context) => (await import('./failures.js')).markFailure(context, 'dismiss'),
  },
  {
    usage: 'failures reopen FAILURE',
    summary: 'shows a group again that was snoozed or dismissed',
    flags: [REASON_FLAG],
    run: async (context) => (await import('./failures.js')).markFailure(context, 'reopen'),
  },
];
