export { COUNTERS, GAUGES, HISTOGRAMS, prometheusName } from './instruments.js';
export { openTelemetry } from './open-telemetry.js';
export { telemetrySettings } from './settings.js';
export type { EndedSpan, Metrics, OpenSpan, Telemetry, Traces } from './telemetry.js';
export { traceContextOf, type TraceContext } from './trace-context.js';
