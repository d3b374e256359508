/** `TaskLoad` in memory. */
export function createMemoryTaskLoad(queue, agenda) {
    return { queue: async () => queue.depth(), overdue: async () => agenda.overdue() };
}
//# sourceMappingURL=task-load.js.map