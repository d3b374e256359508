/**
 * Looks for a text in the arguments and the results of tasks. Nothing indexes them: the tasks of a filtered range are read one after the
 * other, newest first: up to the limits of one call, which says where the next one continues, or all of them, step by step.
 */
import { partOfText } from '../domain/text.js';
import { beginningOf } from '../domain/beginning.js';
import type { Json } from '../domain/json.js';
import type { Outcome } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';
import type { TaskRow } from '../domain/projections/task-row.js';
import type { TaskView } from '../domain/projections/task-view.js';
import { isStoreError } from '../errors.js';
import type { TaskStore } from '../ports/task-store.js';
import type { TaskFilter } from '../ports/operator-index.js';
import type { TaskIndexPosition } from '../ports/task-index.js';
import { inParallel } from '../in-parallel.js';

/** The most that one call reads: tasks, and bytes of their texts. It may exceed them by the tasks that are read at once. */
const MAX_TASKS = 1_000;
const MAX_BYTES = 32 * 1024 * 1024;
/** Tasks that are read at once. */
const WIDTH = 8;
/** How many characters of a text are shown before and after the match. */
const AROUND = 60;

/** What is read. */
type SearchStore = Pick<TaskStore, 'operators' | 'events'>;

/** The search. */
export interface TextSearch {
  /** Upper and lower case are the same. At least one character. */
  readonly text: string;
  /** The tasks that are looked at. */
  readonly filter: TaskFilter;
  /** Tasks that are found, at most. */
  readonly limit: number;
  readonly after?: TaskIndexPosition | undefined;
}

/** Where a text was found: the arguments, the message of an error, the result, or the reason of a cancellation. */
export type TextPosition = 'arguments' | 'error' | 'result' | 'reason';

/** A task that has the text. */
export interface TextMatch {
  readonly view: TaskView;
  readonly place: TextPosition;
  /** The text with what is around it. */
  readonly excerpt: string;
}

/** The result of one call, newest first. */
export interface TextPage {
  readonly matches: readonly TextMatch[];
  /** How many tasks were read, and how many of them could not be read. */
  readonly looked: number;
  readonly unreadable: number;
  /** Where the next call continues; absent when the range was read to its end. */
  readonly next?: TaskIndexPosition;
}

/** What a search has read in one go: the tasks in which it found the text, the newest first. */
export interface TextStep {
  readonly matches: readonly TextMatch[];
  readonly looked: number;
  readonly unreadable: number;
  /** Of the texts that were read. */
  readonly bytes: number;
  /** Where the search continues; absent at the end of the range. */
  readonly next?: TaskIndexPosition;
}

/** Reads the whole range, some tasks at a time. @throws TaskError `STORE_UNAVAILABLE` */
export async function* textSteps(store: SearchStore, { text, filter, after }: Omit<TextSearch, 'limit'>): AsyncGenerator<TextStep> {
  const needle = text.toLowerCase();
  for (let from = after; ;) {
    const { rows, next } = await store.operators.page(filter, WIDTH, from);
    yield { ...(await matchesIn(store, rows, needle)), looked: rows.length, ...(next !== undefined && { next }) };
    if (next === undefined) return;
    from = next;
  }
}

/** Reads up to the limits of one call. @throws TaskError `STORE_UNAVAILABLE` */
export async function searchText(store: SearchStore, { limit, ...search }: TextSearch): Promise<TextPage> {
  const matches: TextMatch[] = [];
  let [looked, unreadable, bytes, steps] = [0, 0, 0, 0];
  for await (const step of textSteps(store, search)) {
    looked += step.looked;
    unreadable += step.unreadable;
    bytes += step.bytes;
    steps += 1;
    matches.push(...step.matches.slice(0, limit - matches.length));
    const last = matches.at(-1)?.view;
    if (matches.length === limit && last !== undefined)
      return { matches, looked, unreadable, next: { taskId: last.taskId, createdAt: last.createdAt } };
    // A step may have read nothing although the index has looked at many rows for it.
    if (step.next !== undefined && (bytes >= MAX_BYTES || steps * WIDTH >= MAX_TASKS))
      return { matches, looked, unreadable, next: step.next };
  }
  return { matches, looked, unreadable };
}

async function matchesIn(
  store: SearchStore,
  rows: readonly TaskRow[],
  needle: string,
): Promise<Pick<TextStep, 'matches' | 'unreadable' | 'bytes'>> {
  const found = new Map<TaskId, TextMatch>();
  let [unreadable, bytes] = [0, 0];
  await inParallel(rows, WIDTH, async ({ taskId }) => {
    try {
      const read = await readTask(store, taskId);
      if (read === undefined) return;
      const match = matchIn(read, needle);
      bytes += match.bytes;
      if (match.found !== undefined) found.set(taskId, match.found);
    } catch (error) {
      if (isStoreError(error)) throw error;
      unreadable += 1;
    }
  });
  return { matches: rows.flatMap(({ taskId }) => found.get(taskId) ?? []), unreadable, bytes };
}

/** The parts of a task that are searched, in this order. */
interface ReadTask {
  readonly view: TaskView;
  readonly parts: readonly (readonly [place: TextPosition, value: Json | undefined])[];
}

async function readTask({ events }: SearchStore, taskId: TaskId): Promise<ReadTask | undefined> {
  const snapshot = await events.readOutcome(taskId, 'operator');
  if (snapshot === undefined) return undefined;
  const [first] = (await events.readPage(taskId, 0, 1)).events;
  return { view: snapshot.view, parts: [['arguments', beginningOf(first)?.task.arguments], partOf(snapshot.outcome)] };
}

function partOf(outcome: Outcome | undefined): [TextPosition, Json | undefined] {
  switch (outcome?.kind) {
    case undefined:
      return ['result', undefined];
    case 'result':
      return ['result', outcome.result];
    case 'error':
      return ['error', [outcome.error.message, outcome.error.data ?? null]];
    case 'cancelled':
      return ['reason', outcome.reason];
  }
}

function matchIn({ view, parts }: ReadTask, needle: string): { readonly found?: TextMatch; readonly bytes: number } {
  let bytes = 0;
  for (const [place, value] of parts)
    for (const text of textsOf(value)) {
      bytes += text.length;
      const at = text.toLowerCase().indexOf(needle);
      if (at !== -1) return { found: { view, place, excerpt: partOfText(text, at - AROUND, at + needle.length + AROUND) }, bytes };
    }
  return { bytes };
}

/** The names and the values of a JSON value, without what JSON makes of them. */
function* textsOf(value: Json | undefined): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'number' || typeof value === 'boolean') yield String(value);
  else if (Array.isArray(value)) for (const item of value) yield* textsOf(item as Json);
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) {
      yield name;
      yield* textsOf(member);
    }
}
