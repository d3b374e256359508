import type { ComponentChildren } from 'preact';

/** A column: its heading, and its content for a row. */
export interface Column<T> {
  readonly title: string;
  /** In place of the title. */
  readonly head?: ComponentChildren;
  readonly cell: (row: T) => ComponentChildren;
  readonly isNumber?: boolean;
  /** Sorts by the column, or the other way round. Absent: it cannot be sorted by. */
  readonly sort?: () => void;
  readonly direction?: 'ascending' | 'descending' | 'none';
}

export interface TableProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string | number;
  readonly isCompact?: boolean;
}

const ARROWS = { ascending: ' ▲', descending: ' ▼', none: '' } as const;

/** A table that scrolls by itself if it is wider than the screen. On a telephone, each row is a paragraph. */
export function Table<T>({ label, columns, rows, keyOf, isCompact }: TableProps<T>) {
  return (
    <div class={isCompact === true ? 'table compact' : 'table'} tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.title} {...column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, isNumber }) => (
                <td key={title} class={isNumber === true ? 'number' : ''} data-title={title}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Heading<T>({ title, head, isNumber, sort, direction = 'none' }: Column<T>) {
  return (
    <th scope="col" class={isNumber === true ? 'number' : ''} {...(sort !== undefined && { 'aria-sort': direction })}>
      {sort === undefined ? (
        (head ?? title)
      ) : (
        <button type="button" class="heading" onClick={sort}>
          {title}
          <span aria-hidden="true">{ARROWS[direction]}</span>
        </button>
      )}
    </th>
  );
}
