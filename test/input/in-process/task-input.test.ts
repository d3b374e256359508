/** Tests the questions of a task of the tasks extension to its client, and the answers, at any gateway. */
import { beforeAll, describe, expect, it } from 'vitest';
import { gatewaysForTests } from '../../support/gateway/gateways.js';
import { modernFeatures } from '../../support/gateway-2026/features.js';
import { type ModernClient, modernClient, TASKS } from '../../support/gateway-2026/modern-client.js';
import { accept, getTask, startTask, untilStatus, update, type WireTask } from '../../support/gateway-2026/task-client.js';

let here: ModernClient;
let there: ModernClient;

const gateways = gatewaysForTests({}, { features: modernFeatures });
beforeAll(async () => {
  here = modernClient(gateways.first);
  there = here.at(gateways.second);
});

/** A task, when it has asked. */
async function asking(name: string, args: object = {}): Promise<WireTask & Required<Pick<WireTask, 'inputRequests'>>> {
  const { taskId } = await startTask(here, name, args);
  const task = await untilStatus(there, taskId, 'input_required');
  const { inputRequests = {} } = task;
  return { ...task, inputRequests };
}

const keysOf = ({ inputRequests = {} }: WireTask): string[] => Object.keys(inputRequests);

/** The key under which the task asks by this method, or by a form with this message. */
function keyOf({ inputRequests = {} }: WireTask, asked: string): string {
  const found = Object.entries(inputRequests).find(([, { method, params }]) => method === asked || params['message'] === asked);
  if (found === undefined) throw new Error(`The task does not ask "${asked}".`);
  return found[0];
}

const textOf = (task: WireTask): unknown => (task['result'] as { content: { text: string }[] }).content[0]?.text;

describe('a task that asks', () => {
  it('shows all that it asks at that moment, each as a request without id under a key of its own', async () => {
    const task = await asking('ask-everything');

    expect(Object.values(task.inputRequests)).toEqual([
      {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: 'You?',
          requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        },
      },
      {
        method: 'sampling/createMessage',
        params: { maxTokens: 1_000, messages: [{ role: 'user', content: { type: 'text', text: 'A word?' } }] },
      },
      { method: 'roots/list', params: {} },
    ]);
    await here.call('tasks/cancel', { taskId: task.taskId });
  });

  it('shows the same again until it is answered', async () => {
    const task = await asking('ask-both');
    for (const client of [here, there]) expect((await getTask(client, task.taskId)).inputRequests).toEqual(task.inputRequests);
    await here.call('tasks/cancel', { taskId: task.taskId });
  });

  it('shows each request only what that declares it can be asked', async () => {
    const { taskId } = await asking('ask-everything');
    const methodsFor = async (capabilities: object): Promise<string[]> => {
      const reader = modernClient(gateways.second, { extensions: { [TASKS]: {} }, ...capabilities });
      return Object.values((await getTask(reader, taskId)).inputRequests ?? {}).map(({ method }) => method);
    };
    expect(await methodsFor({})).toEqual([]);
    expect(await methodsFor({ roots: {} })).toEqual(['roots/list']);
    expect(await methodsFor({ elicitation: {}, sampling: {} })).toEqual(['elicitation/create', 'sampling/createMessage']);
    await here.call('tasks/cancel', { taskId });
  });

  it('goes on when everything is answered at once', async () => {
    const task = await asking('ask-everything');
    const { result, error } = await update(here, task.taskId, {
      [keyOf(task, 'elicitation/create')]: accept({ name: 'Ada' }),
      [keyOf(task, 'sampling/createMessage')]: { role: 'assistant', model: 'm', content: { type: 'text', text: 'word' } },
      [keyOf(task, 'roots/list')]: { roots: [{ uri: 'file:///home' }] },
    });
    const { _meta, ...acknowledgement } = result;

    expect(error).toBeUndefined();
    expect(acknowledgement).toEqual({ resultType: 'complete' });
    expect(textOf(await untilStatus(there, task.taskId, 'completed'))).toBe(
      JSON.stringify(['{"name":"Ada"}', { type: 'text', text: 'word' }, ['file:///home']]),
    );
  });

  it.each(['decline', 'cancel'])('hears that its user answered with %s', async (action) => {
    const task = await asking('ask');
    await update(there, task.taskId, { [keyOf(task, 'Your name?')]: { action } });

    expect(textOf(await untilStatus(here, task.taskId, 'completed'))).toBe(`No name: ${action}`);
  });

  it('shows an answered question no more at the very next look, at whichever gateway, while it waits for the other one', async () => {
    const task = await asking('ask-both');
    const [first = '', second = ''] = keysOf(task);
    await update(here, task.taskId, { [second]: accept({ friend: 'Grace' }) });
    for (const client of [there, here]) {
      const seen = await getTask(client, task.taskId);
      expect(seen.status).toBe('input_required');
      expect(keysOf(seen)).toEqual([first]);
    }
    await update(there, task.taskId, { [first]: accept({ name: 'Ada' }) });

    expect(textOf(await untilStatus(here, task.taskId, 'completed'))).toBe('{"name":"Ada"},{"friend":"Grace"}');
  });

  it('is not input_required any more when its only question is answered', async () => {
    const task = await asking('ask-twice');
    await update(here, task.taskId, { [keyOf(task, 'Your name?')]: accept({ name: 'Ada' }) });
    const seen = await getTask(there, task.taskId);

    // Either it has not gone on yet, or it asks the next thing.
    expect(keysOf(seen)).not.toContain(keyOf(task, 'Your name?'));
    expect(seen.status === 'working').toBe(seen.inputRequests === undefined);
    await here.call('tasks/cancel', { taskId: task.taskId });
  });

  it('never uses a key for another question, not in a second attempt either', async () => {
    const task = await asking('ask-and-fail');
    const first = keyOf(task, 'You?');
    await update(here, task.taskId, { [first]: accept({ name: 'Ada' }) });
    const again = await untilStatus(there, task.taskId, 'input_required');
    const second = keyOf(again, 'Your friend?');

    expect(keysOf(again)).toEqual([second]);
    expect(second).not.toBe(first);
    await update(there, task.taskId, { [second]: accept({ friend: 'Grace' }) });
    expect(textOf(await untilStatus(here, task.taskId, 'completed'))).toBe('{"name":"Ada"} {"friend":"Grace"}');
  });

  it('asks the client of this revision plainly where one of the other could run a task of its own', async () => {
    const capabilities = {
      sampling: {},
      tasks: { requests: { sampling: { createMessage: {} } } },
      extensions: { 'io.modelcontextprotocol/tasks': {} },
    };
    const client = modernClient(gateways.first, capabilities);
    const { taskId } = await startTask(client, 'ask-with-client-task');
    const task = await untilStatus(client, taskId, 'input_required');

    expect(Object.values(task.inputRequests ?? {})).toEqual([
      {
        method: 'sampling/createMessage',
        params: { maxTokens: 10, messages: [{ role: 'user', content: { type: 'text', text: 'A word?' } }] },
      },
    ]);
    await update(client, taskId, {
      [keyOf(task, 'sampling/createMessage')]: { role: 'assistant', model: 'm', content: { type: 'text', text: 'w' } },
    });
    expect(textOf(await untilStatus(client, taskId, 'completed'))).toContain('"kind":"immediate"');
  });
});

describe('tasks/update', () => {
  it('passes over what is not asked: keys that never were, and keys that are answered', async () => {
    const task = await asking('ask-twice');
    const first = keyOf(task, 'Your name?');
    expect((await update(here, task.taskId, { 'never asked': { ignored: true } })).result).toMatchObject({ resultType: 'complete' });
    expect(keysOf(await getTask(there, task.taskId))).toEqual([first]);
    await update(here, task.taskId, { [first]: accept({ name: 'Ada' }) });
    const again = await untilStatus(here, task.taskId, 'input_required');
    expect((await update(there, task.taskId, { [first]: accept({ name: 'somebody else' }) })).result).toMatchObject({
      resultType: 'complete',
    });
    await update(there, task.taskId, { [keyOf(again, 'Your friend?')]: accept({ name: 'Grace' }) });

    expect(textOf(await untilStatus(here, task.taskId, 'completed'))).toBe('Hello Ada and Grace');
  });

  it('takes the first of two answers that come at the same time', async () => {
    const task = await asking('ask');
    const key = keyOf(task, 'Your name?');
    const answers = await Promise.all([
      update(here, task.taskId, { [key]: accept({ name: 'Ada' }) }),
      update(there, task.taskId, { [key]: accept({ name: 'Grace' }) }),
    ]);
    for (const { result } of answers) expect(result).toMatchObject({ resultType: 'complete' });

    expect(textOf(await untilStatus(here, task.taskId, 'completed'))).toMatch(/^Hello (Ada|Grace)$/);
  });

  it('is acknowledged for a task that has ended', async () => {
    const { taskId } = await startTask(here, 'count', { to: 1 });
    await untilStatus(here, taskId, 'completed');

    expect((await update(there, taskId, { anything: {} })).result).toMatchObject({ resultType: 'complete' });
  });

  it('is acknowledged without any answer in it', async () => {
    const task = await asking('ask');

    expect((await update(there, task.taskId, {})).result).toMatchObject({ resultType: 'complete' });
    expect(keysOf(await getTask(here, task.taskId))).toEqual(keysOf(task));
    await here.call('tasks/cancel', { taskId: task.taskId });
  });

  it.each([
    ['an action that there is not', { action: 'maybe' }],
    ['no action', { content: { name: 'Ada' } }],
    ['content that is no object', { action: 'accept', content: 'Ada' }],
    ['content that does not fit the form', accept({ friend: 7 })],
    ['content without a required field', accept({ friend: null })],
    ['a number', 7],
    ['null', null],
    ['an array', [accept({ name: 'Ada' })]],
    ['the envelope of a response', { result: accept({ name: 'Ada' }) }],
    ['the envelope of a request', { method: 'elicitation/create', result: accept({ name: 'Ada' }) }],
  ])('refuses an answer that is %s by its key, and nothing is lost', async (_title, answer) => {
    const task = await asking('ask-both');
    const [first = '', second = ''] = keysOf(task);
    const { status, error } = await update(there, task.taskId, { [first]: accept({ name: 'Ada' }), [second]: answer });

    expect(status).toBe(200);
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(`inputResponses.${second}`) as string });
    expect((await getTask(here, task.taskId)).inputRequests).toEqual(task.inputRequests);
    await here.call('tasks/cancel', { taskId: task.taskId });
  });

  it('refuses an answer of the wrong kind for what the model and the client were asked', async () => {
    const task = await asking('ask-everything');
    for (const method of ['sampling/createMessage', 'roots/list']) {
      const key = keyOf(task, method);
      const { error } = await update(there, task.taskId, { [key]: accept({}) });
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(`inputResponses.${key}`) as string });
    }
    await here.call('tasks/cancel', { taskId: task.taskId });
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'yes'],
    ['an array', [{}]],
  ])('refuses %s in the place of the answers', async (_title, inputResponses) => {
    const task = await asking('ask');

    expect((await update(there, task.taskId, inputResponses)).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('inputResponses: expected object') as string,
    });
    await here.call('tasks/cancel', { taskId: task.taskId });
  });

  it.each(['toString', '__proto__', 'constructor'])('takes the key %s for one that is not asked', async (key) => {
    const task = await asking('ask');

    expect((await update(here, task.taskId, JSON.parse(`{"${key}":{}}`))).result).toMatchObject({ resultType: 'complete' });
    await here.call('tasks/cancel', { taskId: task.taskId });
  });

  it.each(['nope', crypto.randomUUID()])('refuses the id %s, which no task has', async (taskId) => {
    expect((await update(here, taskId, {})).error).toEqual({ code: -32602, message: 'Failed to retrieve task: Task not found' });
  });
});

describe('tasks/cancel', () => {
  it('is acknowledged at once and with nothing else, and ends the task', async () => {
    const { taskId } = await startTask(here, 'sleep');
    const { result } = await there.call('tasks/cancel', { taskId });
    const { _meta, ...acknowledgement } = result;

    expect(acknowledgement).toEqual({ resultType: 'complete' });
    expect((await getTask(here, taskId)).status).toBe('cancelled');
  });

  it('ends a task that asks, which then asks nothing any more', async () => {
    const task = await asking('ask');
    await there.call('tasks/cancel', { taskId: task.taskId });
    const seen = await getTask(here, task.taskId);

    expect(seen.status).toBe('cancelled');
    expect(seen).not.toHaveProperty('inputRequests');
  });

  it.each(['completed', 'cancelled', 'failed'])(
    'of a task that is %s is acknowledged in the same way, and changes nothing',
    async (status) => {
      const isCancelled = status === 'cancelled';
      const args = { result: status === 'failed' ? 'rpc-error' : 'text' };
      const { taskId } = await startTask(here, isCancelled ? 'sleep' : 'must-be-task', isCancelled ? {} : args);
      if (isCancelled) await here.call('tasks/cancel', { taskId });
      const before = await untilStatus(here, taskId, status);
      const { _meta, ...acknowledgement } = (await there.call('tasks/cancel', { taskId })).result;

      expect(acknowledgement).toEqual({ resultType: 'complete' });
      expect(await getTask(here, taskId)).toEqual({ ...before, pollIntervalMs: expect.any(Number) as number });
    },
  );

  it.each(['nope', crypto.randomUUID()])('refuses the id %s, which no task has', async (taskId) => {
    expect((await here.call('tasks/cancel', { taskId })).error).toEqual({
      code: -32602,
      message: 'Failed to retrieve task: Task not found',
    });
  });

  it('does not mean the call behind a task when it names a request: notifications/cancelled ends no task', async () => {
    const { taskId } = await startTask(here, 'sleep');
    const notification = await here.open('notifications/cancelled', { requestId: taskId });
    await notification.ended();

    expect((await getTask(there, taskId)).status).toBe('working');
    await here.call('tasks/cancel', { taskId });
  });
});
