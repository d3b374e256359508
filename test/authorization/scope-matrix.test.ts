/**
 * Every method × what it may be about × both protocol versions: with all scopes that the operation needs it is done, and without any
 * single one of them it is refused, with all of them named, and nothing has been made.
 */
import { METHODS, type MethodName } from '@longhaul/gateway/methods';
import { beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../support/wait-until.js';
import { guardedFeatures } from './support/guarded-features.js';
import { protectedForTests } from './support/protected-service.js';
import { bearer, client2025, client2026, initialize, send, type TokenAnswer, type TokenClient } from './support/requests.js';

const BASE = 'base';
const scopeOf = (method: string): string => `m:${method}`;
const LONGHAUL_SCOPES = JSON.stringify({
  required: [BASE],
  methods: Object.fromEntries(Object.keys(METHODS).map((method) => [method, [scopeOf(method)]])),
});

const started = protectedForTests({ features: guardedFeatures, env: { LONGHAUL_SCOPES } });
const OF_FEATURES = ['f:inline', 'f:two', 'f:durable', 'f:asking', 'f:prompt', 'f:resource', 'f:template'];
const ALL = [BASE, ...Object.keys(METHODS).map(scopeOf), ...OF_FEATURES];

const tokenWith = (scopes: readonly string[], sub = 'ada'): Promise<string> =>
  started.issuer.token({ claims: { sub, scope: scopes.join(' ') } });

/** Something that a caller may want, and what it needs for that. */
interface Operation {
  readonly method: MethodName;
  /** What it is about, for the title. */
  readonly about: string;
  readonly params: (made: Made) => Record<string, unknown>;
  /** Beside what every request and its method need. */
  readonly needs: readonly string[];
  readonly versions?: readonly TokenClient['version'][];
  /** Whether its stream stays open. */
  readonly isStream?: boolean;
}

/** What there is to ask about. */
interface Made {
  readonly taskId: string;
}

const OLD = ['2025-11-25'] as const;
const NEW = ['2026-07-28'] as const;
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
  operation('subscriptions/listen', 'a task of durable', ({ taskId }) => ({ notifications: { taskIds: [taskId] } }), ['f:durable'], {
    versions: NEW,
    isStream: true,
  }),
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

async function made(): Promise<Made> {
  const creator = client2026(started.url, await tokenWith(ALL));
  const { result } = await creator.call('tools/call', { name: 'durable', arguments: {} });
  const taskId = String(result?.['taskId']);
  await waitUntil(async () => (await creator.call('tasks/get', { taskId })).result?.['status'] === 'completed', {
    description: 'the task has ended',
  });
  return { taskId };
}

/** A client that was let in with everything, and then shows other tokens. */
async function clientOf(version: TokenClient['version']): Promise<TokenClient> {
  const token = await tokenWith(ALL);
  return version === '2025-11-25' ? client2025(started.url, token) : client2026(started.url, token);
}

/** The scopes that a challenge names. */
function challenged({ challenge }: TokenAnswer): string[] {
  return (/scope="([^"]*)"/.exec(challenge ?? '')?.[1] ?? '').split(' ').toSorted();
}

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
    expect([...asked, 'f:asking'].toSorted()).toEqual(OF_FEATURES.toSorted());
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

describe('what is listed', () => {
  it.each([...OLD, ...NEW])('is what the token allows, in %s', async (version) => {
    const client = await clientOf(version);
    const methods = ALL.filter((scope) => !scope.startsWith('f:'));
    const names = async (method: string, member: string, scopes: readonly string[]): Promise<unknown[]> => {
      const { result } = await client.call(method, {}, await tokenWith([...methods, ...scopes]));
      return ((result?.[member] ?? []) as { name: string }[]).map(({ name }) => name);
    };
    expect(await names('tools/list', 'tools', [])).toEqual(['open', 'whoami', 'whoami-later']);
    expect(await names('tools/list', 'tools', ['f:inline'])).toEqual(['open', 'inline', 'whoami', 'whoami-later']);
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
