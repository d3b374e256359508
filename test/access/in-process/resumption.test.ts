/** Tests that a caller who resumes a stream sees only what the token allows, and that a refused caller ends no other connection. */
import { describe, expect, it } from 'vitest';
import { guardedFeatures } from '../support/guarded-features.js';
import { protectedForTests } from '../support/protected-service.js';
import { bearer, client2025, type TokenClient } from '../support/requests.js';

const started = protectedForTests({ features: guardedFeatures, env: { LONGHAUL_SCOPES: '{}' } });

const tokenWith = (scope: string): Promise<string> => started.issuer.token({ claims: { scope } });

/** An event stream that is being read. */
interface ReadStream {
  /** The id of its first event that has one. */
  readonly eventId: string;
  /** Everything that comes until the text is there, or until the stream ends. */
  until(text: string): Promise<string>;
}

async function readStream(response: Response): Promise<ReadStream> {
  expect(response.status).toBe(200);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let all = '';
  const until = async (isEnough: () => boolean): Promise<string> => {
    while (!isEnough()) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) break;
      all += value ?? '';
    }
    return all;
  };
  const [, eventId = ''] = /^id: (\S+)\n/m.exec(await until(() => /^id: \S+\n/m.test(all))) ?? [];
  expect(eventId).not.toBe('');
  return { eventId, until: (text) => until(() => all.includes(text)) };
}

const get = async (client: TokenClient, token: string, lastEventId?: string): Promise<Response> =>
  fetch(started.url, {
    headers: {
      accept: 'text/event-stream',
      ...bearer(token),
      ...client.headersFor('ping'),
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
  });

async function expectRefused(response: Response, scope: string): Promise<void> {
  expect(response.status).toBe(403);
  expect(response.headers.get('www-authenticate')).toMatch(new RegExp(`^Bearer error="insufficient_scope", .*scope="${scope}"`));
  expect(await response.text()).not.toContain('"result"');
}

describe('the stream of tasks/result', () => {
  it('is not for a token that the tool of the task is not for, and goes on for its reader', async () => {
    const wide = await tokenWith('f:durable');
    const narrow = await tokenWith('');
    const client = await client2025(started.url, wide);
    const { result } = await client.call('tools/call', { name: 'durable', arguments: { ms: 1_500 }, task: {} });
    const { taskId } = (result ?? {})['task'] as { taskId: string };
    const response = await fetch(started.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...bearer(wide),
        ...client.headersFor('tasks/result'),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 'result', method: 'tasks/result', params: { taskId } }),
    });
    const stream = await readStream(response);
    await expectRefused(await get(client, narrow, stream.eventId), 'f:durable');
    expect(await stream.until('"text":"durable"')).toContain('"text":"durable"');
    await expectRefused(await get(client, narrow, stream.eventId), 'f:durable');
    const resumed = await readStream(await get(client, wide, stream.eventId));
    expect(await resumed.until('"text":"durable"')).toContain('"text":"durable"');
  });
});

describe('the standalone stream of a session', () => {
  it('needs what its readers were allowed to hear of tasks, and goes on for its reader', async () => {
    const wide = await tokenWith('f:durable f:asking profile');
    const client = await client2025(started.url, wide);
    const stream = await readStream(await get(client, wide));
    const refused = await get(client, await tokenWith('f:asking'), stream.eventId);
    await expectRefused(refused, 'f:durable f:asking');
    await client.call('tools/call', { name: 'durable', arguments: {}, task: {} });
    expect(await stream.until('"completed"')).toContain('notifications/tasks/status');
    await expectRefused(await get(client, await tokenWith('f:asking'), stream.eventId), 'f:durable f:asking');
    const resumed = await readStream(await get(client, await tokenWith('f:durable f:asking'), stream.eventId));
    expect(await resumed.until('"completed"')).toContain('notifications/tasks/status');
  });

  it('needs also what a later reader was allowed to hear', async () => {
    const client = await client2025(started.url, await tokenWith('f:durable'));
    const first = await readStream(await get(client, await tokenWith('')));
    const second = await readStream(await get(client, await tokenWith('f:durable'), first.eventId));
    await expectRefused(await get(client, await tokenWith(''), second.eventId), 'f:durable');
  });
});
