import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEndpointModel } from '../endpoint/endpoint-model.js';
import type { Message } from '../conversation/messages.js';
import { type ScriptedEndpoint, type ScriptedReply, startScriptedEndpoint } from '../testing/scripted-endpoint.js';
import { ModelTelemetry } from './model-telemetry.js';

interface Span {
  readonly name: string;
  readonly attributes: Record<string, unknown>;
  failed?: string;
  isEnded: boolean;
}

const spans: Span[] = [];
const measured: (readonly [name: string, value: number, labels: object])[] = [];
let endpoint: ScriptedEndpoint;
let replies: readonly ScriptedReply[] = [];

beforeEach(async () => {
  spans.length = 0;
  measured.length = 0;
  endpoint = await startScriptedEndpoint(({ number }) => replies[number - 1] ?? {});
});
afterEach(() => endpoint.close());

async function asked(messages: readonly Message[], showsContent = false): Promise<void> {
  const telemetry = new ModelTelemetry(showsContent, (name, attributes) => {
    const span: Span = { name, attributes, isEnded: false };
    spans.push(span);
    return {
      within: (body) => body(),
      set: (more) => void Object.assign(span.attributes, more),
      fail: (type) => void (span.failed = type),
      end: () => void (span.isEnded = true),
    };
  });
  const measure = (name: string, value: number, labels: object = {}): void => void measured.push([name, value, labels]);
  telemetry.metrics = { add: measure, record: measure };
  const observe = telemetry.observing({ input: 10, cached: 1, output: 100 });
  const model = createEndpointModel({
    baseUrl: endpoint.url,
    model: 'm',
    mode: 'native',
    sampling: { temperature: 0.5, maxTokens: 50 },
    observe,
  });
  await model.complete({ messages, tools: [] }, { signal: new AbortController().signal }).catch(() => undefined);
}

const usage = { inputTokens: 1_000, outputTokens: 200, cachedTokens: 400, reasoningTokens: 50 };

it('each request is a span with its tokens, and counts by model', async () => {
  replies = [{ content: 'Yes.', usage }];
  await asked([{ role: 'user', content: 'A secret?' }]);
  expect(spans).toEqual([
    {
      name: 'chat m',
      isEnded: true,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'm',
        'gen_ai.request.temperature': 0.5,
        'gen_ai.request.max_tokens': 50,
        'gen_ai.request.stream': true,
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.usage.input_tokens': 1_000,
        'gen_ai.usage.output_tokens': 200,
        'gen_ai.usage.cache_read.input_tokens': 400,
        'gen_ai.usage.reasoning.output_tokens': 50,
        'server.address': '127.0.0.1',
        'server.port': Number(new URL(endpoint.url).port),
      },
    },
  ]);
  const model = { 'gen_ai.request.model': 'm' };
  expect(measured).toEqual([
    ['longhaul.agent.requests', 1, model],
    ['gen_ai.client.operation.duration', expect.any(Number), { 'gen_ai.operation.name': 'chat', ...model }],
    ['longhaul.agent.tokens', 600, { ...model, 'gen_ai.token.type': 'input' }],
    ['longhaul.agent.tokens', 400, { ...model, 'gen_ai.token.type': 'cached' }],
    ['longhaul.agent.tokens', 150, { ...model, 'gen_ai.token.type': 'output' }],
    ['longhaul.agent.tokens', 50, { ...model, 'gen_ai.token.type': 'reasoning' }],
    ['longhaul.agent.cost', expect.closeTo(0.0264), model],
  ]);
  expect(JSON.stringify([spans, measured])).not.toContain('secret');
});

it('requests in vain are spans and count too, without what was said', async () => {
  replies = [{ status: 429, body: { error: { message: 'A secret is too long.' } } }];
  await asked([{ role: 'user', content: 'A secret?' }]);
  expect(spans).toMatchObject([{ failed: 'RATE_LIMITED', isEnded: true }]);
  expect(measured[0]).toEqual(['longhaul.agent.requests', 1, { 'gen_ai.request.model': 'm', 'error.type': 'RATE_LIMITED' }]);
  expect(JSON.stringify([spans, measured])).not.toContain('secret');
});

it('spans have what was said when the operator wants it, in the form of the conventions', async () => {
  replies = [{ content: 'Calling.', toolCalls: [{ name: 'add', arguments: '{"a":1}', id: 'c2' }], usage }];
  const messages: readonly Message[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: '1 + 1?' },
    { role: 'assistant', content: '', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'add', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'c1', content: 'Error' },
  ];
  await asked(messages, true);
  const content = (name: string): unknown => JSON.parse(String(spans[0]?.attributes[`gen_ai.${name}`])) as unknown;
  expect(content('system_instructions')).toEqual([{ type: 'text', content: 'Be brief.' }]);
  expect(content('input.messages')).toEqual([
    { role: 'user', parts: [{ type: 'text', content: '1 + 1?' }] },
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'add', arguments: '{}' }] },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'Error' }] },
  ]);
  expect(content('output.messages')).toMatchObject([
    {
      role: 'assistant',
      parts: [
        { type: 'text', content: 'Calling.' },
        { type: 'tool_call', name: 'add', arguments: '{"a":1}' },
      ],
      finish_reason: 'tool_calls',
    },
  ]);
});
