/** The members of a row that a filter may name, but for its status and its time; those first that few rows share. */
export const NAMED = ['owner', 'reason', 'version', 'tool'];
/** Whether a row fits all of a filter. */
export function fits(row, filter) {
    const { status, createdFrom = Number.NEGATIVE_INFINITY, createdBefore = Number.POSITIVE_INFINITY } = filter;
    if (status !== undefined && !status.includes(row.status))
        return false;
    if (row.createdAt < createdFrom || row.createdAt >= createdBefore)
        return false;
    return NAMED.every((name) => filter[name] === undefined || filter[name] === row[name]);
}
//# sourceMappingURL=row-filter.js.map