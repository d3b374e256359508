/** Tests durable tools for clients of 2026-07-28 without tasks: the clients wait, are asked in rounds, and finally receive a task's id. */
import { beforeAll, describe, expect, it } from 'vitest';
import { countListeners } from '../../support/listeners.js';
import { waitUntil } from '../../support/wait-until.js';
import { gatewaysForTests } from '../../support/gateway/gateways.js';
import { modernFeatures } from '../../support/gateway-2026/features.js';
import { type ModernClient, modernClient, PLAIN_CLIENT, requestOf } from '../../support/gateway-2026/modern-client.js';
import { again, askedBy, keyOf, messagesOf, textOf } from '../../support/gateway-2026/rounds.js';
import { accept, getTask, startTask, untilStatus } from '../../support/gateway-2026/task-client.js';
import { visitedPages } from '../../support/gateway-2026/task-tools.js';

/** Under whom the tasks of these tests are listed: their clients are anonymous, and call from here. */

let here: ModernClient;
let there: ModernClient;

const gateways = gatewaysForTests({ keptQuestions: [] }, { features: modernFeatures });
beforeAll(async () => {
  here = modernClient(gateways.first, PLAIN_CLIENT);
  there = here.at(gateways.second);
});

const INVALID = { code: -32602, message: 'Invalid or expired requestState', data: { reason: 'invalid_request_state' } };

describe('an optional tool', () => {
  it('is waited for, and answers like any other tool', async () => {
    const { status, result, notifications } = await here.tool('count', { to: 2 });
    const { _meta, ...answer } = result;

    expect(status).toBe(200);
    expect(answer).toEqual({ resultType: 'complete', content: [{ type: 'text', text: 'counted to 2' }] });
    expect(notifications).toEqual([]);
  });

  it('reports its progress on the stream of the call, to a client that gave a token', async () => {
    const { result, notifications } = await here.call('tools/call', { name: 'count', arguments: { to: 3 } }, { progressToken: 'p-1' });

    expect(textOf({ result })).toBe('counted to 3');
    expect(notifications.at(-1)).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 'p-1', progress: 3, total: 3, message: 'step 3' },
    });
    const reported = notifications.map(({ params }) => (params as { progress: number }).progress);
    expect(reported).toEqual(reported.toSorted((a, b) => a - b));
  });

  it.each([
    [undefined, []],
    ['debug', ['details', { what: 'something' }]],
    ['warning', [{ what: 'something' }]],
  ])('logs to a client that wants the level %s', async (level, logged) => {
    const call = await here.open(
      'tools/call',
      { name: 'talk' },
      { progressToken: 1, ...(level && { 'io.modelcontextprotocol/logLevel': level }) },
    );
    await call.message('it is half way', ({ method }) => method === 'notifications/progress');
    const messages = (): unknown[] => call.messages().flatMap(({ method, params }) => (method === 'notifications/message' ? [params] : []));
    await waitUntil(() => messages().length >= logged.length, { description: 'it has logged' });
    call.hangUp();

    expect(messages().map((params) => (params as { data: unknown }).data)).toEqual(logged);
    expect(call.text()).not.toContain('elicitation/complete');
  });

  it('answers wrong arguments with a result, and an unknown tool with an error', async () => {
    expect(textOf(await here.tool('count', { to: 'x' }))).toContain('Invalid arguments for tool count: to');
    expect((await here.tool('nope')).error).toMatchObject({ code: -32602, message: 'Unknown tool: nope' });
  });
});

describe('an optional tool that asks', () => {
  it('is answered in rounds, at any gateway, by one task', async () => {
    const first = askedBy(await here.tool('ask-twice'));
    expect(messagesOf(first)).toEqual(['Your name?']);
    const second = askedBy(await there.tool('ask-twice', {}, again(first, { [keyOf(first, 'Your name?')]: accept({ name: 'Ada' }) })));
    expect(messagesOf(second)).toEqual(['Your friend?']);
    const last = await here.tool('ask-twice', {}, again(second, { [keyOf(second, 'Your friend?')]: accept({ name: 'Grace' }) }));

    expect(textOf(last)).toBe('Hello Ada and Grace');
    expect((await gateways.store.views()).filter(({ tool }) => tool === 'ask-twice')).toHaveLength(1);
  });

  it('asks what it asks at once in one answer, and takes some answers before the others', async () => {
    const asked = askedBy(await here.tool('ask-both'));
    expect(messagesOf(asked)).toEqual(['You?', 'Your friend?']);
    const part = askedBy(await there.tool('ask-both', {}, again(asked, { [keyOf(asked, 'Your friend?')]: accept({ friend: 'Grace' }) })));
    expect(messagesOf(part)).toEqual(['You?']);

    expect(textOf(await here.tool('ask-both', {}, again(part, { [keyOf(asked, 'You?')]: accept({ name: 'Ada' }) })))).toBe(
      '{"name":"Ada"},{"friend":"Grace"}',
    );
  });

  it('is refused at once, where no question is kept, to a client that declares less than before, and goes on when it declares it again', async () => {
    const first = askedBy(await here.tool('ask'));
    const { error } = await modernClient(gateways.second, { sampling: {} }).tool('ask', {}, again(first));
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } });

    const answer = again(first, Object.fromEntries(Object.keys(first.inputRequests).map((key) => [key, accept({ name: 'Ada' })])));
    expect(textOf(await there.tool('ask', {}, answer))).toContain('Ada');
  });

  it.each([
    ['nothing', undefined],
    ['an empty object', {}],
    ['another key', { other: accept({ name: 'Ada' }) }],
    ['a number', { $elicit: 7 }],
  ])('asks again when it is answered with %s', async (_title, inputResponses) => {
    const first = askedBy(await here.tool('ask'));
    const second = askedBy(await there.tool('ask', {}, again(first, inputResponses)));
    expect(second.inputRequests).toEqual(first.inputRequests);

    expect(textOf(await here.tool('ask', {}, again(second, { [keyOf(second, 'Your name?')]: accept({ name: 'Ada' }) })))).toBe('Hello Ada');
  });

  it.each([
    ['no action', { name: 'Ada' }, 'action'],
    ['content that does not fit the form', accept({ name: 7 }), '"name"'],
  ])('asks again, with the reason, when it is answered with %s', async (_title, answer, field) => {
    const first = askedBy(await here.tool('ask'));
    const second = askedBy(await there.tool('ask', {}, again(first, { [keyOf(first, 'Your name?')]: answer })));
    const [[key, asked] = ['']] = Object.entries(second.inputRequests);
    expect(asked?.params['message']).toMatch(new RegExp(`^[^\\n]*${field}[^\\n]*\\n\\nYour name\\?$`));

    expect(textOf(await here.tool('ask', {}, again(second, { [key]: accept({ name: 'Ada' }) })))).toBe('Hello Ada');
  });

  it('answers in the same way again when the last answer is lost and asked for again', async () => {
    const first = askedBy(await here.tool('ask'));
    const answered = again(first, { [keyOf(first, 'Your name?')]: accept({ name: 'Ada' }) });
    for (const client of [there, here, there]) expect(textOf(await client.tool('ask', {}, answered))).toBe('Hello Ada');
  });

  it('may ask before it becomes a task, and in it', async () => {
    const before = askedBy(await here.tool('prepare-and-ask'));
    expect(messagesOf(before)).toEqual(['You?']);
    const within = askedBy(await there.tool('prepare-and-ask', {}, again(before, { [keyOf(before, 'You?')]: accept({ name: 'Ada' }) })));
    expect(messagesOf(within)).toEqual(['Your friend?']);

    expect(
      textOf(await here.tool('prepare-and-ask', {}, again(within, { [keyOf(within, 'Your friend?')]: accept({ friend: 'Grace' }) }))),
    ).toBe('Ada and {"friend":"Grace"}');
  });

  it('reports its progress under the token of the request that waits', async () => {
    const first = askedBy(await here.call('tools/call', { name: 'ask-and-count' }, { progressToken: 'first' }));
    const answered = { name: 'ask-and-count', ...again(first, { [keyOf(first, 'You?')]: accept({ name: 'Ada' }) }) };
    const { notifications } = await there.call('tools/call', answered, { progressToken: 'second' });

    expect(notifications).toMatchObject([{ params: { progressToken: 'second', progress: 2 } }]);
  });

  it('becomes a task of the client when that declares the extension in a later round', async () => {
    const first = askedBy(await here.tool('ask'));
    const knowing = modernClient(gateways.second);
    const { result } = await knowing.tool('ask', {}, again(first, { [keyOf(first, 'Your name?')]: accept({ name: 'Ada' }) }));

    expect(result).toMatchObject({ resultType: 'task' });
    const task = await untilStatus(knowing, String(result['taskId']), 'completed');
    expect(textOf({ result: task['result'] as Record<string, unknown> })).toBe('Hello Ada');
  });

  it.each<[string, (state: string) => unknown]>([
    ['changed', (state) => `${state}-TAMPERED`],
    ['cut off', (state) => state.slice(0, 20)],
    ['empty', () => ''],
    ['no text', () => ({ taskId: 'x' })],
  ])('refuses a state that is %s', async (_title, changed) => {
    const { requestState } = askedBy(await here.tool('ask'));

    expect((await there.tool('ask', {}, { requestState: changed(requestState) })).error).toMatchObject({ code: -32602 });
  });

  it('refuses the state of another call', async () => {
    const asked = askedBy(await here.tool('ask'));

    expect((await there.tool('ask-twice', {}, again(asked))).error).toEqual(INVALID);
    expect((await there.tool('ask', { more: true }, again(asked))).error).toEqual(INVALID);
  });
});

describe('a tool whose user has to visit a page first', () => {
  it('asks for that as a task, and runs again when its user agrees', async () => {
    const knowing = modernClient(gateways.first);
    const { taskId } = await startTask(knowing, 'visit-in-task', { page: 'task-a' });
    const { inputRequests = {} } = await untilStatus(knowing, taskId, 'input_required');
    expect(Object.values(inputRequests)).toEqual([
      { method: 'elicitation/create', params: { mode: 'url', url: 'https://example.com/pages/task-a', message: 'Please visit the page.' } },
    ]);
    visitedPages.add('task-a');
    await knowing.call('tasks/update', { taskId, inputResponses: { [Object.keys(inputRequests)[0] ?? '']: { action: 'accept' } } });

    const task = await untilStatus(knowing, taskId, 'completed');
    expect(textOf({ result: task['result'] as Record<string, unknown> })).toBe('task-a was visited');
  });

  it('asks for that in a round, and ends when its user does not agree', async () => {
    const asked = askedBy(await here.tool('visit-in-task', { page: 'task-b' }));
    const [key = ''] = Object.keys(asked.inputRequests);
    const { result } = await there.tool('visit-in-task', { page: 'task-b' }, again(asked, { [key]: { action: 'decline' } }));

    expect(result).toMatchObject({ isError: true });
    expect(textOf({ result })).toBe('URL elicitation required: the user answered with decline.');
  });
});

describe('a client that hangs up', () => {
  it('after something has come leaves its call, whose task continues', async () => {
    const call = await here.open('tools/call', { name: 'talk' }, { progressToken: 1 });
    await call.message('it is half way', ({ method }) => method === 'notifications/progress');
    call.hangUp();
    const left = await waitUntil(
      async () =>
        (await gateways.store.views()).find(
          ({ tool, detachedAt, progressToken }) => tool === 'talk' && progressToken === 1 && detachedAt !== undefined,
        ),
      { description: 'its task has left the call' },
    );

    expect(left.ending).toBeUndefined();
  });

  it('from waiting for the result of an earlier call leaves that alone', async () => {
    const knowing = modernClient(gateways.first);
    const { taskId } = await startTask(knowing, 'sleep');
    const listeners = countListeners(gateways.second.store);
    const hangUp = new AbortController();
    const params = { name: 'task_result', arguments: { taskId } };
    const request = requestOf('waiting', 'tools/call', params, { capabilities: PLAIN_CLIENT });
    const waiting = fetch(gateways.second.url, { ...request, signal: hangUp.signal });
    await waitUntil(() => listeners(taskId) > 0, { description: 'it is waited for' });
    hangUp.abort();
    await expect(waiting).rejects.toThrow();
    await waitUntil(() => listeners(taskId) === 0, { description: 'it is not waited for any more' });

    expect((await getTask(knowing, taskId)).status).toBe('working');
    await knowing.call('tasks/cancel', { taskId });
  });
});
