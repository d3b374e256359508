/** What a page holds at most. */
const PAGE = 200;
/** Entries of a list, page by page, up to `limit`. */
export async function* entriesOf(api, { path, query, name }, limit = Infinity) {
    let left = limit;
    for (let cursor; left > 0;) {
        const page = await api.get(path, { ...query, cursor, limit: Math.min(PAGE, left) });
        const entries = (page[name] ?? []).slice(0, left);
        yield* entries;
        left -= entries.length;
        ({ cursor } = page);
        if (cursor === undefined)
            return;
    }
}
/** The same as a list. */
export async function listed(api, request, limit) {
    const found = [];
    for await (const entry of entriesOf(api, request, limit))
        found.push(entry);
    return found;
}
//# sourceMappingURL=pages.js.map