/**
 * Opens what the settings turn on.
 *
 * @returns nothing when that is nothing
 * @throws Error that names `LONGHAUL_METRICS_PORT` when nothing can listen there
 */
export async function openTelemetry(settings, reporting) {
    if (settings.traces === undefined && settings.otlpMetrics === undefined && settings.metricsAt === undefined)
        return undefined;
    const { startSdk } = await import('./sdk/start-sdk.js');
    return startSdk(settings, reporting);
}
//# sourceMappingURL=open-telemetry.js.map