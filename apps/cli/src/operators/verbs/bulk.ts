import type { BulkAction, BulkOperation, MadePage } from '@longhaul/operator';
import type { Given } from '../../command-line/command.js';
import { EXIT } from '../api/exit-codes.js';
import { confirm } from '../command-line/confirm.js';
import { keyOf, reasonOf } from '../command-line/flags.js';
import { age } from '../output/texts.js';
import type { VerbContext } from '../command-line/verb.js';

const BAR = 30;
/** Of the tasks that an operation has made. */
const SHOWN_TASKS = 3;

/** The operation on many tasks, in the words of the API. */
export interface BulkRequest {
  readonly action: BulkAction;
  /** Empty for all tasks. */
  readonly filter: object;
  /** The answer to each question, for the action that answers. */
  readonly answer?: object;
  /** Retries tasks that were retried before. */
  readonly force?: true;
  /** Where the new tasks begin. */
  readonly from?: object;
  /** A JSON merge patch on their arguments. */
  readonly patch?: object;
}

/** Says how many tasks fit a filter, asks, and does it to all of them. @returns the exit code */
export async function changeAll(context: VerbContext, request: BulkRequest): Promise<number> {
  const { api, given, output, signal } = context;
  const { action, filter, force } = request;
  const { matched } = await api.post<{ matched: number }>('/bulk/count', { action, filter, ...(force && { force }) });
  if (given.has('dry-run') || matched === 0) {
    output.say(`${matched} tasks fit`, { matched });
    return 0;
  }
  const reason = reasonOf(given);
  await confirm(`${{ cancel: 'Cancel', retry: 'Retry', answer: 'Answer' }[action]} ${matched} tasks?`, given, signal);
  return followBulk(context, await api.post<BulkOperation>('/bulk', { ...request, ...meantAll(filter, matched), ...keyOf(given), reason }));
}

/** The confirmation that all tasks are meant, and the number of tasks that were shown. */
function meantAll(filter: object, matched: number): object {
  return Object.keys(filter).length === 0 ? { all: true, matched } : {};
}

/** Shows the progress of an operation until it has ended. @returns 1 when it was aborted, or could not be done to all */
export async function followBulk({ api, output, signal }: VerbContext, begun: BulkOperation): Promise<number> {
  let last = begun;
  const bar = output.isTerminal && output.form === 'text';
  output.say(`operation ${begun.id}`);
  for await (const { event, data } of api.events(`/bulk/${begun.id}/events`, {}, signal)) {
    if (event !== 'progress') continue;
    last = data as BulkOperation;
    if (bar) process.stdout.write(`\r${barOf(last)}`);
  }
  if (bar) process.stdout.write('\n');
  const { id, state, done, skipped, failed, made } = last;
  output.say(
    `${state === 'running' ? 'left to other processes' : state}: ${done} done, ${skipped} had changed or were retried, ${failed} failed`,
    last,
  );
  if (made.length > 0)
    output.say(
      `made ${made.length < done || made.length > SHOWN_TASKS ? 'among others ' : ''}${made
        .slice(0, SHOWN_TASKS)
        .map(({ retriedAs }) => retriedAs)
        .join(' ')}; \`bulk made ${id}\` lists all`,
    );
  return state === 'done' && failed === 0 ? EXIT.ok : EXIT.error;
}

/** `bulk list`. */
export async function listBulk({ api, output }: VerbContext): Promise<number> {
  const answer = await api.get<{ operations: readonly BulkOperation[] }>('/bulk');
  output.list(
    answer.operations,
    [
      { title: 'OPERATION', text: ({ id }) => id },
      { title: 'ACTION', text: ({ action }) => action },
      { title: 'STATE', text: ({ state }) => state },
      { title: 'BY', text: ({ who }) => who },
      { title: 'AGE', text: ({ createdAt }) => age(createdAt) },
      { title: 'TASKS', text: ({ matched }) => String(matched) },
      { title: 'DONE', text: ({ done }) => String(done) },
      { title: 'CHANGED', text: ({ skipped }) => String(skipped) },
      { title: 'FAILED', text: ({ failed }) => String(failed) },
    ],
    answer,
  );
  return 0;
}

/** `bulk made`: the tasks that a retry has made, and what became of them. */
export async function listMade({ api, given, output, terminal }: VerbContext): Promise<number> {
  const made: MadePage['made'] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const page: MadePage = await api.get(`/bulk/${operationOf(given)}/made`, {
      limit: 200,
      cursor: cursor === '' ? undefined : cursor,
    });
    made.push(...page.made);
    cursor = page.cursor;
  }
  output.list(
    made,
    [
      { title: 'TASK', text: ({ taskId }) => taskId },
      { title: 'RETRIED AS', text: ({ retriedAs }) => retriedAs },
      { title: 'STATUS', text: ({ status }) => status },
    ],
    { made },
  );
  if (output.form === 'text') terminal.err(countsOf(made));
  return 0;
}

/** `bulk abort`. */
export async function abortBulk({ api, given, output }: VerbContext): Promise<number> {
  const bulk = await api.post<BulkOperation>(`/bulk/${operationOf(given)}/abort`, { reason: reasonOf(given) });
  output.say(`${bulk.id} is ${bulk.state}`, bulk);
  return 0;
}

/** `bulk resume`: continues an operation whose process has died. */
export async function resumeBulk(context: VerbContext): Promise<number> {
  const { api, given } = context;
  return followBulk(context, await api.post<BulkOperation>(`/bulk/${operationOf(given)}/resume`, { reason: reasonOf(given) }));
}

function countsOf(made: MadePage['made']): string {
  const counts = [...Map.groupBy(made, ({ status }) => status)].map(([status, all]) => `${all.length} ${status}`);
  return counts.join(', ') || 'It has made none.';
}

function operationOf({ words: [id = ''] }: Given): string {
  return encodeURIComponent(id);
}

function barOf({ matched, done, skipped, failed }: BulkOperation): string {
  const share = matched === 0 ? 1 : Math.min(1, (done + skipped + failed) / matched);
  const filled = Math.round(share * BAR);
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR - filled)}] ${done + skipped + failed}/${matched}`;
}
