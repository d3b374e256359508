/** `/metrics` for Prometheus, on a port of its own that nothing else answers on. */
import { createServer, type ServerResponse } from 'node:http';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MetricReader, type ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { prometheusName } from '../instruments.js';

const PATH = '/metrics';
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Reads metrics when somebody asks for them. */
class ScrapedReader extends MetricReader {
  protected override onForceFlush(): Promise<void> {
    return Promise.resolve();
  }

  protected override onShutdown(): Promise<void> {
    return Promise.resolve();
  }
}

/** @throws Error that names `LONGHAUL_METRICS_PORT` when nothing can listen there */
export async function listenForScrapes({ host, port }: { readonly host: string; readonly port: number }) {
  const reader = new ScrapedReader();
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true);
  const server = createServer((request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
    if (request.url?.split('?')[0] !== PATH) return void response.writeHead(404).end();
    void answer(response);
  });
  const answer = async (response: ServerResponse): Promise<void> => {
    try {
      const { resourceMetrics } = await reader.collect();
      response.writeHead(200, { 'content-type': CONTENT_TYPE }).end(serializer.serialize(named(resourceMetrics)));
    } catch (error) {
      response.writeHead(500).end(`${error instanceof Error ? error.message : String(error)}\n`);
    }
  };
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new Error(`LONGHAUL_METRICS_PORT=${port}: ${error.message}`, { cause: error })));
    server.listen({ host, port }, resolve);
  });
  // Nothing waits for a scrape.
  server.unref();
  return {
    reader,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The serializer leaves out units, which names for Prometheus have. */
function named({ resource, scopeMetrics }: ResourceMetrics): ResourceMetrics {
  return {
    resource,
    scopeMetrics: scopeMetrics.map(({ scope, metrics }) => ({
      scope,
      metrics: metrics.map((metric) => ({
        ...metric,
        descriptor: { ...metric.descriptor, name: prometheusName(metric.descriptor.name, metric.descriptor) },
      })),
    })),
  };
}
