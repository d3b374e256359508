import { afterEach, describe, expect, it } from 'vitest';
import { type ScriptedEndpoint, type ScriptedReply, startScriptedEndpoint } from '../testing/scripted-endpoint.js';
import type { ChatReply } from '../model/chat-model.js';
import { EndpointMemory, memoryKey } from './endpoint-memory.js';
import { createEndpointModel } from './endpoint-model.js';

describe('An endpoint that has changed', () => {
  const memory = new EndpointMemory();
  let endpoint: ScriptedEndpoint;
  let known: 'max_tokens' | 'max_completion_tokens';

  async function start(): Promise<void> {
    endpoint = await startScriptedEndpoint(({ body }): ScriptedReply => {
      const unknown = ['max_tokens', 'max_completion_tokens'].find((member) => member !== known && member in body);
      const message = `Unsupported parameter: '${unknown}'. Use max_completion_tokens or max_tokens.`;
      return unknown === undefined ? { content: 'Hello' } : { status: 400, body: { error: { message } } };
    });
  }

  function ask(): Promise<ChatReply> {
    const model = createEndpointModel({ baseUrl: endpoint.url, model: 'm', memory });
    return model.complete(
      { messages: [{ role: 'user', content: 'Hi' }], tools: [], maxTokens: 10 },
      { signal: new AbortController().signal },
    );
  }

  const asked = (): string[] => endpoint.requests.map(({ body }) => Object.keys(body).find((name) => name.startsWith('max_')) ?? '');
  const remembered = () => memory.recall(memoryKey(new URL(endpoint.url), 'm'));

  afterEach(() => endpoint.close());

  it('is found out anew when it refuses what it wanted before', async () => {
    known = 'max_completion_tokens';
    await start();
    await ask();
    await ask();
    expect(asked()).toEqual(['max_tokens', 'max_completion_tokens', 'max_completion_tokens']);
    expect(await remembered()).toEqual({ refuses: ['max_tokens'] });

    known = 'max_tokens';
    expect((await ask()).content).toBe('Hello');
    await ask();
    expect(asked().slice(3)).toEqual(['max_completion_tokens', 'max_tokens', 'max_tokens']);
    expect(await remembered()).toEqual({});
  });

  it('is not asked the same again when nothing that is known has to do with its refusal', async () => {
    endpoint = await startScriptedEndpoint(() => ({ status: 400, body: { error: { message: 'Not today.' } } }));
    await memory.learn(memoryKey(new URL(endpoint.url), 'm'), { mode: 'native' });

    await expect(ask()).rejects.toMatchObject({ code: 'REFUSED' });
    expect(asked()).toHaveLength(1);
    expect(await remembered()).toEqual({ mode: 'native' });
  });
});
