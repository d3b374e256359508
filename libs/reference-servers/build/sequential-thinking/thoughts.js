const EMPTY = { thoughts: 0, branches: [] };
/** Threads that an owner has; the one that began first gives way to a new one. */
const MAX_THREADS = 1_000;
const MAX_BRANCHES = 1_000;
const MAX_BYTES = 1024 * 1024;
/** Where nobody is known whose thoughts they could be, each one stands alone. */
const UNNAMED = 'default';
/**
 * Adds a thought to its thread: the one that is named, else that of the session, else one that all calls of the caller share.
 *
 * @returns the thread with the thought
 */
export async function remember(thought, name, { owner, session }) {
    if (owner === undefined)
        return added(EMPTY, thought);
    const threads = owner.collection('longhaul/sequential-thinking', { maxBytes: MAX_BYTES });
    return addTo(threads, name === undefined ? (session?.id ?? UNNAMED) : `thread ${name}`, thought);
}
function addTo(threads, id, thought) {
    return threads.update((records) => {
        const present = records.get(id);
        const thread = added(present === undefined ? EMPTY : threadOf(present), thought);
        const [oldest] = present === undefined && records.size >= MAX_THREADS ? records.keys() : [];
        const changes = [{ id, value: { ...thread } }, ...(oldest === undefined ? [] : [{ id: oldest }])];
        return { changes, result: thread };
    });
}
function threadOf(record) {
    return record;
}
function added({ thoughts, branches }, { branch }) {
    const isNew = branch !== undefined && !branches.includes(branch);
    return { thoughts: thoughts + 1, branches: isNew ? [...branches, branch].slice(0, MAX_BRANCHES) : branches };
}
//# sourceMappingURL=thoughts.js.map