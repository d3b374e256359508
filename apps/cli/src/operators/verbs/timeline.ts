/** Shows the history of a task as a table: its call, passes, operations and waits in the order in which they began. */
import type { CallSpan, OperationSpan, PassSpan, TimelinePage, WaitSpan } from '@longhaul/operator';
import type { OperatorApi } from '../api/operator-api.js';
import type { Column } from '../output/output.js';
import { duration } from '../output/texts.js';

/** A line of the table. */
export interface TimelineRow {
  readonly at: string;
  readonly what: string;
  readonly name: string;
  readonly status: string;
  readonly took?: string;
  readonly note?: string;
}

const PAGE = 2_000;

/** All of it, page by page. */
export async function timelineOf(api: OperatorApi, taskId: string): Promise<Omit<TimelinePage, 'next'>> {
  const all = { passes: [] as PassSpan[], operations: [] as OperationSpan[], waits: [] as WaitSpan[] };
  for (let offset: number | undefined = 0; ;) {
    const page: TimelinePage = await api.get(`/tasks/${taskId}/timeline`, { offset, limit: PAGE });
    all.passes.push(...page.passes);
    all.operations.push(...page.operations);
    all.waits.push(...page.waits);
    offset = page.next;
    if (offset === undefined) return { ...all, ...(page.call !== undefined && { call: page.call }), counts: page.counts };
  }
}

/** The end of it: the last spans of each kind, and how many there are of all. */
export function timelineEnd(api: OperatorApi, taskId: string, last: number): Promise<Omit<TimelinePage, 'next'>> {
  return api.get(`/tasks/${taskId}/timeline`, { last });
}

export const TIMELINE_COLUMNS: readonly Column<TimelineRow>[] = [
  { title: 'BEGAN', text: ({ at }) => at },
  { title: 'WHAT', text: ({ what }) => what },
  { title: 'NAME', text: ({ name }) => name },
  { title: 'STATUS', text: ({ status }) => status },
  { title: 'TOOK', text: ({ took }) => took },
  { title: 'NOTE', width: 80, text: ({ note }) => note },
];

/** The lines of a timeline. Entries without a recorded beginning come first. */
export function timelineRows({ passes, operations, waits, call }: Omit<TimelinePage, 'counts' | 'next'>): readonly TimelineRow[] {
  const calls = call === undefined ? [] : [rowOfCall(call)];
  const rows = [...calls, ...passes.map(rowOfPass), ...operations.map(rowOfOperation), ...waits.map(rowOfWait)];
  // The sort is stable, and a pass begins before what it does.
  return rows.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

function rowOfPass({ pass, attempt, workerId, startedAt, endedAt, ending, error }: PassSpan): TimelineRow {
  return row(startedAt, endedAt, {
    what: 'pass',
    name: `${pass}, attempt ${attempt}`,
    status: ending ?? 'running',
    note: [workerId, textOf(error)],
  });
}

function rowOfOperation({ key, kind, status, startedAt = '', settledAt, tries, isCopied }: OperationSpan): TimelineRow {
  const lost = tries.filter(({ isLost }) => isLost === true).length;
  const notes = [
    tries.length > 1 ? `${tries.length} tries` : undefined,
    lost > 0 ? `${lost} lost` : undefined,
    isCopied === true ? 'taken over' : undefined,
    textOf(tries.at(-1)?.error),
  ];
  return row(startedAt, settledAt, { what: kind, name: key, status, note: notes });
}

function rowOfWait({ reason, keys, startedAt, endedAt }: WaitSpan): TimelineRow {
  return row(startedAt, endedAt, { what: 'wait', name: keys.join(', '), status: reason, note: [] });
}

function rowOfCall({ because, how, reason, client = '', startedAt, endedAt }: CallSpan): TimelineRow {
  return row(startedAt, endedAt, { what: 'call', name: client, status: because, note: [how, reason] });
}

interface RowParts {
  readonly what: string;
  readonly name: string;
  readonly status: string;
  readonly note: readonly (string | undefined)[];
}

function row(at: string, end: string | undefined, { note, ...rest }: RowParts): TimelineRow {
  const took = at === '' || end === undefined ? {} : { took: duration(Date.parse(end) - Date.parse(at)) };
  const notes = note.filter((text) => text !== undefined).join('; ');
  return { at, ...rest, ...took, ...(notes !== '' && { note: notes }) };
}

function textOf(error: PassSpan['error']): string | undefined {
  return error && `${error.name}: ${error.message}`;
}
