/**
 * Tests scopes for every method × its possible objects × both protocol versions. With all scopes that the operation needs it succeeds. If
 * any one of them is missing, it is refused, the refusal names all of them, and nothing has been made.
 */
import { type MethodName, METHODS } from '@longhaul/gateway/methods';
import { beforeAll, describe, expect, it } from 'vitest';
import { OF_FEATURES, ALL, BASE, challenged, guardedForTests, type Made, NEW, OLD, scopeOf } from '../support/guarded-service.js';
import { bearer, client2025, initialize, send, type TokenAnswer, type TokenClient } from '../support/requests.js';

const { started, tokenWith, made, clientOf } = guardedForTests();

/** Something that a caller may want, and what it needs for that. */
interface Operation {
  readonly method: MethodName;
  /** What it is about, for the title. */
  readonly about: string;
  readonly params: (made: Made) => Record<string, unknown>;
  /** In addition to the scopes that every request and its method need. */
  readonly needs: readonly string[];
  readonly versions?: readonly TokenClient['version'][];
  /** Whether its stream stays open. */
  readonly isStream?: boolean;
}

const operation = (
  method: MethodName,
  about: string,
  params: Operation['params'] | Record<string, unknown> = {},
  needs: readonly string[] = [],
  more: Partial<Operation> = {},
): Operation => ({ method, about, params: typeof params === 'function' ? params : () => params, needs, ...more });

const tool = (name: string, needs: readonly string[], versions?: Operation['versions']): Operation =>
  operation('tools/call', `tool ${name}`, { name, arguments: {} }, needs, versions && { versions });
const ofTask = (method: MethodName, versions: Operation['versions'], more: Record<string, unknown> = {}): Operation =>
  operation(method, 'a task of durable', ({ taskId }) => ({ taskId, ...more }), ['f:durable'], versions && { versions });

const OPERATIONS: readonly Operation[] = [
  operation('initialize', 'nothing', initialize.params, [], { versions: OLD }),
  operation('ping', 'nothing', {}, [], { versions: OLD }),
  operation('server/discover', 'nothing', {}, [], { versions: NEW }),
  operation('logging/setLevel', 'nothing', { level: 'info' }, [], { versions: OLD }),
  operation('tools/list', 'nothing'),
  operation('prompts/list', 'nothing'),
  operation('resources/list', 'nothing'),
  operation('resources/templates/list', 'nothing'),
  operation('tasks/list', 'nothing', {}, [], { versions: OLD }),
  tool('open', []),
  tool('inline', ['f:inline']),
  tool('two', ['f:inline', 'f:two']),
  tool('durable', ['f:durable']),
  operation('tools/call', 'tool durable as a task', { name: 'durable', arguments: {}, task: {} }, ['f:durable'], { versions: OLD }),
  operation('prompts/get', 'prompt letter', { name: 'letter', arguments: { to: 'Ada' } }, ['f:prompt']),
  operation('resources/read', 'a resource', { uri: 'doc://plan' }, ['f:resource']),
  operation('resources/read', 'a resource of a template', { uri: 'note://7' }, ['f:template']),
  operation(
    'resources/read',
    'the result of a task',
    ({ taskId }) => ({ uri: `longhaul://tasks/${taskId}/result/1` }),
    [scopeOf('tasks/get'), 'f:durable'],
    { versions: NEW },
  ),
  operation('resources/subscribe', 'a resource', { uri: 'doc://plan' }, ['f:resource'], { versions: OLD }),
  operation('resources/subscribe', 'a resource of a template', { uri: 'note://7' }, ['f:template'], { versions: OLD }),
  operation('resources/unsubscribe', 'a resource', { uri: 'doc://plan' }, [], { versions: OLD }),
  operation('completion/complete', 'prompt letter', { ref: { type: 'ref/prompt', name: 'letter' }, argument: { name: 'to', value: '' } }, [
    'f:prompt',
  ]),
  operation(
    'completion/complete',
    'a template',
    { ref: { type: 'ref/resource', uri: 'note://{id}' }, argument: { name: 'id', value: '' } },
    ['f:template'],
  ),
  operation(
    'subscriptions/listen',
    'a resource',
    { notifications: { resourceSubscriptions: ['doc://plan', 'note://7'] } },
    ['f:resource', 'f:template'],
    { versions: NEW, isStream: true },
  ),
  operation(
    'subscriptions/listen',
    'a task of durable',
    ({ taskId }) => ({ notifications: { taskIds: [taskId] } }),
    [scopeOf('tasks/get'), 'f:durable'],
    {
      versions: NEW,
      isStream: true,
    },
  ),
  ofTask('tasks/get', undefined),
  ofTask('tasks/result', OLD),
  ofTask('tasks/update', NEW, { inputResponses: {} }),
  ofTask('tasks/cancel', NEW),
  // Last: the session is of no use after it.
  operation('shutdown', 'nothing', {}, [], { versions: OLD }),
];

const CASES = OPERATIONS.flatMap((each) =>
  (each.versions ?? [...OLD, ...NEW]).map((version) => [`${each.method} of ${each.about} in ${version}`, { ...each, version }] as const),
);

describe('scopes', () => {
  let there: Made;

  beforeAll(async () => {
    there = await made();
  });

  it('are asked of every method', () => {
    expect([...new Set(OPERATIONS.map(({ method }) => method))].toSorted()).toEqual(Object.keys(METHODS).toSorted());
  });

  it('are asked of every feature that has some', () => {
    const asked = new Set(OPERATIONS.flatMap(({ needs }) => needs));
    expect([...asked, 'f:asking'].filter((scope) => scope.startsWith('f:')).toSorted()).toEqual(OF_FEATURES.toSorted());
  });

  it.each(CASES)('%s', async (_title, { method, params, needs, version, isStream = false }) => {
    const needed = [BASE, scopeOf(method), ...needs];
    const client = await clientOf(version);
    const request = params(there);
    const created = started.service.created.length;
    const ask = (token: string): Promise<TokenAnswer> =>
      method === 'initialize' ? send(started.url, initialize, bearer(token)) : client.call(method, request, token);
    for (const lacking of needed) {
      const answer = await ask(await tokenWith(ALL.filter((scope) => scope !== lacking)));
      expect([lacking, answer.status]).toEqual([lacking, 403]);
      expect(answer.challenge).toMatch(/^Bearer error="insufficient_scope", .*resource_metadata="http/);
      expect(challenged(answer)).toEqual(needed.toSorted());
      expect(answer.session).toBeNull();
      expect(answer.error?.data).toMatchObject({ reason: 'INSUFFICIENT_SCOPE' });
    }
    expect(started.service.created).toHaveLength(created);
    if (isStream) return expect(await client.open(method, request, await tokenWith(needed))).toBe(200);
    const answer = await ask(await tokenWith(needed));
    expect([answer.status, answer.error]).toEqual([200, undefined]);
  });
});

describe('the streams of a session', () => {
  const open = async (method: string, scopes: readonly string[], more: Record<string, string> = {}): Promise<Response> => {
    const client = await client2025(started.url, await tokenWith(ALL));
    return fetch(started.url, {
      method,
      headers: { accept: 'text/event-stream', ...bearer(await tokenWith(scopes)), ...client.headersFor('ping'), ...more },
    });
  };

  it('need what listening needs', async () => {
    for (const lacking of [BASE, scopeOf('subscriptions/listen')]) {
      const refused = await open(
        'GET',
        ALL.filter((scope) => scope !== lacking),
      );
      expect(refused.status).toBe(403);
      expect(refused.headers.get('www-authenticate')).toContain(`scope="${BASE} ${scopeOf('subscriptions/listen')}"`);
    }
    const opened = await open('GET', [BASE, scopeOf('subscriptions/listen')]);
    expect(opened.status).toBe(200);
    await opened.body?.cancel();
  });

  it('need to end what every request needs', async () => {
    expect((await open('DELETE', ALL.slice(1))).status).toBe(403);
    expect((await open('DELETE', [BASE])).status).toBe(200);
  });

  it('are taken up again by who may do what they answer', async () => {
    const token = await tokenWith(ALL);
    const client = await client2025(started.url, token);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'durable', arguments: { ms: 60_000 } } };
    const hangUp = new AbortController();
    const response = await fetch(started.url, {
      method: 'POST',
      signal: hangUp.signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...bearer(token),
        ...client.headersFor('tools/call'),
      },
      body: JSON.stringify(call),
    });
    const chunk = await response.body?.pipeThrough(new TextDecoderStream()).getReader().read();
    const eventId = /^id: (\S+)$/m.exec(chunk?.value ?? '')?.[1] ?? '';
    expect(eventId).not.toBe('');
    hangUp.abort();
    const resume = async (scopes: readonly string[]): Promise<Response> =>
      fetch(started.url, {
        headers: {
          accept: 'text/event-stream',
          'last-event-id': eventId,
          ...bearer(await tokenWith(scopes)),
          ...client.headersFor('ping'),
        },
      });
    const refused = await resume(ALL.filter((scope) => scope !== 'f:durable'));
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toContain('f:durable');
    const resumed = await resume(ALL);
    expect(resumed.status).toBe(200);
    await resumed.body?.cancel();
  });
});
