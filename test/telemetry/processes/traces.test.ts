/** Tests that each task has one trace, over gateways and workers in separate processes. */
import { fileURLToPath } from 'node:url';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type CollectedSpan, type Collector, openCollector } from '../../support/collector.js';
import { Deployment, type Process } from '../../support/deployment.js';
import { waitUntil } from '../../support/wait-until.js';
import { modern } from '../../support/wire-client.js';
import { openUpstream, type Upstream } from './upstream.js';

const FEATURES = fileURLToPath(new URL('./features.ts', import.meta.url));
const SERVER = 2;
const CLIENT = 3;

let collector: Collector;
let deployment: Deployment;
let gateways: readonly [Process, Process];
let worker: Process;
const upstreams: Upstream[] = [];

beforeAll(async () => {
  collector = await openCollector();
  deployment = Deployment.create({
    LONGHAUL_FEATURES: FEATURES,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_METRIC_EXPORT_INTERVAL: '1000',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  });
  const [first, second, started] = await Promise.all([deployment.gateway(), deployment.gateway(), deployment.worker()]);
  gateways = [first, second];
  worker = started;
});
afterEach(async () => void (await Promise.all(upstreams.splice(0).map((upstream) => upstream.close()))));
afterAll(async () => {
  await deployment.close();
  await collector.close();
});

/** A trace that no other request has. */
function newTrace(): { readonly traceId: string; readonly traceparent: string } {
  const traceId = crypto.randomUUID().replaceAll('-', '');
  return { traceId, traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
}

const inTrace = (traceId: string): readonly CollectedSpan[] => collector.spans.filter((span) => span.traceId === traceId);

/** The spans of a trace, once its task's is there. */
async function spansOf(traceId: string): Promise<readonly CollectedSpan[]> {
  await waitUntil(() => inTrace(traceId).some(({ name }) => name.startsWith('task ')), { description: 'the span of the task' });
  await waitUntil(() => everyParentIsThere(inTrace(traceId)), { description: 'the span above each one' });
  return inTrace(traceId);
}

function everyParentIsThere(spans: readonly CollectedSpan[]): boolean {
  const ids = new Set([...spans.map(({ spanId }) => spanId), '00f067aa0ba902b7']);
  return spans.every(({ parentSpanId = '' }) => ids.has(parentSpanId));
}

async function upstream(held?: string): Promise<Upstream> {
  const opened = await openUpstream(held);
  upstreams.push(opened);
  return opened;
}

/** A request of revision 2026-07-28 of a client with the tasks extension. */
async function ask(gateway: Process, method: string, params: object, meta: object = {}): Promise<Record<string, unknown>> {
  const { result, error } = await modern(gateway.url, method, { ...params, _meta: meta });
  if (result === undefined) throw new Error(error?.message);
  return result;
}

const tree = (spans: readonly CollectedSpan[]): readonly string[] =>
  spans.map(({ name, parentSpanId }) => `${spans.find(({ spanId }) => spanId === parentSpanId)?.name ?? 'caller'} > ${name}`).sort();

describe('the trace of a task', () => {
  it('goes from its caller through gateways and workers to the result, also when another gateway takes the answer', async () => {
    const { url, requests } = await upstream();
    const { traceId, traceparent } = newTrace();
    const meta = { traceparent, tracestate: 'vendor=1', baggage: 'tenant=acme' };
    const called = await ask(gateways[0], 'tools/call', { name: 'ask-and-fetch', arguments: { url } }, meta);
    const { taskId } = called as { taskId: string };
    const get = (): Promise<Record<string, unknown>> => ask(gateways[1], 'tasks/get', { taskId });
    await waitUntil(async () => (await get())['status'] === 'input_required', { description: 'the question' });
    const { inputRequests } = (await get()) as { inputRequests: Record<string, unknown> };
    const [[key, asked]] = Object.entries(inputRequests) as [[string, { params: { _meta: object } }]];
    await ask(gateways[1], 'tasks/update', { taskId, inputResponses: { [key]: { action: 'accept', content: { yes: true } } } });
    await waitUntil(async () => (await get())['status'] === 'completed', { description: 'the end' });

    // Each process sends its own.
    await expect
      .poll(() => [...new Set(tree(inTrace(traceId)))])
      .toEqual([
        'caller > tools/call ask-and-fetch',
        'pass > step after',
        'pass > step before',
        'task ask-and-fetch > elicitation/create',
        'task ask-and-fetch > pass',
        'task ask-and-fetch > sleep night',
        'task ask-and-fetch > tasks/get',
        'task ask-and-fetch > tasks/update',
        'tools/call ask-and-fetch > task ask-and-fetch',
      ]);
    const spans = inTrace(traceId);
    const call = spans.find(({ name }) => name === 'tools/call ask-and-fetch');
    expect(call).toMatchObject({ kind: SERVER, traceState: 'vendor=1', service: 'longhaul-gateway' });
    expect(call?.attributes).toMatchObject({
      'mcp.method.name': 'tools/call',
      'gen_ai.tool.name': 'ask-and-fetch',
      'gen_ai.operation.name': 'execute_tool',
      'mcp.protocol.version': '2026-07-28',
      'network.transport': 'tcp',
    });
    const question = spans.find(({ name }) => name === 'elicitation/create');
    expect(question).toMatchObject({ kind: CLIENT, service: 'longhaul-gateway' });
    expect(question?.instance).not.toBe(call?.instance);
    expect(asked.params._meta).toEqual({ traceparent: `00-${traceId}-${String(question?.spanId)}-01`, tracestate: 'vendor=1' });
    expect(JSON.stringify(spans)).not.toContain(taskId);

    const before = spans.find(({ name }) => name === 'step before');
    expect(requests.map(({ path, headers }) => [path, headers['traceparent'], headers['tracestate'], headers['baggage']])).toEqual([
      ['/before', `00-${traceId}-${String(before?.spanId)}-01`, 'vendor=1', 'tenant=acme'],
      ['/after', expect.stringContaining(traceId), 'vendor=1', 'tenant=acme'],
    ]);
  });

  it('has no span twice and none without the one above it when a worker is killed in mid-step and another takes over', async () => {
    const { url, requests, release } = await upstream('/second');
    const { traceId, traceparent } = newTrace();
    const { taskId } = (await ask(gateways[0], 'tools/call', { name: 'slow', arguments: { url } }, { traceparent })) as { taskId: string };
    await waitUntil(() => requests.some(({ path }) => path === '/second'), { description: 'the second step' });
    await waitUntil(() => inTrace(traceId).some(({ name }) => name === 'step first'), { description: 'the span of the first step' });
    await worker.kill();
    worker = await deployment.worker();
    await waitUntil(() => requests.filter(({ path }) => path === '/second').length === 2, {
      description: 'the second step on another worker',
    });
    release();
    const get = (): Promise<Record<string, unknown>> => ask(gateways[1], 'tasks/get', { taskId });
    await waitUntil(async () => (await get())['status'] === 'completed', { description: 'the end' });

    const spans = await spansOf(traceId);
    const own = spans.filter(({ name }) => !name.startsWith('tasks/'));
    expect(tree(own)).toEqual([
      'caller > tools/call slow',
      'pass > step first',
      'pass > step second',
      'task slow > pass',
      'task slow > pass',
      'tools/call slow > task slow',
    ]);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    expect(own.flatMap(({ attributes }) => attributes['longhaul.pass.end'] ?? [])).toEqual(expect.arrayContaining(['ended', 'lost']));
    const second = own.find(({ name }) => name === 'step second');
    const sent = requests.filter(({ path }) => path === '/second').map(({ headers }) => headers['traceparent']);
    expect(sent).toEqual([`00-${traceId}-${String(second?.spanId)}-01`, `00-${traceId}-${String(second?.spanId)}-01`]);
  });

  it('begins with what a stock client of 2025-11-25 sends, and links the HTTP request that it came with', async () => {
    const { url } = await upstream();
    const { traceId, traceparent } = newTrace();
    const proxy = newTrace();
    const client = await deployment.client(gateways[0].url);
    await client.listTools();
    const call = { name: 'slow', arguments: { url }, _meta: { traceparent } };
    const stream = client.experimental.tasks.callToolStream(call, CallToolResultSchema);
    for await (const message of stream) if (message.type === 'error') throw message.error;
    const spans = await spansOf(traceId);
    expect(tree(spans)).toContain('caller > tools/call slow');
    await waitUntil(() => tree(inTrace(traceId)).includes('task slow > tasks/result'), { description: 'the span of the result' });
    expect(spans.find(({ name }) => name === 'task slow')).toMatchObject({ attributes: { 'longhaul.task.outcome': 'completed' } });

    const failing = newTrace();
    const body = { name: 'failing', arguments: {}, _meta: { traceparent: failing.traceparent } };
    await fetch(gateways[0].url, {
      method: 'POST',
      headers: { ...sessionHeaders(client), traceparent: proxy.traceparent },
      body: JSON.stringify({ jsonrpc: '2.0', id: 'raw', method: 'tools/call', params: body }),
    }).then((response) => response.text());
    const failed = await spansOf(failing.traceId);
    const span = failed.find(({ name }) => name === 'tools/call failing');
    expect(span).toMatchObject({
      links: [{ traceId: proxy.traceId }],
      attributes: { 'error.type': 'tool_error', 'jsonrpc.request.id': 'raw' },
    });
  });

  it('is named to the client in what a tool asks within its request', async () => {
    const { traceId, traceparent } = newTrace();
    const asked: unknown[] = [];
    const client = await deployment.client(gateways[0].url, { elicitation: {} }, (prepared) =>
      prepared.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        asked.push(params._meta);
        return { action: 'decline' };
      }),
    );
    await client.callTool({ name: 'ask-within', arguments: {}, _meta: { traceparent } });
    const isCall = ({ name }: CollectedSpan): boolean => name === 'tools/call ask-within';
    await waitUntil(() => inTrace(traceId).some(isCall), { description: 'the span of the request' });
    expect(asked).toEqual([{ traceparent: `00-${traceId}-${String(inTrace(traceId).find(isCall)?.spanId)}-01` }]);
  });

  it('is not recorded where its caller does not record it', async () => {
    const { url, requests } = await upstream();
    const { traceId, traceparent } = newTrace();
    const unrecorded = traceparent.replace(/01$/, '00');
    const { taskId } = (await ask(gateways[0], 'tools/call', { name: 'slow', arguments: { url } }, { traceparent: unrecorded })) as {
      taskId: string;
    };
    const get = (): Promise<Record<string, unknown>> => ask(gateways[1], 'tasks/get', { taskId });
    await waitUntil(async () => (await get())['status'] === 'completed', { description: 'the end' });
    expect(requests.map(({ headers }) => headers['traceparent'])).toEqual(Array(2).fill(expect.stringMatching(`^00-${traceId}-.*-00$`)));
    await worker.stop();
    expect(inTrace(traceId)).toEqual([]);
  });

  it('has metrics beside it', async () => {
    await waitUntil(() => collector.metrics.has('mcp.server.operation.duration') && collector.metrics.has('longhaul.tasks.ended'), {
      description: 'the metrics',
    });
  });
});

function sessionHeaders(client: Awaited<ReturnType<Deployment['client']>>): Record<string, string> {
  const { sessionId = '' } = client.transport ?? {};
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-session-id': sessionId,
    'mcp-protocol-version': '2025-11-25',
  };
}
