import { type ChaosConfig, LLMock } from '@copilotkit/aimock';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ChatReply } from '../model/chat-model.js';
import { type ApiName, createEndpointModel } from './endpoint-model.js';

const TOOL = { name: 'get-date', description: 'Says the date.', parameters: { type: 'object' } };

describe('A model at a server that somebody else has written', () => {
  const server = new LLMock({ port: 0, logLevel: 'silent' });

  async function ask(content: string, isStreamed = true, api: ApiName = 'chat'): Promise<ChatReply> {
    const model = createEndpointModel({ baseUrl: `${server.url}/v1`, api, apiKey: 'mock', model: 'gpt-4o', isStreamed });
    return model.complete({ messages: [{ role: 'user', content }], tools: [TOOL] }, { signal: new AbortController().signal });
  }

  beforeAll(async () => {
    const toolCalls = ['Asia/Tokyo', 'Europe/Zürich'].map((timezone) => ({ name: 'get-date', arguments: JSON.stringify({ timezone }) }));
    server.onMessage('calls', { toolCalls });
    server.onMessage('both', { content: 'I look.', toolCalls: toolCalls.slice(0, 1) });
    server.onMessage('reasoning', { content: 'It is early in 東京.', reasoning: 'Hm.' });
    await server.start();
  });
  afterEach(() => server.clearChaos());
  afterAll(() => server.stop());

  it.each([true, false])('answers with calls; streamed: %s', async (isStreamed) => {
    const reply = await ask('calls', isStreamed);

    expect(reply.toolCalls.map(({ function: called }) => called)).toEqual([
      { name: 'get-date', arguments: '{"timezone":"Asia/Tokyo"}' },
      { name: 'get-date', arguments: '{"timezone":"Europe/Zürich"}' },
    ]);
    expect(new Set(reply.toolCalls.map(({ id }) => id)).size).toBe(2);
    expect(reply.usage?.inputTokens).toBeGreaterThan(0);
  });

  it.each([true, false])('answers by the Responses API too; streamed: %s', async (isStreamed) => {
    const { toolCalls } = await ask('calls', isStreamed, 'responses');
    expect(toolCalls.map(({ function: { arguments: args } }) => args)).toEqual([
      '{"timezone":"Asia/Tokyo"}',
      '{"timezone":"Europe/Zürich"}',
    ]);
    expect(await ask('reasoning', isStreamed, 'responses')).toMatchObject({ content: 'It is early in 東京.', reasoning: 'Hm.' });
  });

  it.each([true, false])('answers with content beside a call; streamed: %s', async (isStreamed) => {
    expect(await ask('both', isStreamed)).toMatchObject({ content: 'I look.', toolCalls: [{ function: { name: 'get-date' } }] });
  });

  it.each([true, false])('answers after it has reasoned; streamed: %s', async (isStreamed) => {
    expect(await ask('reasoning', isStreamed)).toMatchObject({ content: 'It is early in 東京.', reasoning: 'Hm.', toolCalls: [] });
  });

  it.each<[string, ChaosConfig, object]>([
    ['has an error', { dropRate: 1 }, { code: 'UNAVAILABLE' }],
    ['writes malformed JSON', { malformedRate: 1 }, { code: 'BAD_RESPONSE' }],
    ['takes no more for now', { rateLimitRate: 1 }, { code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) as number }],
    ['breaks the connection', { disconnectRate: 1 }, { code: 'UNAVAILABLE' }],
  ])('fails by name when it %s', async (_what, chaos, error) => {
    server.setChaos(chaos);

    await expect(ask('calls')).rejects.toMatchObject(error);
  });
});
