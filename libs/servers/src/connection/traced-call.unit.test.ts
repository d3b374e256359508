import { RpcError, TaskLeftError } from '@longhaul/client';
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { type ReadableSpan, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { tracedCall } from './traced-call.js';

const ended: ReadableSpan[] = [];

beforeAll(() => {
  const nothing = (): Promise<void> => Promise.resolve();
  const processor = {
    onStart: () => undefined,
    onEnd: (span: ReadableSpan) => void ended.push(span),
    forceFlush: nothing,
    shutdown: nothing,
  };
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [processor] }));
});
beforeEach(() => void ended.splice(0));
afterAll(() => {
  trace.disable();
  context.disable();
});

it('is the active span while the server is called', async () => {
  let active: string | undefined;
  const result = await tracedCall('shop', 'charge', async () => {
    active = trace.getActiveSpan()?.spanContext().spanId;
    return { content: [] };
  });
  expect(result).toEqual({ content: [] });
  const [span] = ended;
  expect(active).toBe(span?.spanContext().spanId);
  expect(span).toMatchObject({
    name: 'tools/call charge',
    kind: SpanKind.CLIENT,
    attributes: {
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'charge',
      'longhaul.server': 'shop',
    },
    status: { code: SpanStatusCode.UNSET },
  });
});

it.each([
  ['a result that is an error', () => Promise.resolve({ content: [], isError: true }), 'tool_error'],
  ['an error of the server', () => Promise.reject(new RpcError(-32602, 'no')), '-32602'],
  ['a connection that is lost', () => Promise.reject(new TypeError('fetch failed')), 'TypeError'],
  ['a call that has become a task', () => Promise.reject(new TaskLeftError()), undefined],
])('says how %s ended', async (_, run, type) => {
  await tracedCall('shop', 'charge', run).catch(() => undefined);
  expect(ended).toHaveLength(1);
  expect(ended[0]?.attributes['error.type']).toBe(type);
  expect(ended[0]?.status.code).toBe(type === undefined ? SpanStatusCode.UNSET : SpanStatusCode.ERROR);
});
