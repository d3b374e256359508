/**
 * Makes the rows of a timeline: what a task did, as a tree. A row opens in place: a step shows its attempts, a call of another server its
 * parts, and a called task its own timeline, to any depth. The rows follow from the loaded timelines and from what is open.
 */
import type { OperationSpan, TimelinePage } from '../../../src/answers.js';
import { type Bar, barOfCall, barOfPass, barOfWait, barsOfOperation } from './bars.js';

export interface Row {
  /** Unique in the tree. It stays the same while the task goes on. */
  readonly id: string;
  /** From 1, at the top. */
  readonly depth: number;
  readonly name: string;
  /** How it is, in a few words. */
  readonly status: string;
  readonly bars: readonly Bar[];
  /** Absent if there is nothing to open. */
  readonly isOpen?: boolean;
  /** What is shown below an open row before its rows: the input and the output of the operation. */
  readonly shows?: Shown;
  /** Its times belong to another task, and are before this one began. */
  readonly isCopied?: true;
}

/** An operation of a task. */
export interface Shown {
  readonly taskId: string;
  readonly operation: OperationSpan;
}

export interface Tree {
  /** The task at the top. */
  readonly taskId: string;
  /** The timelines that are loaded, by task. */
  readonly pages: ReadonlyMap<string, TimelinePage>;
  /** Ids of the rows that are open. */
  readonly open: ReadonlySet<string>;
  /** Why a timeline could not be loaded, by task. */
  readonly problems: ReadonlyMap<string, string>;
  /** The end of what has not ended, epoch milliseconds. */
  readonly until: number;
}

/** The rows that are seen, from top to bottom. */
export function rowsOf(tree: Tree): readonly Row[] {
  return [...rowsOfTask(tree, { taskId: tree.taskId, path: '', depth: 1, above: [] })];
}

/** The called tasks that open rows show. */
export function shownTasks(rows: readonly Row[]): readonly string[] {
  return rows.flatMap(({ isOpen, shows }) => (isOpen === true ? (shows?.operation.childTaskId ?? []) : []));
}

/** Whether a task goes on: it always has a pass that runs, or a wait that lasts. */
export function goesOn({ passes, waits }: TimelinePage): boolean {
  return [...passes, ...waits].some(({ endedAt }) => endedAt === undefined);
}

/** From when to when rows reach, epoch milliseconds. What was taken over from another task does not count: it may be days older. */
export function spanOf(rows: readonly Row[], from: number, to: number): { readonly from: number; readonly to: number } {
  const bars = rows.flatMap((row) => (row.isCopied === true ? [] : row.bars));
  return { from: Math.min(from, ...bars.map((bar) => bar.from)), to: Math.max(to, ...bars.map((bar) => bar.to)) };
}

/** Where a part of the tree begins. */
interface Place {
  readonly taskId: string;
  /** The beginning of the ids of its rows. */
  readonly path: string;
  readonly depth: number;
  /** The tasks above, which are not shown again below themselves. */
  readonly above: readonly string[];
}

function* rowsOfTask(tree: Tree, place: Place): Generator<Row> {
  const { path, depth } = place;
  const page = tree.pages.get(place.taskId);
  const problem = tree.problems.get(place.taskId);
  if (problem !== undefined) yield { id: `${path}/problem`, depth, name: 'Its timeline', status: problem, bars: [] };
  if (page === undefined) return;
  const { call, operations } = page;
  if (call !== undefined) yield rowOfBar(barOfCall(call), { id: `${path}/call`, depth });
  yield* life(tree, place, page);
  const parts = partsOfCalls(operations);
  for (const operation of operations) if (!parts.has(operation)) yield* rowsOfOperation(tree, place, operation, parts);
}

/** The passes of a task and its waits in between, on one line until it is opened. */
function* life({ open, until }: Tree, { path, depth }: Place, { passes, waits, counts }: TimelinePage): Generator<Row> {
  const id = `${path}/life`;
  const runs = passes.map((pass) => ({ id: `${id}/pass ${pass.version}`, bar: barOfPass(pass, until) }));
  const rests = waits.map((wait) => ({ id: `${id}/wait ${wait.startedAt}`, bar: barOfWait(wait, until) }));
  const all = [...runs, ...rests].toSorted((left, right) => left.bar.from - right.bar.from);
  if (all.length === 0) return;
  const isOpen = open.has(id);
  const status = `${counted(counts.passes, 'pass', 'passes')}, ${counted(counts.waits, 'wait', 'waits')}`;
  yield { id, depth, name: 'Passes and waits', status, bars: all.map(({ bar }) => bar), isOpen };
  if (isOpen) for (const one of all) yield rowOfBar(one.bar, { id: one.id, depth: depth + 1 });
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function rowOfBar(bar: Bar, place: Pick<Row, 'id' | 'depth' | 'isCopied'>): Row {
  return { ...place, name: `${bar.name.charAt(0).toUpperCase()}${bar.name.slice(1)}`, status: bar.text, bars: [bar] };
}

type Parts = ReadonlyMap<OperationSpan, OperationSpan>;

/** What the call of a tool of another server consists of, as `RemoteCall` names it. */
const PART = /^(?:begin|call|question of|look at|wait for|cancel) (\d+)$/;

/** The operations that are parts of calls of other servers, with the call that each belongs to. */
function partsOfCalls(operations: readonly OperationSpan[]): Parts {
  const steps = operations.filter(({ kind }) => kind === 'step');
  // A call that asks is made again with the answer: the first one stands for all.
  const calls = new Map(steps.toReversed().map((operation) => [operation.name, operation]));
  return new Map(
    operations.flatMap((operation) => {
      const [, number = ''] = PART.exec(operation.name) ?? [];
      const call = number === '' ? undefined : calls.get(`call ${number}`);
      return call === undefined || call === operation ? [] : [[operation, call] as const];
    }),
  );
}

const UNSETTLED: ReadonlySet<OperationSpan['status']> = new Set(['running', 'waiting', 'retrying']);

function* rowsOfOperation(tree: Tree, place: Place, operation: OperationSpan, parts: Parts): Generator<Row> {
  const { open, until } = tree;
  const { taskId, path, depth, above } = place;
  const id = `${path}/${operation.version} ${operation.key}`;
  const isOpen = open.has(id);
  const own = [...parts].flatMap(([part, call]) => (call === operation ? [part] : []));
  const bars = [operation, ...own].flatMap((one) => barsOfOperation(one, until));
  const copied = operation.isCopied === true ? { isCopied: true as const } : {};
  const latest = own.findLast(({ status }) => UNSETTLED.has(status)) ?? operation;
  yield { id, depth, name: nameOf(operation), status: statusOf(latest), bars, isOpen, shows: { taskId, operation }, ...copied };
  if (!isOpen) return;
  yield* attempts(operation, { id, depth: depth + 1, until });
  for (const part of own) yield* rowsOfOperation(tree, { ...place, path: id, depth: depth + 1 }, part, new Map());
  const child = operation.childTaskId;
  if (child !== undefined && ![...above, taskId].includes(child))
    yield* rowsOfTask(tree, { taskId: child, path: id, depth: depth + 1, above: [...above, taskId] });
}

/** The attempts of a step, if there is more to see than the step itself. */
function* attempts(operation: OperationSpan, { id, depth, until }: { id: string; depth: number; until: number }): Generator<Row> {
  const { tries, triesLeftOut = 0 } = operation;
  if (tries.length + triesLeftOut < 2) return;
  if (triesLeftOut > 0) yield { id: `${id}/earlier`, depth, name: 'Earlier attempts', status: `${triesLeftOut} are left out`, bars: [] };
  const copied = operation.isCopied === true ? { isCopied: true as const } : {};
  for (const [at, bar] of barsOfOperation(operation, until).entries())
    yield {
      id: `${id}/try ${triesLeftOut + at}`,
      depth,
      name: `Attempt ${tries[at]?.attempt ?? ''}`,
      status: bar.text,
      bars: [bar],
      ...copied,
    };
}

function nameOf({ kind, key, name, childTool }: OperationSpan): string {
  if (kind === 'child') return childTool === undefined || childTool === name ? `child: ${name}` : `child: ${name} (${childTool})`;
  return kind === 'step' ? key : `${kind}: ${name}`;
}

function statusOf({ status, tries, triesLeftOut = 0, isCopied }: OperationSpan): string {
  const count = tries.length + triesLeftOut;
  return [status, count > 1 ? `${count} attempts` : '', isCopied === true ? 'taken over' : ''].filter((part) => part !== '').join(', ');
}
