import { ROOT_CONTEXT } from '@opentelemetry/api';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { COUNTERS, GAUGES, HISTOGRAMS } from '../port/instruments.js';
import { listenForScrapes } from './metrics-endpoint.js';
const METER = 'longhaul';
/** @returns nothing when metrics go nowhere @throws Error that names `LONGHAUL_METRICS_PORT` when nothing can listen there */
export async function openMetrics({ otlpMetrics, metricsAt }, resource) {
    if (otlpMetrics === undefined && metricsAt === undefined)
        return undefined;
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
async function pushingReader({ protocol, everyMs }) {
    const { OTLPMetricExporter } = protocol === 'http/json'
        ? await import('@opentelemetry/exporter-metrics-otlp-http')
        : await import('@opentelemetry/exporter-metrics-otlp-proto');
    return new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter(), exportIntervalMillis: everyMs });
}
/** All instruments are made at once, so that each is known from the start. */
function metricsOn(meter) {
    const counters = made(COUNTERS, (name, { unit, description }) => meter.createCounter(name, { unit, description }));
    const histograms = made(HISTOGRAMS, (name, { unit, description, buckets = [] }) => meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: [...buckets] } }));
    const gauges = made(GAUGES, (name, { unit, description }) => meter.createObservableGauge(name, { unit, description }));
    return {
        // No measurement depends on what is active, which the SDK looks up otherwise.
        add: (name, value, attributes) => counters[name].add(value, attributes, ROOT_CONTEXT),
        record: (name, value, attributes) => histograms[name].record(value, attributes, ROOT_CONTEXT),
        observe: (names, read) => meter.addBatchObservableCallback(observer(gauges, names, read), names.map((name) => gauges[name])),
    };
}
function observer(gauges, names, read) {
    return async (result) => {
        // The store is away, and those who need it say so.
        const values = await Promise.resolve(read()).catch(() => ({}));
        for (const name of names) {
            const value = values[name];
            if (value !== undefined)
                result.observe(gauges[name], value);
        }
    };
}
function made(table, make) {
    const entries = Object.entries(table);
    return Object.fromEntries(entries.map(([name, instrument]) => [name, make(name, instrument)]));
}
//# sourceMappingURL=open-metrics.js.map