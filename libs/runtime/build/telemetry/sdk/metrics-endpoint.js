/** `/metrics` for Prometheus, on a port of its own that nothing else answers on. */
import { createServer } from 'node:http';
import { diag } from '@opentelemetry/api';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MetricReader } from '@opentelemetry/sdk-metrics';
import { prometheusName } from '../port/instruments.js';
const PATH = '/metrics';
const RETRY_MS = 1_000;
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
/** Reads metrics when somebody asks for them. */
class ScrapedReader extends MetricReader {
    onForceFlush() {
        return Promise.resolve();
    }
    onShutdown() {
        return Promise.resolve();
    }
}
/** A port that is taken is waited for, and meanwhile nobody can read. @throws Error that names `LONGHAUL_METRICS_PORT` when it cannot be listened on for another reason */
export async function listenForScrapes({ host, port }) {
    const reader = new ScrapedReader();
    const serializer = new PrometheusSerializer(undefined, false, undefined, false, true);
    const server = createServer((request, response) => {
        if (request.method !== 'GET' && request.method !== 'HEAD')
            return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
        if (request.url?.split('?')[0] !== PATH)
            return void response.writeHead(404).end();
        void answer(response);
    });
    const answer = async (response) => {
        try {
            const { resourceMetrics } = await reader.collect();
            response.writeHead(200, { 'content-type': CONTENT_TYPE }).end(serializer.serialize(named(resourceMetrics)));
        }
        catch (error) {
            response.writeHead(500).end(`${error instanceof Error ? error.message : String(error)}\n`);
        }
    };
    let again;
    const listen = () => new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host, port }, () => {
            server.off('error', reject);
            resolve();
        });
    }).catch((error) => {
        const problem = `LONGHAUL_METRICS_PORT=${port}: ${error.message}`;
        if (error.code !== 'EADDRINUSE')
            throw new Error(problem, { cause: error });
        // As a rule it is the process that this one takes the place of, and metrics are no reason not to serve.
        diag.warn(`${problem}; it is tried again until the port is free`);
        again = setTimeout(() => void listen().catch((failed) => diag.error(failed.message)), RETRY_MS).unref();
    });
    await listen();
    // Nothing waits for a scrape.
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
/** The serializer leaves out units, which names for Prometheus have. */
function named({ resource, scopeMetrics }) {
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
//# sourceMappingURL=metrics-endpoint.js.map