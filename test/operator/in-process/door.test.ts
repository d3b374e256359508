/** Tests who may use the operator API, how browsers log in, and how the API describes itself. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stores } from '../../stores/support/stores.js';
import { operated, type Operated, TOKENS } from '../support/operated.js';

const REASON = 'it was asked for by phone';
const NOBODY = { authorization: '' };

describe('the door of the operator API', () => {
  let api: Operated;
  let opened: Awaited<ReturnType<(typeof stores)[number]['open']>>;
  beforeEach(async () => {
    opened = await stores[0]!.open();
    api = await operated(opened.store);
  });
  afterEach(async () => {
    await api.operator.close();
    await opened.close();
  });

  it('lets in who has a token, and says so to others', async () => {
    expect(await api.get('/api/v1/tasks', NOBODY)).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Bearer' },
      body: { code: 'UNAUTHORIZED' },
    });
    expect(await api.get('/api/v1/tasks', { authorization: 'Bearer of.somebody.else' })).toMatchObject({ status: 401 });
    expect((await api.get('/api/v1/tasks')).status).toBe(200);
  });

  it('lets those who may read only read', async () => {
    const reader = { authorization: `Bearer ${TOKENS.reader}` };
    const taskId = await api.create();
    expect((await api.get('/api/v1/tasks', reader)).status).toBe(200);
    const cancel = await api.post(`/api/v1/tasks/${taskId}/cancel`, { reason: REASON }, reader);
    expect(cancel).toMatchObject({ status: 403, body: { code: 'READ_ONLY', detail: expect.stringContaining('operate') as string } });
    expect((await api.get(`/api/v1/tasks/${taskId}`)).body).toMatchObject({ status: 'working' });
  });

  it('refuses pages of other places, and other names', async () => {
    expect(await api.get('/api/v1/tasks', { origin: 'https://evil.example' })).toMatchObject({
      status: 403,
      body: { code: 'ORIGIN_NOT_ALLOWED' },
    });
    expect(await api.get('/api/v1/tasks', { host: 'evil.example' })).toMatchObject({ status: 403, body: { code: 'HOST_NOT_SERVED' } });
  });

  it('lets a browser in with a cookie after a login with a token', async () => {
    expect(await api.post('/login', { token: 'of.somebody.else' }, NOBODY)).toMatchObject({ status: 401 });
    const login = await api.post('/login', { token: TOKENS.reader }, NOBODY);
    expect(login).toMatchObject({ status: 200, body: { name: 'reader', role: 'read' } });
    const cookie = String(login.headers['set-cookie']);
    expect(cookie).toMatch(/^longhaul_operator=[^;]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
    const [session = ''] = cookie.split(';');
    expect((await api.get('/api/v1/me', { ...NOBODY, cookie: session })).body).toEqual({ name: 'reader', role: 'read' });
    const forged = session.replace(/\.(\d+)\./, (_, until: string) => `.${Number(until) + 1}.`);
    expect(forged).not.toBe(session);
    expect(await api.get('/api/v1/me', { ...NOBODY, cookie: forged })).toMatchObject({ status: 401 });
  });

  it('ends a login at a logout, so that a cookie which somebody has kept is of no use at any process', async () => {
    const login = async (): Promise<string> => {
      const { headers } = await api.post('/login', { token: TOKENS.ada }, NOBODY);
      return String(headers['set-cookie']).split(';')[0] ?? '';
    };
    const [kept, other] = [await login(), await login()];
    expect(await api.post('/logout', {}, { ...NOBODY, cookie: kept })).toMatchObject({ status: 204 });
    const elsewhere = await operated(opened.store);
    for (const { get } of [api, elsewhere]) {
      expect(await get('/api/v1/me', { ...NOBODY, cookie: kept })).toMatchObject({ status: 401 });
      expect(await get('/api/v1/me', { ...NOBODY, cookie: other })).toMatchObject({ status: 200 });
    }
    await elsewhere.operator.close();
  });

  it('looks at no more tokens of an address that has shown too many wrong ones, by header and at the login', async () => {
    const strict = await operated(opened.store, { LONGHAUL_MAX_FAILED_AUTHENTICATIONS: '2' });
    expect(await strict.get('/api/v1/me')).toMatchObject({ status: 200, body: { name: 'ada' } });
    expect(await strict.get('/api/v1/me', { authorization: 'Bearer of.somebody.else' })).toMatchObject({ status: 401 });
    expect(await strict.post('/login', { token: 'of.somebody.else' }, NOBODY)).toMatchObject({ status: 401 });
    const refused = {
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) as string },
      body: { code: 'TOO_MANY_WRONG_TOKENS' },
    };
    expect(await strict.get('/api/v1/me', { authorization: `Bearer ${TOKENS.reader}` })).toMatchObject(refused);
    expect(await strict.post('/login', { token: TOKENS.reader }, NOBODY)).toMatchObject(refused);
    expect(await strict.get('/api/v1/me')).toMatchObject({ status: 200, body: { name: 'ada' } });
    await strict.operator.close();
  });

  it('counts wrong tokens for the address that the proxy names, behind one', async () => {
    const strict = await operated(opened.store, { LONGHAUL_MAX_FAILED_AUTHENTICATIONS: '1', LONGHAUL_OPS_PROXY_HOPS: '1' });
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const wrong = { authorization: 'Bearer of.somebody.else' };
    expect(await strict.get('/api/v1/me', { ...wrong, ...from('203.0.113.7') })).toMatchObject({ status: 401 });
    expect(await strict.get('/api/v1/me', from('203.0.113.7'))).toMatchObject({ status: 429 });
    // What stands before the proxy's entry is from the client.
    expect(await strict.get('/api/v1/me', from('203.0.113.9, 203.0.113.7'))).toMatchObject({ status: 429 });
    expect(await strict.get('/api/v1/me', from('203.0.113.8'))).toMatchObject({ status: 200 });
    await strict.operator.close();
  });

  it('counts wrong tokens for the connection when there is no proxy, no matter what a header says', async () => {
    const strict = await operated(opened.store, { LONGHAUL_MAX_FAILED_AUTHENTICATIONS: '1' });
    const wrong = { authorization: 'Bearer of.somebody.else' };
    expect(await strict.get('/api/v1/me', { ...wrong, 'x-forwarded-for': '203.0.113.7' })).toMatchObject({ status: 401 });
    expect(await strict.get('/api/v1/me', { 'x-forwarded-for': '203.0.113.8' })).toMatchObject({ status: 429 });
    await strict.operator.close();
  });

  it('says of every answer that nobody may keep it, or take it for something else than its type says', async () => {
    const url = await api.operator.app.listen({ host: '127.0.0.1', port: 0 });
    const paths = (await api.get('/openapi.json', NOBODY)).body['paths'] as Record<string, object>;
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x')] as const),
    );
    const others = [
      '/',
      '/assets/none.js',
      '/openapi.json',
      '/livez',
      '/readyz',
      '/mcp',
      '/nowhere',
      '/%',
      `/api/v1/tasks/${'x'.repeat(2_000)}`,
    ];
    const initialize = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const tried: (readonly [string, string])[] = [...documented, ['POST', '/mcp'], ...others.map((path) => ['GET', path] as const)];
    for (const [method, path] of tried) {
      for (const token of [TOKENS.ada, 'of.somebody.else']) {
        const answer = await fetch(`${url}${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
          ...(method !== 'GET' && { body: JSON.stringify(initialize) }),
        });
        await answer.body?.cancel();
        const { headers, status } = answer;
        const said = [method, path, status, headers.get('cache-control')?.split(', ')[0], headers.get('x-content-type-options')];
        expect(said).toEqual([method, path, status, 'no-store', 'nosniff']);
      }
    }
  });

  it('lets no page of another port of this machine use the cookie', async () => {
    const { headers } = await api.post('/login', { token: TOKENS.ada }, NOBODY);
    const [cookie = ''] = String(headers['set-cookie']).split(';');
    const pause = (origin: string) => api.post('/api/v1/queue/pause', { reason: REASON }, { ...NOBODY, cookie, origin });
    expect(await pause('http://localhost:8080')).toMatchObject({ status: 403, body: { code: 'ORIGIN_NOT_ALLOWED' } });
    expect((await api.get('/api/v1/queue')).body).toMatchObject({ paused: { all: false } });
    const logout = await api.post('/logout', {}, { ...NOBODY, cookie, origin: 'http://localhost:8080' });
    expect(logout).toMatchObject({ status: 403, body: { code: 'ORIGIN_NOT_ALLOWED' } });
    expect(await pause('http://localhost')).toMatchObject({ status: 200 });
  });

  it.each([
    ['ops.example.com', 'https://ops.example.com:8443'],
    ['OPS.example.com', 'https://ops.example.com'],
    ['*', 'https://ops.example.com:8443'],
  ])('lets pages use the cookie where LONGHAUL_OPS_ALLOWED_HOSTS is %s: %s', async (allowed, origin) => {
    const behind = await operated(opened.store, { LONGHAUL_OPS_ALLOWED_HOSTS: allowed });
    const from = { ...NOBODY, host: 'localhost:3010', origin };
    const login = await behind.post('/login', { token: TOKENS.ada }, from);
    expect(login).toMatchObject({ status: 200 });
    const [cookie = ''] = String(login.headers['set-cookie']).split(';');
    expect(await behind.get('/api/v1/me', { ...from, cookie })).toMatchObject({ status: 200, body: { name: 'ada' } });
    if (allowed !== '*')
      expect(await behind.get('/api/v1/me', { ...from, cookie, origin: 'http://localhost:8080' })).toMatchObject({ status: 403 });
    await behind.operator.close();
  });

  it('refuses a member and a parameter that it does not know, on every route', async () => {
    const paths = (await api.get('/openapi.json', NOBODY)).body['paths'] as Record<string, object>;
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ path: path.replaceAll(/\{\w+\}/g, 'x'), method })),
    );
    const ofApi = routes.filter(({ path }) => path.startsWith('/api/'));
    expect(ofApi.length).toBeGreaterThan(35);
    for (const { path, method } of ofApi) {
      const answer = await (method === 'get'
        ? api.get(`${path}?statuss=failed`)
        : api[method as 'post' | 'put' | 'patch' | 'delete'](path, { reason: REASON, statuss: ['failed'] }));
      expect([method, path, answer.status]).toEqual([method, path, 400]);
      expect(JSON.stringify(answer.body['errors'])).toContain('statuss');
    }
  });

  it.each([
    ['a type of its own', '/api/v1/bulk/count', { 'content-type': 'text/plain' }, '{}', 415, 'The Content-Type must be application/json.'],
    ['no body', '/api/v1/bulk/count', {}, '', 400, 'The body must be JSON in UTF-8.'],
    ['half of a body', '/api/v1/bulk/count', {}, '{"action":', 400, 'The body must be JSON in UTF-8.'],
    ['bytes that are not UTF-8', '/api/v1/bulk/count', {}, Buffer.from('{"a":"\xff"}', 'latin1'), 400, 'The body must be JSON in UTF-8.'],
    ['too large a body', '/api/v1/bulk/count', {}, JSON.stringify('x'.repeat(2 ** 20)), 413, 'The body has more than 1048576 bytes.'],
    ['half of a character', '/api/v1/tasks/%ED%A0%80/cancel', {}, '{}', 400, 'The path must be UTF-8, with percent-encoding.'],
    ['too long a part', `/api/v1/tasks/${'x'.repeat(1_025)}/cancel`, {}, '{}', 414, 'A part of the path has more than 1024 characters.'],
  ])('says in words of its own what is wrong with how a request was sent: %s', async (_what, url, headers, payload, status, detail) => {
    const sent = { authorization: `Bearer ${TOKENS.ada}`, host: '127.0.0.1', 'content-type': 'application/json', ...headers };
    const response = await api.operator.app.inject({ method: 'POST', url, headers: sent, payload });
    expect(response.headers['content-type']).toContain('application/problem+json');
    expect(response.json()).toMatchObject({ status, code: 'INVALID_REQUEST', detail });
  });

  it('does an operation to all tasks only for who says so, and has seen how many', async () => {
    for (let count = 0; count < 3; count++) await api.create();
    const begin = (more: object) => api.post('/api/v1/bulk', { action: 'cancel', filter: {}, reason: REASON, ...more });
    expect(await begin({})).toMatchObject({ status: 400, body: { errors: [{ field: 'all' }, { field: 'matched' }] } });
    expect(await begin({ all: true })).toMatchObject({ status: 400, body: { errors: [{ field: 'matched' }] } });
    expect(await begin({ all: true, matched: 2 })).toMatchObject({ status: 409, body: { code: 'MORE_TASKS_FIT' } });
    expect(await begin({ all: true, matched: 3, filter: { tool: 'a' } })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'all' }] },
    });
    expect(await begin({ all: true, matched: 3 })).toMatchObject({ status: 202, body: { matched: 3 } });
  });

  it('describes all of its routes as OpenAPI 3.1, with an operation id and what it answers', async () => {
    const { body } = await api.get('/openapi.json', NOBODY);
    expect(body).toMatchObject({ openapi: '3.1.0', info: { title: 'Longhaul operator API' } });
    const paths = body['paths'] as Record<string, Record<string, { responses?: object }>>;
    expect(Object.keys(paths).toSorted()).toMatchObject([
      '/api/v1/audit',
      '/api/v1/audit/export',
      '/api/v1/audit/verify',
      '/api/v1/bulk',
      '/api/v1/bulk/count',
      '/api/v1/bulk/{id}',
      '/api/v1/bulk/{id}/abort',
      '/api/v1/bulk/{id}/events',
      '/api/v1/bulk/{id}/made',
      '/api/v1/bulk/{id}/resume',
      '/api/v1/failures',
      '/api/v1/failures/{id}',
      '/api/v1/failures/{id}/dismiss',
      '/api/v1/failures/{id}/reopen',
      '/api/v1/failures/{id}/retry',
      '/api/v1/failures/{id}/snooze',
      '/api/v1/me',
      '/api/v1/overview/events',
      '/api/v1/owners/limits',
      '/api/v1/principals/holdings',
      '/api/v1/principals/restore',
      '/api/v1/principals/revoke',
      '/api/v1/principals/revoked',
      '/api/v1/questions',
      '/api/v1/queue',
      '/api/v1/queue/pause',
      '/api/v1/queue/resume',
      '/api/v1/schedules',
      '/api/v1/schedules/{name}',
      '/api/v1/schedules/{name}/backfill',
      '/api/v1/schedules/{name}/pause',
      '/api/v1/schedules/{name}/resume',
      '/api/v1/schedules/{name}/run',
      '/api/v1/servers',
      '/api/v1/servers/{name}',
      '/api/v1/servers/{name}/off',
      '/api/v1/servers/{name}/on',
      '/api/v1/servers/{name}/restart',
      '/api/v1/service/tasks',
      '/api/v1/service/tasks/{taskId}',
      '/api/v1/service/tasks/{taskId}/cancel',
      '/api/v1/service/tasks/{taskId}/signals',
      '/api/v1/stats',
      '/api/v1/tasks',
      '/api/v1/tasks/events',
      '/api/v1/tasks/import',
      '/api/v1/tasks/search',
      '/api/v1/tasks/{taskId}',
      '/api/v1/tasks/{taskId}/answers/{key}',
      '/api/v1/tasks/{taskId}/cancel',
      '/api/v1/tasks/{taskId}/events',
      '/api/v1/tasks/{taskId}/export',
      '/api/v1/tasks/{taskId}/history',
      '/api/v1/tasks/{taskId}/result',
      '/api/v1/tasks/{taskId}/retry',
      '/api/v1/tasks/{taskId}/signals',
      '/api/v1/tasks/{taskId}/timeline',
      '/api/v1/tenants',
      '/api/v1/tenants/{name}',
      '/api/v1/tools',
      '/api/v1/tools/{name}/tasks',
      '/api/v1/warnings',
      '/api/v1/webhooks',
      '/api/v1/workers',
      '/login',
      '/logout',
    ]);
    expect(Object.keys((body['components'] as { schemas: object }).schemas)).toEqual(
      expect.arrayContaining(['TaskSummary', 'TaskDetails', 'Problem', 'Question']),
    );
  });
});
