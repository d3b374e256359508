/** Does the work for all items, at most `width` at once. It rejects with the first error, when those that had begun may still go on. */
export async function inParallel(items, width, work) {
    const queue = items.values();
    const lane = async () => {
        for (const item of queue)
            await work(item);
    };
    await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
}
//# sourceMappingURL=in-parallel.js.map