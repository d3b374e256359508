const GAP = '  ';

/** The rows as lines with aligned columns. */
export function columnsOf(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => Array.from(row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .map((text, column) => text + ' '.repeat((widths[column] ?? 0) - Array.from(text).length))
      .join(GAP)
      .trimEnd(),
  );
}
