/** Finds the input and the output of an operation in the two events that record it. */
import type { HistoryEvent } from '../../../src/answers.js';

export interface Values {
  readonly input?: unknown;
  readonly output?: unknown;
  readonly error?: unknown;
}

/** Members that the timeline shows in other words. */
const ELSEWHERE = new Set(['key', 'attempt', 'startedAt', 'startedAfter', 'retryAt', 'via', 'taskId', 'tool', 'bond']);

/**
 * @param opening the first event about the operation
 * @param settling the event that settled it; it may be the same. Absent as long as it is open
 */
export function valuesOf(opening: HistoryEvent | undefined, settling: HistoryEvent | undefined): Values {
  const input = opening === undefined || opening.version === settling?.version ? {} : inputOf(opening);
  return { ...input, ...(settling !== undefined && outcomeOf(settling)) };
}

function inputOf({ type, data }: HistoryEvent): Values {
  if (type === 'InputRequested') return { input: data['params'] };
  const rest = restOf(data);
  return type.startsWith('Step') || rest === undefined ? {} : { input: rest };
}

function outcomeOf({ data }: HistoryEvent): Values {
  const { error, value, large, answer, outcome } = data as Record<string, Record<string, unknown> | undefined>;
  if (error !== undefined) return { error };
  if ('value' in data) return { output: value };
  if (large !== undefined) return { output: large };
  for (const wrapped of [answer, outcome]) {
    if (wrapped === undefined) continue;
    if ('error' in wrapped) return { error: wrapped['error'] };
    if ('response' in wrapped) return { output: wrapped['response'] };
    if ('result' in wrapped) return { output: wrapped['result'] };
    return { error: wrapped };
  }
  const rest = restOf(data);
  return rest === undefined ? {} : { output: rest };
}

/** What is left to show; nothing if all of it is shown elsewhere. */
function restOf(data: HistoryEvent['data']): HistoryEvent['data'] | undefined {
  const rest = Object.fromEntries(Object.entries(data).filter(([name]) => !ELSEWHERE.has(name)));
  return Object.keys(rest).length === 0 ? undefined : rest;
}
