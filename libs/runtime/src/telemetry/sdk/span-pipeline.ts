import { createOtlpHttpExportDelegate, convertLegacyHttpOptions } from '@opentelemetry/otlp-exporter-base/node-http';
import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import { TraceExporterMetricsHelper } from '@opentelemetry/otlp-transformer';
import type { Resource } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace';
import type { TelemetrySettings } from '../port/telemetry-settings.js';
import type { EndedSpan } from '../port/telemetry.js';
import { SpanEncoder } from './encoded-spans.js';
import { readableSpan } from './readable-span.js';

type TracesSettings = NonNullable<TelemetrySettings['traces']>;

/** Where spans are collected and sent from. */
export interface SpanPipeline {
  readonly processor: SpanProcessor;
  /** Makes of a span of Longhaul's own, which is sampled, what the processor takes. */
  readonly spanFor: (span: EndedSpan) => ReadableSpan;
}

/** Collects spans and sends them. Where to, with which headers, compression and patience, its exporter reads from `OTEL_EXPORTER_OTLP_*`. */
export async function spanPipeline({ protocol, batches }: TracesSettings, resource: Resource): Promise<SpanPipeline> {
  const { exporter, spanFor } = protocol === 'http/json' ? await asJson(resource) : asProtobuf(resource);
  const processor = new BatchSpanProcessor({
    exporter,
    scheduledDelayMillis: batches.delayMs,
    maxQueueSize: batches.queueSize,
    maxExportBatchSize: batches.batchSize,
  });
  return { processor, spanFor };
}

type Exporting = Pick<SpanPipeline, 'spanFor'> & { readonly exporter: SpanExporter };

async function asJson(resource: Resource): Promise<Exporting> {
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  return { exporter: new OTLPTraceExporter(), spanFor: (span) => readableSpan(span, resource) };
}

function asProtobuf(resource: Resource): Exporting {
  const encoder = new SpanEncoder(resource);
  const options = convertLegacyHttpOptions({}, 'TRACES', 'v1/traces', { 'Content-Type': 'application/x-protobuf' });
  const delegate = createOtlpHttpExportDelegate(options, encoder, 'otlp_http_span_exporter', TraceExporterMetricsHelper, undefined);
  return { exporter: new OTLPExporterBase<ReadableSpan[]>(delegate), spanFor: (span) => encoder.encode(span) };
}
