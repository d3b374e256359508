/**
 * Looks for a text in the arguments and the results of tasks. Nothing indexes them: the tasks of a filtered range are read one after the
 * other, newest first, up to the limits of one call. So a caller narrows the range with the filter, and continues with the cursor.
 */
import { partOfText } from '../domain/text.js';
import { beginningOf } from '../domain/beginning.js';
import type { Json } from '../domain/json.js';
import type { Outcome } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';
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

/** @throws TaskError `STORE_UNAVAILABLE` */
export async function searchText(store: Pick<TaskStore, 'operators' | 'events'>, search: TextSearch): Promise<TextPage> {
  const needle = search.text.toLowerCase();
  const matches: TextMatch[] = [];
  let { after } = search;
  let [looked, unreadable, bytes] = [0, 0, 0];
  for (let pages = 0; ; pages++) {
    const page = await store.operators.page(search.filter, WIDTH, after);
    const found = new Map<TaskId, TextMatch>();
    await inParallel(page.rows, WIDTH, async ({ taskId }) => {
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
    looked += page.rows.length;
    for (const { taskId, createdAt } of page.rows) {
      const match = found.get(taskId);
      if (match === undefined) continue;
      matches.push(match);
      if (matches.length === search.limit) return { matches, looked, unreadable, next: { taskId, createdAt } };
    }
    if (page.next === undefined) return { matches, looked, unreadable };
    after = page.next;
    // A page may be empty although the index has looked at many rows for it.
    if (bytes >= MAX_BYTES || (pages + 1) * WIDTH >= MAX_TASKS) return { matches, looked, unreadable, next: after };
  }
}

/** The parts of a task that are searched, in this order. */
interface ReadTask {
  readonly view: TaskView;
  readonly parts: readonly (readonly [place: TextPosition, value: Json | undefined])[];
}

async function readTask({ events }: Pick<TaskStore, 'events'>, taskId: TaskId): Promise<ReadTask | undefined> {
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
