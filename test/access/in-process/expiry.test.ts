/** Tests that streams end soon after the token of their caller expires, and that their tasks continue. */
import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../support/event-stream.js';
import { guardedFeatures } from '../support/guarded-features.js';
import { protectedForTests } from '../support/protected-service.js';
import { bearer, client2025, client2026, initialize, send } from '../support/requests.js';

const started = protectedForTests({ features: guardedFeatures, env: { LONGHAUL_SCOPES: '{}' } });

const SCOPES = { scope: 'f:durable' };

/** A token that expires soon, after a busy machine has used it. */
function shortToken({ issuer } = started): Promise<string> {
  return issuer.token({ claims: { ...SCOPES, exp: Math.floor(Date.now() / 1_000) + 4 } });
}

const post = (headers: Record<string, string>, body: object, url = started.url): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
  });

const stateless = protectedForTests({ features: guardedFeatures, env: { LONGHAUL_SCOPES: '{}' }, settings: { isStateless: true } });

/** Goes on for much longer than the token. */
const durable = { name: 'durable', arguments: { ms: 12_000 } };

describe('when its token is over', () => {
  it('the standalone stream of a session ends, and can be taken up again with another token', async () => {
    const token = await shortToken();
    const session = await client2025(started.url, token);
    const response = await fetch(started.url, {
      headers: { accept: 'text/event-stream', ...bearer(token), ...session.headersFor('ping') },
    });
    expect(response.status).toBe(200);
    const text = await response.text();
    const lastEventId = [...text.matchAll(/^id: (\S+)$/gm)].at(-1)?.[1] ?? '';
    const resume = (as: string): Promise<Response> =>
      fetch(started.url, {
        headers: { accept: 'text/event-stream', 'last-event-id': lastEventId, ...bearer(as), ...session.headersFor('ping') },
      });
    expect((await resume(token)).status).toBe(401);
    const resumed = await resume(await started.issuer.token({ claims: SCOPES }));
    expect(resumed.status).toBe(200);
    await resumed.body?.cancel();
  });

  it('the stream of a call in a session ends, and its answer comes on the stream that goes on with it', async () => {
    const token = await shortToken();
    const session = await client2025(started.url, token);
    const response = await post({ ...bearer(token), ...session.headersFor('tools/call') }, { method: 'tools/call', params: durable });
    const text = await response.text();
    expect(text).not.toContain('"result"');
    const lastEventId = [...text.matchAll(/^id: (\S+)$/gm)].at(-1)?.[1] ?? '';
    const fresh = await started.issuer.token({ claims: SCOPES });
    const resumed = await fetch(started.url, {
      headers: { accept: 'text/event-stream', 'last-event-id': lastEventId, ...bearer(fresh), ...session.headersFor('ping') },
    });
    expect(await resumed.text()).toContain('"text":"durable"');
  });

  it('a call of a client that cannot come back ends with an error, and its task goes on', async () => {
    const token = await shortToken();
    const params = { ...initialize.params, protocolVersion: '2025-06-18' };
    const { session } = await send(started.url, { ...initialize, params }, bearer(token));
    const headers = { 'mcp-session-id': session ?? '', 'mcp-protocol-version': '2025-06-18' };
    const response = await post({ ...bearer(token), ...headers }, { method: 'tools/call', params: durable });
    const [answer] = messagesOf(await response.text());
    expect(answer).toMatchObject({ id: 1, error: { message: expect.stringContaining('expired') as string } });
    const { taskId } = ((answer ?? {})['error'] as { data: { taskId: string } }).data;
    const fresh = bearer(await started.issuer.token({ claims: SCOPES }));
    const result = await send(started.url, { jsonrpc: '2.0', id: 2, method: 'tasks/result', params: { taskId } }, { ...fresh, ...headers });
    expect(JSON.stringify(result.result)).toContain('durable');
  });

  it('a call without a session ends with an error', async () => {
    const token = await shortToken(stateless);
    const response = await post(bearer(token), { method: 'tools/call', params: durable }, stateless.url);
    expect(messagesOf(await response.text())).toMatchObject([
      { id: 1, error: { message: expect.stringContaining('expired') as string, data: { taskId: expect.any(String) as string } } },
    ]);
  });

  it('a stream of subscriptions/listen ends with a result', async () => {
    const token = await shortToken();
    const client = client2026(started.url, token);
    const listening = client.call('subscriptions/listen', { notifications: { toolsListChanged: true, promptsListChanged: true } });
    const { result } = await listening;
    expect(result).toMatchObject({ resultType: 'complete' });
  });

  it('a call that waits for a task is answered with how to go on, and the task goes on', async () => {
    const token = await shortToken();
    const client = client2026(started.url, token, {});
    const { result } = await client.call('tools/call', durable);
    expect(result).toMatchObject({ resultType: 'input_required' });
    const again = { ...durable, requestState: result?.['requestState'] };
    expect((await client.call('tools/call', again)).status).toBe(401);
    const answer = await client.call('tools/call', again, await started.issuer.token({ claims: SCOPES }));
    expect(JSON.stringify(answer.result)).toContain('durable');
  });
});
