/** Serves `/metrics` for Prometheus, on a port of its own that nothing else answers on. */
import { createServer, type ServerResponse } from 'node:http';
import { diag } from '@opentelemetry/api';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MetricReader, type ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { prometheusName } from '../port/instruments.js';

const PATH = '/metrics';
const RETRY_MS = 1_000;
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Reads metrics when a scrape asks for them. */
class ScrapedReader extends MetricReader {
  protected override onForceFlush(): Promise<void> {
    return Promise.resolve();
  }

  protected override onShutdown(): Promise<void> {
    return Promise.resolve();
  }
}

/**
 * Waits for a taken port; until the port is free, metrics cannot be read. @throws Error that names `LONGHAUL_METRICS_PORT` when listening
 * fails for another reason
 */
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
  let again: NodeJS.Timeout | undefined;
  const listen = (): Promise<void> =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port }, () => {
        server.off('error', reject);
        resolve();
      });
    }).catch((error: NodeJS.ErrnoException) => {
      const problem = `LONGHAUL_METRICS_PORT=${port}: ${error.message}`;
      if (error.code !== 'EADDRINUSE') throw new Error(problem, { cause: error });
      // Usually the port is held by the process that this one replaces, and missing metrics are no reason not to serve.
      diag.warn(`${problem}; it is tried again until the port is free`);
      again = setTimeout(() => void listen().catch((failed: Error) => diag.error(failed.message)), RETRY_MS).unref();
    });
  await listen();
  // A scrape must not keep the process alive.
  server.unref();
  return {
    reader,
    close: async () => {
      clearTimeout(again);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The serializer leaves out units, but Prometheus' names contain them. */
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
