/** Implements `failures`: groups of failed tasks by what happened, and what is done about them. */
import type { BulkOperation, Failure, FailureDetails, FailureList } from '@longhaul/operator';
import type { Given } from '../../command-line/command.js';
import { UserError } from '../../user-error.js';
import { EXIT } from '../api/exit-codes.js';
import { confirm } from '../command-line/confirm.js';
import { durationMs, fromOf, keyOf, limitOf, reasonOf, timeFlagOf } from '../command-line/flags.js';
import { jsonObject } from '../command-line/named-values.js';
import type { VerbContext } from '../command-line/verb.js';
import { age } from '../output/texts.js';
import { followBulk } from './bulk.js';

/** `tasks list --group` lists all of them. */
const SHOWN_TASKS = 3;

/** Eighths of a block, from nothing to all of it. */
const BARS = ' ▁▂▃▄▅▆▇█';

/** `failures`. */
export async function listFailures({ api, given, output }: VerbContext): Promise<number> {
  const answer = await api.get<FailureList>('/failures', {
    state: given.value('state'),
    tool: given.value('tool'),
    limit: Math.min(limitOf(given), 200),
  });
  output.list(
    answer.groups,
    [
      { title: 'FAILURE', text: ({ id }) => id },
      { title: 'TASKS', text: ({ count }) => String(count) },
      { title: 'TOOL', text: ({ tool }) => tool },
      { title: 'STEP', text: ({ step }) => step },
      { title: '24 HOURS', text: ({ hours }) => sparkOf(hours) },
      { title: 'LATEST', text: ({ latestAt }) => `${age(latestAt)} ago` },
      ...(given.value('state') === undefined ? [] : [{ title: 'STATE', text: ({ state }: Failure) => state }]),
      { title: 'WHAT HAPPENED', width: 100, text: causeText },
    ],
    answer,
  );
  return 0;
}

/** `failures show`. */
export async function showFailure({ api, given, output }: VerbContext): Promise<number> {
  const failure = await api.get<FailureDetails>(`/failures/${idOf(given)}`);
  const { id, tool, reason, what, step, message, count, firstAt, latestAt, hours, minutes, owners, versions, tasks, state, mark } = failure;
  output.details(failure, [
    ['failure', id],
    ['tool', tool],
    ['step', step],
    ['reason', reason],
    ['what happened', what],
    ['message', message],
    ['tasks', `${count} failed and were not retried`],
    ['first', firstAt],
    ['latest', latestAt],
    ['last 24 hours', sparkOf(hours)],
    ['last hour', sparkOf(minutes)],
    ['owners', sharesOf(owners)],
    ['versions', sharesOf(versions) || undefined],
    ['state', mark === undefined ? state : `${state} by ${mark.who}: ${mark.reason}`],
    ['until', mark?.until ?? (mark?.more === undefined ? undefined : `${mark.more} more have failed`)],
    [
      'newest tasks',
      tasks
        .slice(0, SHOWN_TASKS)
        .map(({ taskId }) => taskId)
        .join(' '),
    ],
  ]);
  if (output.form === 'text' && failure.stack !== undefined) output.text(`\n${failure.stack}`);
  return 0;
}

/** `failures retry`. */
export async function retryFailure(context: VerbContext): Promise<number> {
  const { api, given, output, signal } = context;
  const id = idOf(given);
  const patch = given.value('patch');
  const force = given.has('force') ? { force: true } : {};
  const retry = { ...fromOf(given), ...(patch !== undefined && { patch: jsonObject(patch, 'patch') }), ...force };
  const { matched } = await api.post<{ matched: number }>('/bulk/count', { action: 'retry', filter: { group: id }, ...force });
  if (given.has('dry-run') || matched === 0) {
    output.say(`${matched} tasks fit`, { matched });
    return 0;
  }
  const reason = reasonOf(given);
  await confirm(`Retry ${matched} tasks?`, given, signal);
  const begun = await api.post<BulkOperation>(`/failures/${id}/retry`, { ...retry, matched, ...keyOf(given), reason });
  return followBulk(context, begun);
}

/** `failures dismiss`, `failures snooze` and `failures reopen`. */
export async function markFailure({ api, given, output }: VerbContext, verb: 'dismiss' | 'snooze' | 'reopen'): Promise<number> {
  const body = { reason: reasonOf(given), ...(verb === 'snooze' && snoozeOf(given)) };
  const failure = await api.post<Failure>(`/failures/${idOf(given)}/${verb}`, body);
  output.say(`${failure.id} is ${failure.state}`, failure);
  return 0;
}

function snoozeOf(given: Given): object {
  const [until, more] = [given.value('until'), given.value('more')];
  if ((until === undefined) === (more === undefined)) throw new UserError('give --until or --more: for how long it is snoozed', EXIT.usage);
  if (more !== undefined) {
    if (!/^[1-9]\d{0,3}$/.test(more))
      throw new UserError(`--more ${JSON.stringify(more)}: must be a whole number from 1 to 1000`, EXIT.usage);
    return { more: Number(more) };
  }
  const ahead = durationMs(until ?? '');
  return { until: ahead === undefined ? timeFlagOf(given, 'until') : new Date(Date.now() + ahead).toISOString() };
}

function idOf({ words: [id = ''] }: Given): string {
  return encodeURIComponent(id);
}

function sharesOf(shares: FailureDetails['owners']): string {
  return shares.map(({ name, count }) => `${name} (${count})`).join(', ');
}

/** A code says less than the message of the newest task; a class of messages says as much. */
function causeText({ reason, what, message }: Failure): string {
  return reason === what && message !== undefined ? `${what}: ${message}` : what;
}

/** A bar for each count. */
function sparkOf(counts: readonly number[]): string {
  const most = Math.max(1, ...counts);
  return counts.map((count) => BARS[Math.ceil((count / most) * (BARS.length - 1))] ?? '').join('');
}
