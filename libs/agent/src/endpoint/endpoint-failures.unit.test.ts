import { waitUntil } from '@longhaul/tasks/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  rateLimited,
  type Script,
  type ScriptedEndpoint,
  type ScriptedReply,
  startScriptedEndpoint,
  unknownModel,
} from '../testing/scripted-endpoint.js';
import type { ChatDelta, ChatModel, ChatReply } from '../model/chat-model.js';
import { createEndpointModel, type EndpointOptions } from './endpoint-model.js';
import { ModelError } from '../model/model-error.js';

const KEY = 'sk-very-secret-0123456789';

describe('A model at an endpoint that fails', () => {
  let endpoint: ScriptedEndpoint;
  let caller = new AbortController();
  let deltas: ChatDelta[] = [];

  let model: ChatModel;

  async function start(script: Script, options: Partial<EndpointOptions> = {}): Promise<void> {
    endpoint = await startScriptedEndpoint(script);
    model = createEndpointModel({ baseUrl: endpoint.url, apiKey: KEY, model: 'm', ...options });
    caller = new AbortController();
    deltas = [];
  }

  async function ask(): Promise<ChatReply> {
    return model.complete(
      { messages: [{ role: 'user', content: 'Hello' }], tools: [] },
      { signal: caller.signal, onDelta: (delta) => deltas.push(delta) },
    );
  }

  async function errorOf(reply: ScriptedReply, options: Partial<EndpointOptions> = {}): Promise<ModelError> {
    await start([reply], options);
    const error: unknown = await ask().catch((error: unknown) => error);
    if (!(error instanceof ModelError)) throw new Error(`No ModelError: ${String(error)}`, { cause: error });
    return error;
  }

  afterEach(() => endpoint.close());

  it.each<[string, ScriptedReply, string, string]>([
    ['a wrong key', { status: 401, body: { error: { message: 'Incorrect API key provided' } } }, 'UNAUTHORIZED', 'does not accept the key'],
    ['a key without a right', { status: 403, body: { error: { message: 'No access' } } }, 'UNAUTHORIZED', '(403): No access'],
    ['an unknown model, as OpenAI says it', unknownModel('openai', 'm'), 'UNKNOWN_MODEL', 'does not exist or you do not have access'],
    ['an unknown model, as vLLM says it', unknownModel('vllm', 'm'), 'UNKNOWN_MODEL', 'The model `m` does not exist.'],
    ['an unknown model, as llama.cpp says it', unknownModel('llama.cpp', 'm'), 'UNKNOWN_MODEL', "model 'm' not found"],
    ['an unknown model, as Ollama says it', unknownModel('ollama', 'm'), 'UNKNOWN_MODEL', 'try pulling it first'],
    ['a URL without chat completions', { status: 404, body: { detail: 'Not Found' } }, 'REFUSED', 'most base URLs end with /v1'],
    ['a rate limit', rateLimited({}), 'RATE_LIMITED', 'Rate limit reached'],
    [
      'a quota that is used up',
      { status: 429, body: { error: { code: 'insufficient_quota', message: 'You exceeded your quota' } } },
      'REFUSED',
      'exceeded your quota',
    ],
    [
      'an invalid request',
      { status: 400, body: { error: { message: 'temperature is too high' } } },
      'REFUSED',
      '(400): temperature is too high',
    ],
    [
      'a model that loads',
      { status: 503, body: { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } } },
      'UNAVAILABLE',
      'Loading model',
    ],
    [
      'an error page',
      { status: 502, body: '<html><head><title>502 Bad Gateway</title></head></html>', headers: { 'content-type': 'text/html' } },
      'UNAVAILABLE',
      '“502 Bad Gateway”',
    ],
    ['an error without a body', { status: 500, body: '' }, 'UNAVAILABLE', 'The endpoint failed (500).'],
    [
      'a page with status 200',
      { body: '<html>Welcome</html>', headers: { 'content-type': 'text/html' } },
      'BAD_RESPONSE',
      'what is no JSON: <html>Welcome',
    ],
    ['a redirect', { status: 307, body: '', headers: { location: 'http://127.0.0.1:1/v1' } }, 'REFUSED', 'redirects'],
    ['an error with status 200', { body: { error: { message: 'Upstream failed', code: 502 } } }, 'UNAVAILABLE', 'Upstream failed'],
    ['an error without a code, with status 200', { body: { error: 'broken' } }, 'BAD_RESPONSE', 'broken'],
    [
      'an error in a stream',
      { body: 'data: {"error": {"message": "Out of memory", "code": 500}}\n\n', headers: { 'content-type': 'text/event-stream' } },
      'UNAVAILABLE',
      'Out of memory',
    ],
    [
      'an event "error" in a stream',
      { body: 'event: error\ndata: {"message": "Overloaded"}\n\n', headers: { 'content-type': 'text/event-stream' } },
      'BAD_RESPONSE',
      'Overloaded',
    ],
    ['malformed JSON', { body: '{"choices": [' }, 'BAD_RESPONSE', 'what is no JSON'],
    [
      'malformed JSON in a stream',
      { body: 'data: {"choices": [\n\n', headers: { 'content-type': 'text/event-stream' } },
      'BAD_RESPONSE',
      'malformed JSON',
    ],
    [
      'a stream that ends without its end',
      { body: 'data: {"choices": [{"index": 0, "delta": {"content": "Hal"}}]}\n\n', headers: { 'content-type': 'text/event-stream' } },
      'UNAVAILABLE',
      'in the middle of the answer',
    ],
    ['a connection that breaks in mid-stream', { content: 'A long answer', cut: 'midway' }, 'UNAVAILABLE', 'connection broke'],
    ['a connection that breaks before the answer', { cut: 'before' }, 'UNAVAILABLE', 'cannot be reached'],
    ['no choices', { body: { id: 'x' } }, 'BAD_RESPONSE', 'No response'],
    ['an empty list of choices', { body: { choices: [] } }, 'BAD_RESPONSE', 'No response'],
    ['an empty stream', { body: 'data: [DONE]\n\n', headers: { 'content-type': 'text/event-stream' } }, 'BAD_RESPONSE', 'No response'],
    ['neither content nor calls', { content: ' \n' }, 'BAD_RESPONSE', 'No content and no tool calls'],
    ['JSON that is no object', { body: 'null' }, 'BAD_RESPONSE', 'No response'],
  ])('says what is wrong after %s', async (_what, reply, code, message) => {
    const error = await errorOf(reply);

    expect({ code: error.code, message: error.message }).toEqual({ code, message: expect.stringContaining(message) });
  });

  it('says that nobody answers at the URL', async () => {
    await start([]);
    await endpoint.close();

    await expect(ask()).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('ECONNREFUSED') as string,
    });
  });

  it.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after-ms': '1250', 'retry-after': '2' }, 1250],
    [{}, undefined],
  ])('says how long the endpoint asks to wait: %j', async (headers, expected) => {
    expect((await errorOf(rateLimited(headers))).retryAfterMs).toBe(expected);
  });

  it('reads a date after which to ask again', async () => {
    const { retryAfterMs } = await errorOf(rateLimited({ 'retry-after': new Date(Date.now() + 60_000).toUTCString() }));

    expect(retryAfterMs).toBeGreaterThan(50_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
  });

  it.each<[string, ScriptedReply, object, string]>([
    ['does not begin to answer', { hang: 'before' }, { firstByteMs: 1000 }, 'did not begin to answer within 1000 ms'],
    ['stops in the middle', { content: 'A long answer', hang: 'midway' }, { idleMs: 50 }, 'stopped in the middle'],
    ['is not done in time', { content: 'A long answer', hang: 'midway' }, { totalMs: 1000 }, 'not done with its answer within 1000 ms'],
  ])('gives up on an endpoint that %s, and ends the request', async (_what, reply, timeouts, message) => {
    const error = await errorOf(reply, { timeouts });

    expect({ code: error.code, message: error.message }).toEqual({ code: 'TIMEOUT', message: expect.stringContaining(message) });
    await waitUntil(() => endpoint.requests[0]?.isAborted, { description: 'the endpoint has seen the end of the request' });
  });

  it('gives an answer that is not streamed all of the time to begin', async () => {
    await start([{ content: 'Hello' }], { isStreamed: false, timeouts: { firstByteMs: 0 } });

    expect((await ask()).content).toBe('Hello');
  });

  it.each<[string, ScriptedReply]>([
    ['before the answer', { hang: 'before' }],
    ['in the middle of the answer', { content: 'A long answer, of which half arrives', hang: 'midway' }],
  ])('ends the request when its caller does, %s', async (_when, reply) => {
    await start([reply]);
    const asked = ask();
    await waitUntil(() => (reply.hang === 'before' ? endpoint.requests.length === 1 : deltas.length > 0), {
      description: 'the endpoint is at work',
    });
    const reason = new Error('not wanted any more');
    caller.abort(reason);

    await expect(asked).rejects.toBe(reason);
    await waitUntil(() => endpoint.requests[0]?.isAborted, { description: 'the endpoint has seen the end of the request' });
  });

  it('sends nothing for a caller that has ended already', async () => {
    await start([{}]);
    caller.abort('over');

    await expect(ask()).rejects.toBe('over');
    expect(endpoint.requests).toEqual([]);
  });

  it('never says the key, also where the endpoint does', async () => {
    const written = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
    vi.stubEnv('OPENAI_LOG', 'debug');
    try {
      for (const isStreamed of [true, false]) {
        for (const status of [200, 400, 401, 403, 404, 429, 500]) {
          const echo: Script = ({ headers }) => ({
            status,
            body: { error: { message: `You sent ${headers.authorization} and ${String(headers['x-tenant']).slice('Basic '.length)}.` } },
          });
          await start(echo, { isStreamed, headers: { 'x-tenant': 'Basic tenant-secret-42' } });
          const error: unknown = await ask().catch((error: unknown) => error);
          await endpoint.close();

          const said = `${String(error)} ${JSON.stringify(error)} ${error instanceof Error ? error.stack : ''} ${JSON.stringify(deltas)}`;
          expect(endpoint.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
          expect(said).toContain('ModelError');
          expect(said).not.toContain(KEY);
          expect(said).not.toContain('tenant-secret-42');
        }
      }
      expect(written.flatMap((spy) => spy.mock.calls.map(String)).join('')).not.toContain(KEY);
    } finally {
      vi.unstubAllEnvs();
      for (const spy of written) spy.mockRestore();
    }
  });

  it.each([
    ['ftp://127.0.0.1/v1', undefined, 'http:// or https://'],
    ['127.0.0.1:8000', undefined, 'http:// or https://'],
    ['http://me:pass@127.0.0.1/v1', undefined, 'no user name or password'],
    ['http://127.0.0.1/v1', 'two words', 'spaces or characters beyond ASCII'],
  ])('is not made for the URL %s and the key %s', async (baseUrl, apiKey, message) => {
    await expect(start([], { baseUrl, apiKey })).rejects.toThrow(message);
  });

  it('is not made with a header that cannot be sent, and does not show it', async () => {
    const error: unknown = await start([], { headers: { 'x-tenant': 'secret-ü' } }).catch((error: unknown) => error);

    expect(String(error)).toBe('Error: The header x-tenant of the model has characters beyond ASCII.');
  });
});
