/** Tests bearer tokens at two gateways: the owners of sessions and tasks, in both generations of the protocol. */
import { features as everything } from '@longhaul/everything';
import { readConfig } from '@longhaul/gateway';
import { createFeatureRegistry } from '@longhaul/mcp-features';
import { describe, expect, it } from 'vitest';
import { gatewaysForTests } from '../../support/gateway/gateways.js';

const TOKENS = { ada: 'token-of-ada-0001', bob: 'token-of-bob-0001' };

const pairs = Object.entries(TOKENS).map(([name, token]) => `${name}:${token}`);
const { tokens } = readConfig({ LONGHAUL_TOKENS: pairs.join(',') });
const gateways = gatewaysForTests({ ...(tokens !== undefined && { tokens }) }, { features: createFeatureRegistry(everything) });

interface Answer {
  readonly status: number;
  readonly session: string | undefined;
  readonly challenge: string | null;
  readonly body: { readonly result?: Record<string, unknown>; readonly error?: { readonly code: number; readonly message: string } };
}

async function send(url: string, token: string | undefined, headers: Record<string, string>, message: object): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });
  return {
    status: response.status,
    session: response.headers.get('mcp-session-id') ?? undefined,
    challenge: response.headers.get('www-authenticate'),
    body: (await response.json()) as Answer['body'],
  };
}

const clientInfo = { name: 'test', version: '1' };
const initialize = { method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } };

async function openSession(url: string, token: string): Promise<string> {
  const { session } = await send(url, token, {}, initialize);
  return session ?? '';
}

/** A request of 2025-11-25 in a session. */
const inSession = (url: string, token: string, session: string, method: string, params: object = {}): Promise<Answer> =>
  send(url, token, { 'mcp-session-id': session }, { method, params });

/** A request of 2026-07-28, about a task. */
function modern(
  url: string,
  token: string | undefined,
  method: string,
  params: { readonly taskId?: string; readonly name?: string },
): Promise<Answer> {
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
  };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, 'mcp-name': params.taskId ?? params.name ?? '' };
  return send(url, token, headers, { method, params: { ...params, _meta: envelope } });
}

function taskIdIn(task: unknown): string {
  return String((task as { readonly taskId?: string } | undefined)?.taskId);
}

const research = { name: 'simulate-research-query', arguments: { topic: 'tides' } };

describe('a gateway with tokens', () => {
  it.each([undefined, 'a-token-of-nobody-01'])('lets nobody in with %j, and says what is missing', async (token) => {
    const answer = await send(gateways.first.url, token, {}, initialize);
    expect(answer).toMatchObject({
      status: 401,
      body: { error: { code: -32000, message: expect.stringContaining('Unauthorized') as string } },
    });
    expect(answer.challenge).toMatch(/^Bearer/);
    expect((await modern(gateways.first.url, token, 'tools/call', research)).status).toBe(401);
  });

  it('shows the session of another one as if there were none', async () => {
    const session = await openSession(gateways.first.url, TOKENS.ada);
    expect((await inSession(gateways.second.url, TOKENS.ada, session, 'tools/list')).status).toBe(200);
    expect(await inSession(gateways.second.url, TOKENS.bob, session, 'tools/list')).toMatchObject({
      status: 404,
      body: { error: { code: -32001 } },
    });
    const foreign = { method: 'DELETE', headers: { 'mcp-session-id': session, authorization: `Bearer ${TOKENS.bob}` } };
    expect((await fetch(gateways.first.url, foreign)).status).toBe(404);
    expect((await inSession(gateways.first.url, TOKENS.ada, session, 'ping')).status).toBe(200);
  });

  it('gives a task to its owner in every session, in both generations, and to nobody else', async () => {
    const session = await openSession(gateways.first.url, TOKENS.ada);
    const created = await inSession(gateways.first.url, TOKENS.ada, session, 'tools/call', { ...research, task: {} });
    const taskId = taskIdIn(created.body.result?.['task']);

    const other = await openSession(gateways.second.url, TOKENS.ada);
    expect((await inSession(gateways.second.url, TOKENS.ada, other, 'tasks/get', { taskId })).body.result).toMatchObject({ taskId });
    expect((await modern(gateways.second.url, TOKENS.ada, 'tasks/get', { taskId })).body.result).toMatchObject({
      taskId,
      resultType: 'complete',
    });

    const bobs = await openSession(gateways.first.url, TOKENS.bob);
    expect((await inSession(gateways.first.url, TOKENS.bob, bobs, 'tasks/get', { taskId })).body.error?.code).toBe(-32602);
    expect((await modern(gateways.first.url, TOKENS.bob, 'tasks/get', { taskId })).body.error?.code).toBe(-32602);
  });

  it('lists a task that was created in the newer generation in a session of the older one', async () => {
    const created = await modern(gateways.first.url, TOKENS.bob, 'tools/call', research);
    const taskId = created.body.result?.['taskId'];
    const session = await openSession(gateways.second.url, TOKENS.bob);
    const listed = (await inSession(gateways.second.url, TOKENS.bob, session, 'tasks/list')).body.result;
    expect(listed?.['tasks']).toContainEqual(expect.objectContaining({ taskId }));
  });
});
