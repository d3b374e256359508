/** Tasks that one page of a count looks at. */
const COUNTED_AT_ONCE = 1_000;
/** The next tasks that fit a filter: at least one unless there are no more. */
export async function findTasks(tasks, filter, limit, after) {
    for (let from = after;;) {
        const page = await tasks.list({ filter, limit, after: from });
        // What was imported ran elsewhere: an operator who wants it to run here retries that one task.
        const taskIds = page.tasks.filter(({ view }) => view.isImported !== true).map(({ row }) => row.taskId);
        if (taskIds.length > 0 || page.next === undefined)
            return { taskIds, ...(page.next !== undefined && { next: page.next }) };
        from = page.next;
    }
}
/** How many tasks fit a filter, and the first of them. */
export async function countTasks(tasks, filter, sampleSize) {
    const sample = [];
    let matched = 0;
    for (let after;;) {
        const found = await findTasks(tasks, filter, COUNTED_AT_ONCE, after);
        matched += found.taskIds.length;
        sample.push(...found.taskIds.slice(0, sampleSize - sample.length));
        if (found.next === undefined)
            return { matched, sample };
        after = found.next;
    }
}
//# sourceMappingURL=find-tasks.js.map