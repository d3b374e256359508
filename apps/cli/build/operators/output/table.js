const GAP = '  ';
/** The rows as lines whose columns stand below each other. */
export function columnsOf(rows) {
    const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => Array.from(row[column] ?? '').length)));
    return rows.map((row) => row
        .map((text, column) => text + ' '.repeat((widths[column] ?? 0) - Array.from(text).length))
        .join(GAP)
        .trimEnd());
}
//# sourceMappingURL=table.js.map