export { COUNTERS, GAUGES, HISTOGRAMS, prometheusName } from './port/instruments.js';
export { openTelemetry } from './open-telemetry.js';
export { telemetrySettings } from './port/telemetry-settings.js';
export type { EndedSpan, Metrics, OpenSpan, Telemetry, Traces } from './port/telemetry.js';
export { traceContextOf, type TraceContext } from './port/trace-context.js';
