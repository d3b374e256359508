/** The one way to telemetry: the SDK is loaded here, and only if a setting asks for it. */
import type { TelemetrySettings } from './settings.js';
import type { Telemetry } from './telemetry.js';

/** Which process it is. */
export interface ReportingProcess {
  /** Its name if `OTEL_SERVICE_NAME` does not say another, such as `longhaul-worker`. */
  readonly serviceName: string;
  readonly serviceVersion?: string;
  /** Which one of several it is. */
  readonly instanceId: string;
  /** Takes what goes wrong with sending. */
  readonly log: { warn(fields: object, message: string): void };
}

/**
 * Opens what the settings turn on.
 *
 * @returns nothing when that is nothing
 * @throws Error that names `LONGHAUL_METRICS_PORT` when nothing can listen there
 */
export async function openTelemetry(settings: TelemetrySettings, reporting: ReportingProcess): Promise<Telemetry | undefined> {
  if (settings.traces === undefined && settings.otlpMetrics === undefined && settings.metricsAt === undefined) return undefined;
  const { startSdk } = await import('./sdk/start-sdk.js');
  return startSdk(settings, reporting);
}
