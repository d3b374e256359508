import { BatchSpanProcessor, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace';
import type { TelemetrySettings } from '../port/telemetry-settings.js';

/** Collects spans and sends them. Its exporter reads the address, headers, compression and time limit from `OTEL_EXPORTER_OTLP_*`. */
export async function spanProcessor({ protocol, batches }: NonNullable<TelemetrySettings['traces']>): Promise<SpanProcessor> {
  return new BatchSpanProcessor({
    exporter: await exporterFor(protocol),
    scheduledDelayMillis: batches.delayMs,
    maxQueueSize: batches.queueSize,
    maxExportBatchSize: batches.batchSize,
  });
}

async function exporterFor(protocol: 'http/protobuf' | 'http/json'): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter();
}
