/** Reads how a list is shown: columns, order and density are parts of the address, like the filter, so that a view can be sent to others. */
import type { ListQuery } from './filter-form.js';

/** The columns that a list may have, in their order. */
export const COLUMN_IDS = [
  'status',
  'tool',
  'standing',
  'owner',
  'version',
  'created',
  'lasts',
  'ended',
  'attempt',
  'trace',
  'id',
] as const;

export type ColumnId = (typeof COLUMN_IDS)[number];

/** The columns of a list whose address names none. */
const USUAL: readonly ColumnId[] = ['status', 'tool', 'standing', 'owner', 'version', 'created', 'lasts'];

export interface ViewOptions {
  readonly columns: readonly ColumnId[];
  /** The column that rows are sorted by. Absent: newest first. */
  readonly sort?: ColumnId | undefined;
  readonly isDescending: boolean;
  readonly isCompact: boolean;
}

/** Unknown columns are left out. */
export function optionsFrom({ columns, sort = '', rows }: ListQuery): ViewOptions {
  const named = columns?.split(',') ?? USUAL;
  const by = sort.replace(/^-/, '');
  return {
    columns: COLUMN_IDS.filter((id) => named.includes(id)),
    sort: COLUMN_IDS.find((id) => id === by),
    isDescending: sort.startsWith('-'),
    isCompact: rows === 'compact',
  };
}

/** The members of an address that say how a list is shown. */
export function optionMembers({ columns, sort, rows }: ListQuery): Record<string, string | undefined> {
  return { columns, sort, rows };
}

/** The address of the columns; absent for the usual ones. */
export function columnsText(columns: readonly ColumnId[]): string | undefined {
  const text = COLUMN_IDS.filter((id) => columns.includes(id)).join(',');
  return text === USUAL.join(',') ? undefined : text;
}

/** A click on a heading sorts upwards, then downwards, then newest first again. */
export function nextSort(id: ColumnId, { sort, isDescending }: ViewOptions): string | undefined {
  if (sort !== id) return id;
  return isDescending ? undefined : `-${id}`;
}
