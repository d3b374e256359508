/** Tests `longhaul stdio` with the client of the SDK and real processes. */
import {
  CallToolResultSchema,
  CreateTaskResultSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  TaskStatusNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { waitUntil } from '../support/wait-until.js';
import { Workplace } from './support/launcher.js';
import { connectStdio, GREETING, type StdioClient } from './support/stdio-client.js';

describe('longhaul stdio', () => {
  let place: Workplace;
  let stdio: StdioClient;
  const statuses: string[] = [];
  const updated: string[] = [];
  const asked: string[] = [];

  beforeAll(async () => {
    place = new Workplace();
    stdio = await connectStdio(place, {
      capabilities: { elicitation: { form: {} } },
      prepare: (client) => {
        client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
          asked.push(params.message);
          return { action: 'accept', content: { interpretation: 'historical' } };
        });
        client.setNotificationHandler(TaskStatusNotificationSchema, ({ params }) => void statuses.push(params.status));
        client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri));
        client.setNotificationHandler(LoggingMessageNotificationSchema, () => undefined);
      },
    });
  });
  afterAll(async () => {
    await stdio.close();
    await place.close();
  });

  const call = (name: string, args: Record<string, unknown>) => stdio.client.callTool({ name, arguments: args });

  test('says who it is, and lists and calls tools', async () => {
    expect(stdio.client.getServerVersion()).toMatchObject({ name: 'longhaul' });
    const { tools } = await stdio.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'simulate-research-query', 'stages']));
    expect(await call('echo', { message: 'hello' })).toMatchObject({ content: [{ type: 'text', text: 'Echo: hello' }] });
  });

  test('has prompts and resources, and notifies subscribers of a change', async () => {
    expect((await stdio.client.getPrompt({ name: 'greet', arguments: { name: 'Ada' } })).messages).toMatchObject([
      { content: { text: 'Say hello to Ada.' } },
    ]);
    expect((await stdio.client.readResource({ uri: 'test://note' })).contents).toMatchObject([{ text: 'noted' }]);
    await call('touch', {});
    await stdio.client.subscribeResource({ uri: 'test://note' });
    await call('touch', {});
    await waitUntil(() => updated.length > 0, { description: 'the client is notified of the change' });
    expect(updated).toEqual(['test://note']);
  });

  test('runs a task that asks its user, and sends its status', async () => {
    const request = { name: 'simulate-research-query', arguments: { topic: 'tides', ambiguous: true } };
    const received: string[] = [];
    for await (const message of stdio.client.experimental.tasks.callToolStream(request, CallToolResultSchema)) {
      if (message.type === 'error') throw message.error;
      received.push(message.type === 'result' ? JSON.stringify(message.result.content) : message.type);
    }
    expect(received[0]).toBe('taskCreated');
    expect(received.at(-1)).toContain('# Research Report: tides (historical)');
    expect(asked).toHaveLength(1);
    await waitUntil(() => statuses.includes('completed'), { description: 'the end has come on the standalone stream' });
  });

  test('passes progress on', async () => {
    const progress: number[] = [];
    const onprogress = (report: { progress: number }): void => void progress.push(report.progress);
    const result = await stdio.client.callTool({ name: 'stages', arguments: { ms: 100 } }, undefined, { onprogress });
    expect(result).toMatchObject({ content: [{ text: 'all stages done' }] });
    expect(progress[0]).toBe(1);
  });

  test('cancels a call and a task', async () => {
    const controller = new AbortController();
    const slow = stdio.client.callTool({ name: 'stages', arguments: { ms: 60_000 } }, undefined, {
      signal: controller.signal,
      onprogress: () => undefined,
    });
    const refused = expect(slow).rejects.toThrow('enough');
    const { task } = await stdio.client.request(
      { method: 'tools/call', params: { name: 'stages', arguments: { ms: 60_000 }, task: {} } },
      CreateTaskResultSchema,
    );
    controller.abort('enough');
    await refused;
    expect(await stdio.client.experimental.tasks.cancelTask(task.taskId)).toMatchObject({ status: 'cancelled' });
    await waitUntil(async () => (await stdio.client.experimental.tasks.listTasks()).tasks.every(({ status }) => status !== 'working'), {
      description: 'nothing works any more',
    });
  });

  test('lists the tasks of an earlier conversation in a new one', async () => {
    const later = await connectStdio(place);
    const { structuredContent } = await later.client.callTool({ name: 'task_list', arguments: {} });
    const { tasks } = structuredContent as { tasks: { tool: string; status: string }[] };
    expect(tasks).toContainEqual(expect.objectContaining({ tool: 'simulate-research-query', status: 'completed' }));
    await later.close();
  });

  test('answers a thousand calls at once', async () => {
    const answers = await Promise.all(Array.from({ length: 1_000 }, (_, index) => call('echo', { message: `${index}` })));
    expect(answers.map(({ content }) => (content as { text: string }[])[0]?.text)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => `Echo: ${index}`),
    );
  });

  test('answers many calls that take longer than a second', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => call('slow', { ms: 1_500 })));
    expect(new Set(answers.map(({ content }) => JSON.stringify(content))).size).toBe(1);
    expect(answers[0]).toMatchObject({ content: [{ text: 'after 1500 ms' }] });
  });

  test('passes on what is long', async () => {
    const { content } = await call('size', { length: 6_000_000 });
    expect((content as { text: string }[])[0]?.text).toHaveLength(6_000_000);
  });

  test('has nothing but messages on standard output, even when a feature writes to it', async () => {
    expect(await call('noisy', {})).toMatchObject({ content: [{ text: 'quiet' }] });
    const noise = 'noise by console\nnoise by stream\n';
    await waitUntil(() => stdio.stderr().includes('stream'), { description: 'the noise is on standard error' });
    expect(stdio.stderr().replace(GREETING, '')).toBe(noise);
    // A notification about a call that its client has just cancelled is no error of the server.
    expect(stdio.errors.filter(({ message }) => !message.includes('unknown token'))).toEqual([]);
  });
});
