/** What one reply of a store carries of a history, bytes, if not a single event is larger. */
const PAGE_BYTES = 1024 * 1024;
/** All events after a version, page by page: nobody has to hold more than he keeps, and a page. */
export async function* historyPages(events, taskId, afterVersion = 0) {
    for (let version = afterVersion;;) {
        const page = await events.readPage(taskId, version, PAGE_BYTES);
        ({ version } = page);
        yield page.events;
        if (page.isLast)
            return;
    }
}
/** All events after a version, in order; empty for a missing or expired task. */
export async function readHistory(events, taskId, afterVersion) {
    const read = [];
    for await (const page of historyPages(events, taskId, afterVersion))
        read.push(...page);
    return read;
}
//# sourceMappingURL=read-history.js.map