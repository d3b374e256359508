import { waitUntil } from '@longhaul/tasks/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type EndpointOptions, type Script, type ScriptedEndpoint, startScriptedEndpoint } from './scripted-endpoint.js';

describe('A scripted endpoint', () => {
  let endpoint: ScriptedEndpoint;

  async function start(script: Script, options?: EndpointOptions): Promise<void> {
    endpoint = await startScriptedEndpoint(script, options);
  }

  async function ask(body: object, signal?: AbortSignal): Promise<Response> {
    return fetch(`${endpoint.url}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', messages: [], ...body }),
      headers: { 'content-type': 'application/json' },
      ...(signal && { signal }),
    });
  }

  afterEach(() => endpoint.close());

  it('answers from a list, and refuses what lies beyond its end', async () => {
    await start([{ content: 'one' }]);

    expect(await (await ask({})).json()).toMatchObject({ model: 'm', choices: [{ message: { content: 'one' }, finish_reason: 'stop' }] });
    expect((await ask({})).status).toBe(400);
  });

  it('answers by a function of what it was asked, and keeps that', async () => {
    await start(({ body, number }) => ({ content: `${number}: ${JSON.stringify(body['user'])}` }));

    expect(await (await ask({ user: 'Ada' })).text()).toContain(String.raw`1: \"Ada\"`);
    expect(endpoint.requests).toMatchObject([{ method: 'POST', path: '/v1/chat/completions', body: { user: 'Ada' } }]);
  });

  it('streams in chunks of the size that the script says, also within a character', async () => {
    await start([{ content: 'dépêche', chunkBytes: 1 }]);

    const response = await ask({ stream: true, stream_options: { include_usage: true } });
    const text = await response.text();

    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(text).toContain('"delta":{"content":"dépêche"}');
    expect(text).toContain('"choices":[],"usage":{"prompt_tokens":');
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('cuts a stream in the middle', async () => {
    await start([{ content: 'never complete', cut: 'midway' }]);

    await expect((await ask({ stream: true })).text()).rejects.toThrow('terminated');
  });

  it('notices a client that goes away while it waits', async () => {
    await start([{ hang: 'before' }]);
    const client = new AbortController();

    const asked = ask({}, client.signal);
    await waitUntil(() => endpoint.requests.length === 1, { description: 'the request has come' });
    client.abort();

    await expect(asked).rejects.toThrow('aborted');
    await waitUntil(() => endpoint.requests[0]?.isAborted, { description: 'the endpoint has noticed' });
  });

  it.each([
    ['an empty list of tools', { tools: [] }, 'must not be an empty array'],
    ['tools without a choice', { tools: [{}] }, 'requires --enable-auto-tool-choice'],
  ])('refuses as vLLM without a parser does: %s', async (_what, body, message) => {
    await start(() => ({}), { dialect: 'vllm', hasToolParser: false });

    const response = await ask(body);

    expect(response.status).toBe(400);
    expect(await response.text()).toContain(message);
    expect((await ask({ tools: [{}], tool_choice: 'none' })).status).toBe(200);
  });
});
