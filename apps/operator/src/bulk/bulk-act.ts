/**
 * Applies a bulk operation to one task. A repeated act finds that it was done before: by its author.
 */
import { omitUndefined } from '@longhaul/mcp-features';
import { type OperatorService, TaskError, type TaskId, taskIdFrom } from '@longhaul/tasks';
import { operatorAnswer, type GivenAnswer, isAnswerable } from '../answers/answer-of.js';
import type { BulkRecord } from './bulk-record.js';
import type { ActVerdict } from './bulk-run.js';

/** The page size of a history in which an earlier act is searched. */
const HISTORY_PAGE_BYTES = 256 * 1024;

/** @throws an error that says why it cannot be done to this task */
export async function act(tasks: OperatorService, record: BulkRecord, taskId: TaskId): Promise<ActVerdict> {
  try {
    switch (record.action) {
      case 'retry':
        return await retry(tasks, record, taskId);
      case 'cancel':
        return await cancel(tasks, record, taskId);
      case 'answer':
        return await answerAll(tasks, record, taskId);
    }
  } catch (error) {
    if (error instanceof TaskError && error.code === 'TASK_NOT_FOUND') return 'skipped';
    throw error;
  }
}

async function retry(tasks: OperatorService, record: BulkRecord, taskId: TaskId): Promise<ActVerdict> {
  const forced = record.force === true ? { force: true, forcedId: taskIdFrom(`longhaul bulk ${record.id} ${taskId}`) } : {};
  try {
    const { from, patch } = record;
    const { taskId: retriedAs } = await tasks.retry(taskId, omitUndefined({ by: authorOf(record), from, patch, ...forced }));
    return { retriedAs };
  } catch (error) {
    if (error instanceof TaskError && error.code === 'ALREADY_RETRIED') return 'skipped';
    throw error;
  }
}

async function cancel(tasks: OperatorService, record: BulkRecord, taskId: TaskId): Promise<ActVerdict> {
  const by = authorOf(record);
  try {
    await tasks.cancel(taskId, { by, reason: record.reason });
    return 'done';
  } catch (error) {
    if (!(error instanceof TaskError) || error.code !== 'TASK_ENDED') throw error;
    const { outcome } = await tasks.get(taskId);
    return outcome?.kind === 'cancelled' && outcome.by === by ? 'done' : 'skipped';
  }
}

/**
 * Answers every question of a task that operators may answer and that was asked before the operation: its author has not seen later ones.
 */
async function answerAll(tasks: OperatorService, record: BulkRecord, taskId: TaskId): Promise<ActVerdict> {
  const via = authorOf(record);
  const { action, content }: GivenAnswer = record.answer ?? { action: 'cancel' };
  const { view } = await tasks.get(taskId);
  let verdict: 'done' | 'skipped' = 'skipped';
  for (const { key, askedAt = 0, ...asked } of view.pendingInputs) {
    if (!isAnswerable(asked) || askedAt > record.createdAt) continue;
    if (await tasks.answer(taskId, key, (input) => operatorAnswer(input, { action, content }), via)) verdict = 'done';
  }
  return verdict === 'done' || (await wasAnswered(tasks, taskId, via)) ? 'done' : 'skipped';
}

async function wasAnswered(tasks: OperatorService, taskId: TaskId, via: string): Promise<boolean> {
  for (let after: number | undefined = 0; after !== undefined;) {
    const { events, next }: Awaited<ReturnType<OperatorService['history']>> = await tasks.history(taskId, after, HISTORY_PAGE_BYTES);
    if (events.some(({ type, data }) => type === 'InputReceived' && data.via === via)) return true;
    after = next;
  }
  return false;
}

/** The author in the record of a task. */
export function authorOf({ who, id }: Pick<BulkRecord, 'who' | 'id'>): string {
  return `operator:${who}/bulk:${id}`;
}
