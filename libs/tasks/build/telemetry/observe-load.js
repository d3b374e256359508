/** Has the numbers read whenever metrics are. While the store is away there are none. */
export function observeLoad(gauges, { agenda, load }) {
    gauges.observe(['longhaul.tasks.unfinished', 'longhaul.queue.depth', 'longhaul.queue.oldest', 'longhaul.queue.paused'], async () => {
        const [unfinished, { waiting, setAside, oldestWaitMs = 0 }] = await Promise.all([agenda.count(), load.queue()]);
        return {
            'longhaul.tasks.unfinished': unfinished,
            'longhaul.queue.depth': waiting,
            'longhaul.queue.oldest': oldestWaitMs / 1_000,
            'longhaul.queue.paused': setAside,
        };
    });
}
//# sourceMappingURL=observe-load.js.map