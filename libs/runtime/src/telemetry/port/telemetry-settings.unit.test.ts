import { describe, expect, it } from 'vitest';
import { telemetrySettings } from './telemetry-settings.js';

const AT = 'http://collector:4318';

describe('what turns telemetry on', () => {
  it('is nothing by itself', () => {
    expect(telemetrySettings({ OTEL_SERVICE_NAME: 'mine', OTEL_TRACES_SAMPLER: 'always_on', LONGHAUL_METRICS_PORT: '' })).toEqual({});
  });

  it('is an address for traces, for metrics or for both', () => {
    expect(telemetrySettings({ OTEL_EXPORTER_OTLP_ENDPOINT: AT })).toEqual({
      traces: {
        protocol: 'http/protobuf',
        sampler: 'parentbased_always_on',
        samplerArgument: 1,
        batches: { delayMs: 1_000, queueSize: 16_384, batchSize: 512 },
      },
      otlpMetrics: { protocol: 'http/protobuf', everyMs: 60_000 },
    });
    expect(Object.keys(telemetrySettings({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: AT }))).toEqual(['traces']);
    expect(Object.keys(telemetrySettings({ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: AT }))).toEqual(['otlpMetrics']);
    expect(Object.keys(telemetrySettings({ OTEL_EXPORTER_OTLP_ENDPOINT: AT, OTEL_METRICS_EXPORTER: 'none' }))).toEqual(['traces']);
  });

  it('is a port to read metrics from, on a loopback address, also where sending is turned off', () => {
    const env = { LONGHAUL_METRICS_PORT: '9464', OTEL_EXPORTER_OTLP_ENDPOINT: AT, OTEL_SDK_DISABLED: 'true' };
    expect(telemetrySettings(env)).toEqual({ metricsAt: { host: '127.0.0.1', port: 9464 } });
  });

  it('names what is wrong and what it may be', () => {
    const env = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_SAMPLER: 'sometimes', OTEL_TRACES_SAMPLER_ARG: '2' };
    expect(() => telemetrySettings(env)).toThrow(
      [
        'OTEL_EXPORTER_OTLP_PROTOCOL=grpc: must be http/protobuf or http/json',
        'OTEL_TRACES_SAMPLER=sometimes: must be one of always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off, parentbased_traceidratio',
        'OTEL_TRACES_SAMPLER_ARG=2: must be a number from 0 to 1',
      ].join('\n'),
    );
  });
});
