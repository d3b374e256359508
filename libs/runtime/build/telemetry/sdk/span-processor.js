import { BatchSpanProcessor } from '@opentelemetry/sdk-trace';
/** Collects spans and sends them. Where to, with which headers, compression and patience, its exporter reads from `OTEL_EXPORTER_OTLP_*`. */
export async function spanProcessor({ protocol, batches }) {
    return new BatchSpanProcessor({
        exporter: await exporterFor(protocol),
        scheduledDelayMillis: batches.delayMs,
        maxQueueSize: batches.queueSize,
        maxExportBatchSize: batches.batchSize,
    });
}
async function exporterFor(protocol) {
    const { OTLPTraceExporter } = protocol === 'http/json'
        ? await import('@opentelemetry/exporter-trace-otlp-http')
        : await import('@opentelemetry/exporter-trace-otlp-proto');
    return new OTLPTraceExporter();
}
//# sourceMappingURL=span-processor.js.map