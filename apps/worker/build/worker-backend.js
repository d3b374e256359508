import { openBackend } from '@longhaul/sessions';
/** The backend of a worker, or of a process that it forked, as the environment describes it. */
export function openWorkerBackend(config, logger) {
    const { keepContinuedMs } = config;
    return openBackend(config, { role: 'worker', keepContinuedMs, onError: (error) => logger.error({ err: error }, 'store') });
}
//# sourceMappingURL=worker-backend.js.map