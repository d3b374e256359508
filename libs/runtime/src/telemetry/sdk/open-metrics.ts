import { type BatchObservableCallback, type Meter, type ObservableGauge, ROOT_CONTEXT } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import { type IMetricReader, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { COUNTERS, type GaugeName, GAUGES, HISTOGRAMS, type Instrument } from '../port/instruments.js';
import type { TelemetrySettings } from '../port/telemetry-settings.js';
import type { Metrics, Observed } from '../port/telemetry.js';
import { listenForScrapes } from './metrics-endpoint.js';

const METER = 'longhaul';

/** The metrics of a process. */
export interface Metering {
  readonly provider: MeterProvider;
  readonly metrics: Metrics;
  close(): Promise<void>;
}

/**
 * @returns nothing when metrics are sent nowhere and read nowhere @throws Error that names `LONGHAUL_METRICS_PORT` when nothing can listen
 * there
 */
export async function openMetrics({ otlpMetrics, metricsAt }: TelemetrySettings, resource: Resource): Promise<Metering | undefined> {
  if (otlpMetrics === undefined && metricsAt === undefined) return undefined;
  const endpoint = metricsAt && (await listenForScrapes(metricsAt));
  const pushing = otlpMetrics && (await pushingReader(otlpMetrics));
  const readers = [endpoint?.reader, pushing].filter((reader) => reader !== undefined);
  // Without a view, the SDK keeps and counts everything once for each reader.
  const provider = new MeterProvider({ resource, readers, views: [{ meterName: METER }] });
  return {
    provider,
    metrics: metricsOn(provider.getMeter(METER)),
    async close() {
      await endpoint?.close();
      await provider.shutdown();
    },
  };
}

async function pushingReader({ protocol, everyMs }: NonNullable<TelemetrySettings['otlpMetrics']>): Promise<IMetricReader> {
  const { OTLPMetricExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-metrics-otlp-http')
      : await import('@opentelemetry/exporter-metrics-otlp-proto');
  return new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter(), exportIntervalMillis: everyMs });
}

/** All instruments are made at once, so that each is known from the start. */
function metricsOn(meter: Meter): Metrics {
  const counters = made(COUNTERS, (name, { unit, description }) => meter.createCounter(name, { unit, description }));
  const histograms = made(HISTOGRAMS, (name, { unit, description, buckets = [] }) =>
    meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: [...buckets] } }),
  );
  const gauges = made(GAUGES, (name, { unit, description }) => meter.createObservableGauge(name, { unit, description }));
  return {
    // No measurement depends on the active context, which the SDK would look up otherwise.
    add: (name, value, attributes) => counters[name].add(value, attributes, ROOT_CONTEXT),
    record: (name, value, attributes) => histograms[name].record(value, attributes, ROOT_CONTEXT),
    observe: (names, read) =>
      meter.addBatchObservableCallback(
        observer(gauges, names, read),
        names.map((name) => gauges[name]),
      ),
  };
}

function observer(
  gauges: Readonly<Record<GaugeName, ObservableGauge>>,
  names: readonly GaugeName[],
  read: Parameters<Metrics['observe']>[1],
): BatchObservableCallback {
  return async (result) => {
    // The store is unreachable; the code that needs it reports the outage.
    const values: Observed = await Promise.resolve(read()).catch(() => ({}));
    for (const name of names) {
      const value = values[name] ?? [];
      const measured = typeof value === 'number' ? [{ value, attributes: {} }] : value;
      for (const { value: one, attributes } of measured) result.observe(gauges[name], one, attributes);
    }
  };
}

function made<N extends string, T>(
  table: Readonly<Record<N, Instrument>>,
  make: (name: N, instrument: Instrument) => T,
): Readonly<Record<N, T>> {
  const entries = Object.entries(table) as [N, Instrument][];
  return Object.fromEntries(entries.map(([name, instrument]) => [name, make(name, instrument)])) as Record<N, T>;
}
