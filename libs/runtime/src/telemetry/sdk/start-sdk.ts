/** Starts OpenTelemetry's SDK for this process. Only `open-telemetry.ts` loads this folder. */
import { context, diag, DiagLogLevel, metrics as metricsApi, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import { defaultResource, detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { within } from '../../within.js';
import type { TelemetrySettings } from '../port/telemetry-settings.js';
import type { ReportingProcess, Telemetry } from '../port/telemetry.js';
import { openMetrics } from './open-metrics.js';
import { continueTraces } from './outgoing-requests.js';
import { watchRedis } from './redis-latency.js';
import { SdkTraces } from './sdk-traces.js';
import { spanProcessor } from './span-processor.js';

/** The SDK repeats a warning with each batch that a collector does not accept. */
const WARNING_MS = 60_000;

/** How long an ending process tries to send the rest. */
const CLOSE_MS = 3_000;

/** @throws Error that names `LONGHAUL_METRICS_PORT` when nothing can listen there */
export async function startSdk(settings: TelemetrySettings, reporting: ReportingProcess): Promise<Telemetry> {
  logWarnings(reporting);
  const resource = resourceOf(reporting);
  const metering = await openMetrics(settings, resource);
  const closing: (() => Promise<void> | void)[] = [];
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
      // An unreachable collector must not keep the process from ending.
      await within(CLOSE_MS, closed, () => undefined);
    },
  };
}

async function openTraces(
  settings: NonNullable<TelemetrySettings['traces']>,
  resource: Resource,
  closing: (() => Promise<void> | void)[],
): Promise<SdkTraces> {
  const processor = await spanProcessor(settings);
  const sampler = samplerOf(settings);
  // Tools may use OpenTelemetry's API by themselves: within a step, their spans become children of the step's span.
  const provider = new TracerProvider({ resource, sampler, spanProcessors: [processor] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }));
  trace.setGlobalTracerProvider(provider);
  closing.push(continueTraces(), () => provider.shutdown());
  return new SdkTraces(processor, sampler, resource);
}

/** `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME` override the defaults of the process. */
function resourceOf({ serviceName, serviceVersion, instanceId }: ReportingProcess): Resource {
  const own = resourceFromAttributes({
    'service.name': serviceName,
    'service.instance.id': instanceId,
    ...(serviceVersion !== undefined && { 'service.version': serviceVersion }),
  });
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
}

function logWarnings({ log }: ReportingProcess): void {
  let silentUntil = 0;
  const warn = (message: string, ...details: unknown[]): void => {
    if (performance.now() < silentUntil) return;
    silentUntil = performance.now() + WARNING_MS;
    log.warn({ ...(details.length > 0 && { details: details.map(String) }) }, `telemetry: ${message}`);
  };
  const silent = (): void => undefined;
  diag.setLogger(
    { error: warn, warn, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}

const PARENT_BASED = 'parentbased_';

/** The sampler that `OTEL_TRACES_SAMPLER` names. All samplers decide alike in every process. */
function samplerOf({ sampler, samplerArgument }: NonNullable<TelemetrySettings['traces']>): Sampler {
  if (sampler.startsWith(PARENT_BASED)) return new ParentBasedSampler({ root: plain(sampler.slice(PARENT_BASED.length), samplerArgument) });
  return plain(sampler, samplerArgument);
}

function plain(sampler: string, ratio: number): Sampler {
  if (sampler === 'always_off') return new AlwaysOffSampler();
  return sampler === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}
