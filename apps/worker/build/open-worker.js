import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { WorkerLease } from '@longhaul/tasks';
import { deploymentVersion } from './deployment-version.js';
import { shutDown } from './shutdown.js';
import { takeJobs } from './take-jobs.js';
/** An id that no other worker has, which says where the worker runs. */
export function newWorkerId() {
    return `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
}
/**
 * The only place that puts a worker together. It answers health checks if it is configured to, then takes jobs: each is one
 * pass of one task.
 */
export async function openWorker({ backend, config, features, logger, ...parts }) {
    const { workerId = newWorkerId(), lease = new WorkerLease(), trials, held, onMisfit, telemetry } = parts;
    const { version = deploymentVersion(features) } = config;
    let phase = 'starting';
    // Before it takes jobs: where it cannot listen it does not start, and no task has to notice.
    const closeHealth = await answerHealthChecks(config, { phase: () => phase, ping: () => backend.ping() });
    const taking = await takeJobs({ backend, config, features, logger, workerId, version, lease, trials, held, onMisfit, telemetry }).catch(async (error) => {
        await closeHealth();
        throw error;
    });
    phase = 'taking jobs';
    logger.info({ workerId, version, concurrency: config.concurrency }, 'taking jobs');
    const stop = async (suspects) => {
        phase = 'draining';
        await shutDown({ ...taking, drainMs: config.drainMs, suspects, logger, ...(trials !== undefined && { trials }) });
        await closeHealth();
    };
    let stopping;
    return {
        stop: ({ suspects } = { suspects: false }) => (stopping ??= stop(suspects)),
        leave: () => taking.presence.leave(),
    };
}
/** @returns what ends that */
async function answerHealthChecks({ host, healthPort }, health) {
    if (healthPort === undefined)
        return async () => undefined;
    // Loaded only here: a worker without that port starts sooner.
    const { buildHealth, listenForHealthChecks } = await import('./health.js');
    const server = buildHealth(health);
    await listenForHealthChecks(server, host, healthPort);
    return () => server.close();
}
//# sourceMappingURL=open-worker.js.map