import { openTelemetry } from '@longhaul/runtime/telemetry';
/** The telemetry of a worker process, or of a process that it has forked. @returns nothing when the settings turn none on */
export function openWorkerTelemetry(settings, instanceId, log) {
    return openTelemetry(settings, { serviceName: 'longhaul-worker', instanceId, log });
}
//# sourceMappingURL=worker-telemetry.js.map