import { rmSync } from 'node:fs';
import { AFTER_DRAIN_MS, startApp } from '../processes/app-process.js';
import { keepApp } from '../processes/kept-app.js';
/**
 * Gateway and worker as processes of their own, which meet in a data file or in Redis and are started again when they die. What
 * the worker is to do meanwhile waits there.
 *
 * @throws UserError when one of them does not start
 */
export async function serveInKeptProcesses(settings, cleanup, { socketPath, signal, log, observer }) {
    const env = { ...settings.env };
    const common = { env, ...(observer !== undefined && { observer }), ...(socketPath !== undefined && { out: process.stderr }) };
    const apps = [];
    const keep = (start) => {
        const app = keepApp({ start, signal, log });
        apps.push(app);
        return app;
    };
    const graceMs = settings.gateway.drainMs + AFTER_DRAIN_MS;
    cleanup.add(async () => {
        await Promise.all(apps.map((app) => app.stop(graceMs)));
    });
    cleanup.onInsist(() => {
        for (const app of apps)
            app.kill();
    });
    const gateway = keep((takesOver) => {
        // One that was killed has left its file behind; a pipe of Windows is none.
        if (socketPath !== undefined && process.platform !== 'win32')
            rmSync(socketPath, { force: true });
        const args = [...(socketPath === undefined ? [] : [socketPath]), ...(takesOver ? ['--take-over'] : [])];
        return startApp({ ...common, name: 'gateway', args });
    });
    const keepWorker = () => keep(() => startApp({ ...common, env: ofWorker(env), name: 'worker' }));
    const early = socketPath === undefined ? keepWorker() : undefined;
    const [{ url }] = await Promise.all([gateway.ready, early?.ready]);
    if (url === undefined)
        throw new Error('The gateway does not say where it listens.');
    // With port 0 it would listen on another one when it is started again, and its clients would not find it.
    env['PORT'] = new URL(url).port;
    const worker = early ?? keepWorker();
    const reload = (changes) => replaceApps([gateway, worker], env, changes, graceMs);
    return { url, failed: Promise.race([gateway.failed, worker.failed]), reload };
}
/** Both on one machine, they cannot be asked for their metrics at one port: the worker has the next one. */
function ofWorker(env) {
    const port = Number(env['LONGHAUL_METRICS_PORT'] || undefined);
    return Number.isInteger(port) ? { ...env, LONGHAUL_METRICS_PORT: String(port + 1) } : env;
}
/** All of them or none. @throws UserError when one of the new ones cannot load everything */
async function replaceApps(apps, env, changes, graceMs) {
    const before = { ...env };
    Object.assign(env, changes);
    const replacements = apps.map((app) => app.replacement());
    try {
        await Promise.all(replacements.map(({ loaded }) => loaded));
    }
    catch (error) {
        for (const replacement of replacements)
            replacement.drop();
        Object.assign(env, before);
        throw error;
    }
    await Promise.all(replacements.map((replacement) => replacement.takeOver(graceMs)));
}
//# sourceMappingURL=kept-processes.js.map