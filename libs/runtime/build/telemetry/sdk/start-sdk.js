/** OpenTelemetry's SDK as this process uses it. Nothing but `open-telemetry.ts` loads this folder. */
import { context, diag, DiagLogLevel, metrics as metricsApi, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { within } from '../../within.js';
import { openMetrics } from './open-metrics.js';
import { watchRedis } from './redis-latency.js';
import { samplerOf } from './sampler-of.js';
import { spanProcessor } from './span-processor.js';
import { SdkTraces } from './sdk-traces.js';
import { continueTraces } from './outgoing-requests.js';
/** The SDK repeats a warning with each batch that a collector does not take. */
const WARNING_MS = 60_000;
/** How long a process that ends tries to send what is left. */
const CLOSE_MS = 3_000;
/** @throws Error that names `LONGHAUL_METRICS_PORT` when nothing can listen there */
export async function startSdk(settings, reporting) {
    logWarnings(reporting);
    const resource = resourceOf(reporting);
    const metering = await openMetrics(settings, resource);
    const closing = [];
    if (metering !== undefined) {
        metricsApi.setGlobalMeterProvider(metering.provider);
        closing.push(watchRedis(metering.metrics), () => metering.close());
    }
    const traces = settings.traces && (await openTraces(settings.traces, resource, closing));
    return {
        ...(traces !== undefined && { traces }),
        ...(metering !== undefined && { metrics: metering.metrics }),
        async close() {
            const closed = Promise.allSettled(closing.map(async (end) => end()));
            // A collector that is away must not keep the process from ending.
            await within(CLOSE_MS, closed, () => undefined);
        },
    };
}
async function openTraces(settings, resource, closing) {
    const processor = await spanProcessor(settings);
    const sampler = samplerOf(settings);
    // For what tools do with OpenTelemetry's API by themselves: within a step, their spans are that step's.
    const provider = new TracerProvider({ resource, sampler, spanProcessors: [processor] });
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }));
    trace.setGlobalTracerProvider(provider);
    closing.push(continueTraces(), () => provider.shutdown());
    return new SdkTraces(processor, sampler, resource);
}
/** What `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME` say counts before what the process says of itself. */
function resourceOf({ serviceName, serviceVersion, instanceId }) {
    const own = resourceFromAttributes({
        'service.name': serviceName,
        'service.instance.id': instanceId,
        ...(serviceVersion !== undefined && { 'service.version': serviceVersion }),
    });
    return defaultResource()
        .merge(own)
        .merge(detectResources({ detectors: [envDetector] }));
}
function logWarnings({ log }) {
    let silentUntil = 0;
    const warn = (message, ...details) => {
        if (performance.now() < silentUntil)
            return;
        silentUntil = performance.now() + WARNING_MS;
        log.warn({ ...(details.length > 0 && { details: details.map(String) }) }, `telemetry: ${message}`);
    };
    const silent = () => undefined;
    diag.setLogger({ error: warn, warn, info: silent, debug: silent, verbose: silent }, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
//# sourceMappingURL=start-sdk.js.map