/** Runs a minimal OpenTelemetry collector: it receives spans and metrics as JSON over HTTP, and keeps them. */
import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string; readonly boolValue?: boolean };
}

interface SentSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly attributes?: readonly Attribute[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status?: { readonly code?: number; readonly message?: string };
}

interface SentTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

/** A span as tests look at it. */
export interface CollectedSpan extends Omit<SentSpan, 'attributes' | 'links'> {
  /** Which process has sent it. */
  readonly instance: string;
  readonly service: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
}

/** The received data. */
export interface Collector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** All of it as it came, with resources, events and what no test looks at one by one. */
  readonly received: readonly string[];
  /** Names of the metrics. */
  readonly metrics: ReadonlySet<string>;
  close(): Promise<void>;
}

export async function openCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const received: string[] = [];
  const metrics = new Set<string>();
  const take = async (request: IncomingMessage): Promise<void> => {
    const body = await text(request);
    received.push(body);
    if (request.url === '/v1/traces') spans.push(...spansOf(JSON.parse(body) as SentTraces));
    else for (const [, name = ''] of body.matchAll(/"name":"([a-z_]+(?:\.[a-z_]+)+)"/g)) metrics.add(name);
  };
  const server = createServer((request, response) => {
    take(request).then(
      () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
      (error: unknown) => response.writeHead(400).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    received,
    metrics,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function spansOf({ resourceSpans }: SentTraces): readonly CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const { 'service.instance.id': instance = '', 'service.name': service = '' } = record(resource.attributes);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes = [], links = [], ...span }) => ({
        ...span,
        instance: String(instance),
        service: String(service),
        attributes: record(attributes),
        links,
      })),
    );
  });
}

function record(attributes: readonly Attribute[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, boolValue } }) => [key, stringValue ?? boolValue ?? Number(intValue)]),
  );
}
