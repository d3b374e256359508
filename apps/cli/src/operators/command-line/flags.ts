/** Defines the flags that several commands have, and their meaning for the API. */
import { isCalendarDay } from '@longhaul/runtime/calendar-day';
import type { Flag, Given } from '../../command-line/command.js';
import { UserError } from '../../user-error.js';
import { EXIT } from '../api/exit-codes.js';

/** As `ROW_STATUSES` of the engine, which help and completion do without. */
export const STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const;

/** The flags of every command. */
export const OUTPUT_FLAGS: readonly Flag[] = [
  { name: 'json', summary: 'print the answer of the operator API as one JSON value' },
  { name: 'jsonl', summary: 'print each entry as JSON on a line of its own' },
];

/** Retries once more. */
export const FORCE_FLAG: Flag = { name: 'force', summary: 'also tasks that were retried before' };

/** Of one tool. */
export const TOOL_FLAG: Flag = { name: 'tool', value: 'TOOL', summary: 'of this tool' };

/** Which tasks. */
export const FILTER_FLAGS: readonly Flag[] = [
  { name: 'status', value: 'STATUS', summary: 'with this status; several separated by commas', choices: STATUSES },
  TOOL_FLAG,
  { name: 'owner', value: 'OWNER', summary: 'of this owner' },
  { name: 'failure', value: 'REASON', summary: 'failed for this reason, such as TOOL_ERROR' },
  { name: 'group', value: 'FAILURE', summary: 'of this group of failures, as `failures` lists them' },
  { name: 'deployment', value: 'VERSION', summary: 'run last by a worker of this version' },
  { name: 'where', value: 'NAME=VALUE', summary: 'with this value of a searchable argument; may be repeated' },
  { name: 'since', value: 'TIME', summary: 'created then or later: 2h, 3d or 2026-01-31T12:00:00Z' },
  { name: 'before', value: 'TIME', summary: 'created earlier' },
  { name: 'query', value: 'FILTER', summary: 'the same in one word: "status=failed tool=charge since=2h"' },
];

/** In place of a filter. */
export const ALL_FLAG: Flag = { name: 'all', summary: 'all tasks of all owners, without a filter' };

/** Of what changes something. */
export const REASON_FLAG: Flag = { name: 'reason', value: 'TEXT', summary: 'why, for the audit log' };
/** Of what may be sent twice. */
export const KEY_FLAG: Flag = { name: 'idempotency-key', value: 'KEY', summary: 'the same command with the same key is done once' };
export const DRY_RUN_FLAG: Flag = { name: 'dry-run', summary: 'only print how many tasks fit' };
export const YES_FLAG: Flag = { name: 'yes', summary: 'do not ask' };
/** Of what makes tasks of others. */
export const FROM_FLAG: Flag = {
  name: 'from',
  value: 'STEP',
  summary: 'the first step that runs again, earlier ones are kept; "failed-step" for the failed one',
};
export const PATCH_FLAG: Flag = { name: 'patch', value: 'JSON', summary: 'members of the arguments to replace; null removes one' };
/** The code to use, if it is not the environment's. */
export const FEATURES_FLAG: Flag = {
  name: 'features',
  value: 'MODULES',
  summary: 'modules of features, separated by commas, instead of the configured ones',
};
export const LIMIT_FLAG: Flag = { name: 'limit', value: 'COUNT', summary: 'print at most this many (50)' };

/** The members of a filter as a query has them. */
export interface FilterValues {
  readonly status?: string;
  readonly tool?: string;
  readonly owner?: string;
  readonly failure?: string;
  readonly group?: string;
  readonly deployment?: string;
  readonly where?: string;
  readonly since?: string;
  readonly before?: string;
  readonly [name: string]: string | undefined;
}

/** The filter of a command line, in the words of the API. @throws UserError for a time that is none */
export function filterOf(given: Given, now: number = Date.now()): FilterValues {
  const queried = queryOf(given.value('query'));
  const value = (name: string): string | undefined => given.value(name) ?? queried[name];
  const members = {
    status: value('status'),
    tool: value('tool'),
    owner: value('owner'),
    failure: value('failure'),
    group: value('group'),
    deployment: value('deployment'),
    where: whereOf(given.values('where')) ?? queried['where'],
    since: timeOf('since', value('since'), now),
    before: timeOf('before', value('before'), now),
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** Arguments as the API takes them: a value of several words is in quotes. */
function whereOf(given: readonly string[]): string | undefined {
  const parts = given.map((part) => {
    const at = part.indexOf('=') + 1;
    const value = part.slice(at);
    return at > 0 && (value === '' || /[\s"]/.test(value)) ? part.slice(0, at) + JSON.stringify(value) : part;
  });
  return parts.length === 0 ? undefined : parts.join(' ');
}

/**
 * The filter of an operation on many tasks, as the API takes it in a body.
 *
 * @returns nothing without flags; an empty filter for all tasks
 * @throws UserError
 */
export function bulkFilterOf(given: Given): Readonly<Record<string, unknown>> | undefined {
  const { status, ...rest } = filterOf(given);
  const filter = { ...rest, ...(status !== undefined && { status: status.split(',') }) };
  const isEmpty = Object.keys(filter).length === 0;
  if (given.has('all') && !isEmpty) throw new UserError('--all means all tasks: give it or a filter, not both', EXIT.usage);
  return isEmpty && !given.has('all') ? undefined : filter;
}

const QUERY_PART = /([a-z]+)=(?:"([^"]*)"|(\S+))(?:\s+|$)/gy;

/** The content of a query, by the names of flags. A flag on the command line has precedence. @throws UserError */
function queryOf(text: string | undefined): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const query = text?.trim() ?? '';
  let end = 0;
  for (const [part, name = '', quoted, plain = ''] of query.matchAll(QUERY_PART)) {
    if (!QUERIED.includes(name))
      throw new UserError(`--query: ${JSON.stringify(name)} is no filter; there are ${QUERIED.join(', ')}`, EXIT.usage);
    found[name] = quoted ?? plain;
    end += part.length;
  }
  if (end < query.length) throw new UserError(`--query: cannot read ${JSON.stringify(query.slice(end))}: must be NAME=VALUE`, EXIT.usage);
  return found;
}

const QUERIED: readonly string[] = FILTER_FLAGS.map(({ name }) => name).filter((name) => name !== 'query');

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a duration such as `90s`. */
export function durationMs(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const unitMs = UNITS_MS[unit];
  return count === undefined || unitMs === undefined ? undefined : Number(count) * unitMs;
}

/** The time that a flag names. @throws UserError for one that is none */
export function timeFlagOf(given: Given, flag: string): string | undefined {
  return timeOf(flag, given.value(flag), Date.now());
}

function timeOf(flag: string, text: string | undefined, now: number): string | undefined {
  if (text === undefined) return undefined;
  const ago = durationMs(text);
  // Nothing is older than 1970.
  const at = ago === undefined ? dateOf(text) : Math.max(0, now - ago);
  if (Number.isNaN(at))
    throw new UserError(
      `--${flag} ${JSON.stringify(text)}: must be a duration such as 2h, or a time such as 2026-01-31T12:00:00Z`,
      EXIT.usage,
    );
  return new Date(at).toISOString();
}

/** JavaScript reads "2" as a month, and 30 February as a day of March. */
function dateOf(text: string): number {
  return /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.test(text) && isCalendarDay(text.slice(0, 10))
    ? Date.parse(text)
    : Number.NaN;
}

/** How many entries to print. @throws UserError */
export function limitOf(given: Given): number {
  const text = given.value('limit') ?? '50';
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new UserError(`--limit ${JSON.stringify(text)}: must be a whole number from 1 to 999999`, EXIT.usage);
  return Number(text);
}

/** From where tasks are retried, as the API takes it in a body. A step that is called like one of the words is not among them. */
export function fromOf(given: Given): { readonly from?: 'start' | 'failed-step' | { readonly step: string } } {
  const from = given.value('from');
  if (from === undefined) return {};
  return { from: from === 'start' || from === 'failed-step' ? from : { step: from } };
}

/** Why something is done. @throws UserError when it is not said */
export function reasonOf(given: Given): string {
  const reason = given.value('reason');
  if (reason === undefined || reason.trim() === '')
    throw new UserError('--reason is missing: why you do it, for the audit log', EXIT.usage);
  return reason;
}

/** The idempotency key of a command, as the API takes it in a body. */
export function keyOf(given: Given): { readonly idempotencyKey?: string } {
  const idempotencyKey = given.value('idempotency-key');
  return idempotencyKey === undefined ? {} : { idempotencyKey };
}
