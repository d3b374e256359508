import { isView, readableViews } from './readable-views.js';
export function overviewOf(backend) {
    const { operators, load, pauses } = backend;
    return {
        async standings() {
            const [counts, queue, overdue, paused] = await Promise.all([operators.counts(), load.queue(), load.overdue(), pauses.present()]);
            return { ...counts, queue, overdue, paused };
        },
        workers: () => liveWorkers(backend),
        paused: () => pauses.present(),
        async pause(tool) {
            await pauses.pause(tool);
            return pauses.present();
        },
        async resume(tool) {
            await pauses.resume(tool);
            return pauses.present();
        },
    };
}
async function liveWorkers({ workers, events }) {
    const live = (await workers.live()).toSorted((a, b) => (a.workerId < b.workerId ? -1 : 1));
    const taskIds = [...new Set(live.flatMap(({ running = [] }) => running.map(({ taskId }) => taskId)))];
    const views = (await readableViews(events, taskIds, 'operator')).filter(isView);
    const tools = new Map(views.map(({ taskId, tool }) => [taskId, tool]));
    const withTool = (pass) => {
        const tool = tools.get(pass.taskId);
        return tool === undefined ? pass : { ...pass, tool };
    };
    return live.map((worker) => Object.assign({}, worker, { running: (worker.running ?? []).map(withTool) }));
}
//# sourceMappingURL=operator-overview.js.map