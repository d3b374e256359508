import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { type ReadableSpan, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startClientSpan } from './client-span.js';

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
afterAll(() => {
  trace.disable();
  context.disable();
});

it('is a span of kind client, and the parent of what is done within it', () => {
  const outer = startClientSpan('outer', { a: 1 });
  outer.within(() => startClientSpan('inner', {}).end());
  outer.set({ b: 2 });
  outer.fail('BROKEN');
  outer.end();
  const [inner, made] = ended;
  expect(inner?.parentSpanContext?.spanId).toBe(made?.spanContext().spanId);
  expect(made).toMatchObject({
    name: 'outer',
    kind: SpanKind.CLIENT,
    attributes: { a: 1, b: 2, 'error.type': 'BROKEN' },
    status: { code: SpanStatusCode.ERROR },
  });
});
