export { COUNTERS, GAUGES, HISTOGRAMS, prometheusName } from './port/instruments.js';
export { openTelemetry } from './open-telemetry.js';
export { telemetrySettings } from './port/telemetry-settings.js';
export { traceContextOf } from './port/trace-context.js';
//# sourceMappingURL=index.js.map