import type { JsonObject } from '@longhaul/tasks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { callWith } from '../call.fixture.js';
import { contextInMemory } from './context-in-memory.fixture.js';

const PING_LIMIT_MS = 30_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

/** A context whose client answers as the test defines. */
function context(ask: () => Promise<JsonObject>, params: JsonObject = {}, capabilities: JsonObject = {}) {
  return contextInMemory()({
    ...callWith(params, capabilities),
    ask,
  });
}

describe('a ping of the client', () => {
  it('resolves when the client answers', async () => {
    await expect(context(() => Promise.resolve({})).ping()).resolves.toBeUndefined();
  });

  it('fails when the client answers with an error', async () => {
    await expect(context(() => Promise.reject(new Error('no'))).ping()).rejects.toThrow('no');
  });

  it('fails when the client does not answer within half a minute', async () => {
    const late = expect(context(() => new Promise(() => undefined)).ping()).rejects.toThrow('within 30 seconds');
    await vi.advanceTimersByTimeAsync(PING_LIMIT_MS);

    await late;
  });
});

describe('the request of a context', () => {
  it('is as it came, with its metadata', () => {
    const params = { name: 'tool', _meta: { progressToken: 7, mine: true } };

    expect(context(() => Promise.resolve({}), params).request).toEqual({
      id: 1,
      method: 'tools/call',
      params,
      meta: { progressToken: 7, mine: true },
      progressToken: 7,
    });
  });

  it.each([{}, { _meta: null }, { _meta: [1] }, { _meta: { progressToken: {} } }])('has no token when it came with none: %j', (params) => {
    const { request } = context(() => Promise.resolve({}), params);

    expect(request).not.toHaveProperty('progressToken');
  });
});

describe('a form that is asked by a name', () => {
  const form = {
    method: 'elicitation/create',
    params: { message: 'Who?', requestedSchema: { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] } },
  } as const;
  const url = {
    method: 'elicitation/create',
    params: { mode: 'url', message: 'Go', url: 'https://example.com', elicitationId: 'e' },
  } as const;
  const asking = (answer: JsonObject) => context(() => Promise.resolve(answer), {}, { elicitation: { form: {}, url: {} } });

  it('is refused when it has what forms do not have', async () => {
    const requestedSchema = { type: 'object', properties: { age: { type: 'string', pattern: '(a+)+$' } } } as const;
    const asked = asking({ action: 'accept' }).ask('age', { method: form.method, params: { message: 'Who?', requestedSchema } });
    await expect(asked).rejects.toThrow(/"pattern".*"age"/);
  });

  it('gives an answer that fits, and that to a URL, as it came', async () => {
    const answer = { action: 'accept', content: { age: 7 } };
    expect(await asking(answer).ask('age', form)).toBe(answer);
    expect(await asking(answer).ask('url', url)).toBe(answer);
  });
});
