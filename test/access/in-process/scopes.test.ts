/**
 * Tests where scopes are required in addition to the methods: in lists, by tools that stand for methods, in answers, batches and
 * hierarchies.
 */
import { describe, expect, it } from 'vitest';
import { guardedFeatures } from '../support/guarded-features.js';
import { ALL, BASE, challenged, guardedForTests, LONGHAUL_SCOPES, NEW, OLD, scopeOf } from '../support/guarded-service.js';
import { protectedForTests } from '../support/protected-service.js';
import { bearer, client2026, initialize, send, type TokenAnswer } from '../support/requests.js';

const { started, tokenWith, made, clientOf } = guardedForTests();

describe('what is listed', () => {
  it.each([...OLD, ...NEW])('is what the token allows, in %s', async (version) => {
    const client = await clientOf(version);
    const methods = ALL.filter((scope) => !scope.startsWith('f:'));
    const names = async (method: string, member: string, scopes: readonly string[]): Promise<unknown[]> => {
      const { result } = await client.call(method, {}, await tokenWith([...methods, ...scopes]));
      return ((result?.[member] ?? []) as { name: string }[]).map(({ name }) => name);
    };
    const standIns = version === '2025-11-25' ? ['task_result', 'task_status', 'task_cancel', 'task_list', 'task_answer'] : [];
    expect(await names('tools/list', 'tools', [])).toEqual(['open', 'whoami', 'whoami-later', ...standIns]);
    expect(await names('tools/list', 'tools', ['f:inline'])).toEqual(['open', 'inline', 'whoami', 'whoami-later', ...standIns]);
    expect(await names('prompts/list', 'prompts', [])).toEqual([]);
    expect(await names('prompts/list', 'prompts', ['f:prompt'])).toEqual(['letter']);
    expect(await names('resources/list', 'resources', [])).toEqual([]);
    expect(await names('resources/list', 'resources', ['f:resource', 'f:template'])).toEqual(['plan', 'first']);
    expect(await names('resources/templates/list', 'resourceTemplates', [])).toEqual([]);
    expect(await names('resources/templates/list', 'resourceTemplates', ['f:template'])).toEqual(['note']);
  });

  it('has no tasks of tools that the token does not allow', async () => {
    const { taskId } = await made();
    const client = await clientOf('2025-11-25');
    const listed = async (scopes: readonly string[]): Promise<unknown[]> =>
      (await client.call('tasks/list', {}, await tokenWith(scopes))).result?.['tasks'] as unknown[];
    expect(await listed(ALL)).toContainEqual(expect.objectContaining({ taskId }));
    expect(await listed(ALL.filter((scope) => scope !== 'f:durable'))).toEqual([]);
  });
});

describe('the tools that stand for the methods of tasks', () => {
  it.each([
    ['task_status', 'tasks/get'],
    ['task_result', 'tasks/get'],
    ['task_cancel', 'tasks/cancel'],
  ])('ask for what the method asks for: %s', async (name, method) => {
    const { taskId } = await made();
    const client = client2026(started.url, await tokenWith(ALL), {});
    const ask = async (scopes: readonly string[]): Promise<number> =>
      (await client.call('tools/call', { name, arguments: { taskId } }, await tokenWith(scopes))).status;
    for (const lacking of [scopeOf(method), 'f:durable']) expect(await ask(ALL.filter((scope) => scope !== lacking))).toBe(403);
    expect(await ask([BASE, scopeOf('tools/call'), scopeOf(method), 'f:durable'])).toBe(200);
  });
});

describe('the result of a task as a resource', () => {
  it('asks in 2025-11-25 for what tasks/result asks for too', async () => {
    const { taskId } = await made();
    const client = await clientOf('2025-11-25');
    const read = async (scopes: readonly string[]): Promise<number> =>
      (await client.call('resources/read', { uri: `longhaul://tasks/${taskId}/result` }, await tokenWith(scopes))).status;
    expect(await read(ALL.filter((scope) => scope !== scopeOf('tasks/result')))).toBe(403);
    expect(await read(ALL)).toBe(200);
  });
});

describe('an answer to what a task asks', () => {
  const UPDATE = scopeOf('tasks/update');

  it('needs what tasks/update needs when it comes with task_result', async () => {
    const client = client2026(started.url, await tokenWith(ALL), { elicitation: { form: {} } });
    const asked = await client.call('tools/call', { name: 'asking', arguments: {} });
    const [key = ''] = Object.keys(asked.result?.['inputRequests'] as object);
    const { taskId } = started.service.created.at(-1) ?? { taskId: '' };
    const inputResponses = { [key]: { action: 'decline' } };
    const ask = async (scopes: readonly string[], more: object): Promise<TokenAnswer> =>
      client.call('tools/call', { name: 'task_result', arguments: { taskId }, ...more }, await tokenWith(scopes));
    const lacking = ALL.filter((scope) => scope !== UPDATE);
    expect((await ask(lacking, {})).result).toMatchObject({ resultType: 'input_required' });
    const refused = await ask(lacking, { inputResponses });
    expect(refused.status).toBe(403);
    expect(challenged(refused)).toEqual([BASE, 'f:asking', UPDATE, scopeOf('tasks/get'), scopeOf('tools/call')].toSorted());
    expect((await ask(ALL, { inputResponses })).result).toMatchObject({ content: [{ text: 'decline' }] });
  });

  it('needs what tasks/update needs when the call is repeated with it, and nothing is recorded without', async () => {
    const client = client2026(started.url, await tokenWith(ALL), { elicitation: { form: {} } });
    const params = { name: 'asking', arguments: {} };
    const asked = await client.call('tools/call', params);
    const [key = ''] = Object.keys(asked.result?.['inputRequests'] as object);
    const answered = { ...params, requestState: asked.result?.['requestState'], inputResponses: { [key]: { action: 'decline' } } };
    const refused = await client.call('tools/call', answered, await tokenWith(ALL.filter((scope) => scope !== UPDATE)));
    expect(refused.status).toBe(403);
    expect(challenged(refused)).toEqual([BASE, 'f:asking', UPDATE, scopeOf('tools/call')].toSorted());
    expect((await client.call('tools/call', { ...params, requestState: asked.result?.['requestState'] })).result).toMatchObject({
      resultType: 'input_required',
    });
    expect((await client.call('tools/call', answered)).result).toMatchObject({ content: [{ text: 'decline' }] });
  });

  it('needs what tasks/update needs when it is a response', async () => {
    const client = await clientOf('2025-11-25');
    const respond = async (scopes: readonly string[]): Promise<TokenAnswer> =>
      send(
        started.url,
        { jsonrpc: '2.0', id: 'unknown', result: {} },
        { ...bearer(await tokenWith(scopes)), ...client.headersFor('ping') },
      );
    const refused = await respond(ALL.filter((scope) => scope !== UPDATE));
    expect(refused.status).toBe(403);
    expect(challenged(refused)).toEqual([BASE, UPDATE].toSorted());
    expect((await respond([BASE, UPDATE])).status).toBe(202);
  });
});

describe('the tools of the page of a task', () => {
  const SHOWS_PAGES = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };

  it.each([
    ['task_view', 'tasks/get', {}],
    ['task_answer', 'tasks/update', { key: 'none', action: 'decline' }],
  ])('ask for what the method asks for, and for what the tool of the task does: %s', async (name, method, more) => {
    const { taskId } = await made();
    const client = client2026(started.url, await tokenWith(ALL), SHOWS_PAGES);
    const ask = async (scopes: readonly string[]): Promise<TokenAnswer> =>
      client.call('tools/call', { name, arguments: { taskId, ...more } }, await tokenWith(scopes));
    expect(await ask(ALL)).toMatchObject({ status: 200, error: undefined });
    expect((await ask(ALL.filter((scope) => scope !== scopeOf(method)))).status).toBe(403);
    const ofTask = await ask(ALL.filter((scope) => scope !== 'f:durable'));
    expect([ofTask.status, ofTask.result]).toEqual([403, undefined]);
    expect(challenged(ofTask)).toEqual([BASE, 'f:durable', scopeOf(method), scopeOf('tools/call')].toSorted());
    expect(ofTask.error?.data).toMatchObject({ reason: 'INSUFFICIENT_SCOPE' });
  });
});

describe('several messages at once', () => {
  it('need what each of them needs', async () => {
    const token = await tokenWith(ALL);
    const { session } = await send(
      started.url,
      { ...initialize, params: { ...initialize.params, protocolVersion: '2025-03-26' } },
      bearer(token),
    );
    const batch = [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'inline', arguments: {} } },
    ];
    const ask = async (scopes: readonly string[]): Promise<TokenAnswer> =>
      send(started.url, batch, { ...bearer(await tokenWith(scopes)), 'mcp-session-id': session ?? '' });
    const needed = [BASE, scopeOf('ping'), scopeOf('tools/call'), 'f:inline'];
    for (const lacking of needed) {
      const refused = await ask(needed.filter((scope) => scope !== lacking));
      expect(refused.status).toBe(403);
      expect(challenged(refused)).toEqual(needed.toSorted());
    }
    expect((await ask(needed)).status).toBe(200);
  });
});

describe('a static token', () => {
  const protectedByBoth = protectedForTests({
    features: guardedFeatures,
    env: { LONGHAUL_SCOPES, LONGHAUL_TOKENS: 'ada:token-of-ada-0001' },
  });

  it('allows everything', async () => {
    const client = client2026(protectedByBoth.url, 'token-of-ada-0001');
    expect(await client.call('tools/call', { name: 'two', arguments: {} })).toMatchObject({ status: 200, error: undefined });
  });
});

describe('a scope that includes others', () => {
  const withHierarchy = protectedForTests({
    features: guardedFeatures,
    env: { LONGHAUL_SCOPES: JSON.stringify({ required: ['read'], includes: { admin: ['write'], write: ['read', 'f:inline'] } }) },
  });

  it('stands for them, and for those that they include', async () => {
    const status = async (scope: string): Promise<number> => {
      const token = await withHierarchy.issuer.token({ claims: { scope } });
      return (await client2026(withHierarchy.url, token).call('tools/call', { name: 'inline', arguments: {} })).status;
    };
    expect([await status('admin'), await status('write'), await status('read')]).toEqual([200, 200, 403]);
  });
});
