/** Opens telemetry; the SDK is loaded only here, and only if a setting asks for it. */
import type { TelemetrySettings } from './port/telemetry-settings.js';
import type { ReportingProcess, Telemetry } from './port/telemetry.js';

/**
 * Opens what the settings turn on.
 *
 * @returns nothing when the settings turn nothing on
 * @throws Error that names `LONGHAUL_METRICS_PORT` when nothing can listen there
 */
export async function openTelemetry(settings: TelemetrySettings, reporting: ReportingProcess): Promise<Telemetry | undefined> {
  if (settings.traces === undefined && settings.otlpMetrics === undefined && settings.metricsAt === undefined) return undefined;
  const { startSdk } = await import('./sdk/start-sdk.js');
  return startSdk(settings, reporting);
}
