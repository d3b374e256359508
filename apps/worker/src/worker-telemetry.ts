import { openTelemetry, type Telemetry } from '@longhaul/runtime/telemetry';
import type { Logger } from 'pino';

/** The telemetry of a worker process, or of a process that it has forked. @returns nothing when the settings turn it off */
export function openWorkerTelemetry(
  settings: Parameters<typeof openTelemetry>[0],
  instanceId: string,
  log: Pick<Logger, 'warn'>,
): Promise<Telemetry | undefined> {
  return openTelemetry(settings, { serviceName: 'longhaul-worker', instanceId, log });
}
