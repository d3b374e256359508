import { setTimeout as delay } from 'node:timers/promises';
/** An app that ends more often than this is not worth starting again. */
const MAX_ENDS = 5;
const WITHIN_MS = 60_000;
const PAUSE_MS = 100;
/** Starts an app and keeps it running. */
export function keepApp({ start, signal, log, pauseMs = PAUSE_MS, clock = () => performance.now() }) {
    let app = start(false);
    /** Those that were replaced, and finish what they had begun. */
    const leaving = new Set();
    let isStopping = false;
    const ready = app.ready(signal);
    const keep = async () => {
        const ends = [];
        for (;;) {
            const current = app;
            const how = await current.ended;
            if (current !== app)
                continue;
            const now = clock();
            ends.push(now);
            const count = ends.filter((at) => now - at < WITHIN_MS).length;
            if (count > MAX_ENDS)
                return `the ${app.name} has ended ${count} times within ${WITHIN_MS / 1_000} s (now with ${how})`;
            if (!isStopping)
                log(`the ${app.name} has ended (${how}) and is started again`);
            await delay(pauseMs * count);
            if (isStopping)
                return new Promise(() => undefined);
            if (current !== app)
                continue;
            app = start(false);
            const restarted = app;
            restarted.ready(signal).catch((error) => {
                if (!isStopping)
                    log(textOf(error));
                restarted.kill();
            });
        }
    };
    return {
        ready,
        // What ends before it was ready will not be better the next time.
        failed: ready.then(keep, textOf),
        replacement() {
            const next = start(true);
            return {
                loaded: next.loaded(signal),
                drop: () => next.kill(),
                async takeOver(graceMs) {
                    const before = app;
                    app = next;
                    leaving.add(before);
                    void before.stop(graceMs).finally(() => leaving.delete(before));
                    await next.ready(signal);
                },
            };
        },
        async stop(graceMs) {
            isStopping = true;
            await Promise.all([app, ...leaving].map((each) => each.stop(graceMs)));
        },
        kill: () => {
            for (const each of [app, ...leaving])
                each.kill();
        },
    };
}
function textOf(error) {
    return error instanceof Error ? error.message : String(error);
}
//# sourceMappingURL=kept-app.js.map