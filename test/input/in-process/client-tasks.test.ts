/** Tests the tools with requests that the client runs as its own tasks, with the SDK's own client. */
import { features as everything } from '@longhaul/everything';
import { createFeatureRegistry } from '@longhaul/mcp-features';
import { InMemoryTaskMessageQueue, InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { CallToolResultSchema, type CreateTaskResult, type Result } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type Answer,
  AnsweringClients,
  BOTH_WAYS,
  CAPABILITIES,
  type Extra,
  MESSAGE,
  pretty,
  textsOf,
} from '../../support/answering-clients.js';
import { gatewaysForTests } from '../../support/gateway/gateways.js';

const SAMPLE = 'trigger-sampling-request-async';
const ELICIT = 'trigger-elicitation-request-async';
const FORM = { name: 'Ada', favoriteColor: 'Red', agreeToTerms: true };

const gateways = gatewaysForTests({}, { features: createFeatureRegistry(everything) });
const clients = new AnsweringClients(() => gateways.first.url);
/** Ids of the tasks that the client of the running test made. */
const theirs: string[] = [];

afterEach(async () => {
  theirs.length = 0;
  await clients.close();
});

type Store = NonNullable<Extra['taskStore']>;

/** Answers with a task that still works, and has ended when it is asked for. */
function byTask(end: (store: Store, taskId: string) => Promise<void>): Answer {
  return async ({ params }, { taskStore }): Promise<CreateTaskResult> => {
    if (taskStore === undefined) throw new Error('The client has no task store.');
    const { ttl } = z.object({ ttl: z.number() }).parse(params?.['task']);
    // A copy: the store changes the one that it gives out.
    const task = { ...(await taskStore.createTask({ ttl, pollInterval: 50 })) };
    theirs.push(task.taskId);
    await end(taskStore, task.taskId);
    return { task };
  };
}

const completing = (result: Result): Answer => byTask((store, taskId) => store.storeTaskResult(taskId, 'completed', result));
const ending = (status: 'failed' | 'cancelled', message: string): Answer =>
  byTask((store, taskId) => store.updateTaskStatus(taskId, status, message));

const connect = (answer: Answer) => clients.answering(answer, { taskStore: new InMemoryTaskStore() });
const progress = (status: string): string => `Task created: ${theirs[0]}\nPoll 1: ${status}`;
/** The client says of its result which task it belongs to. */
const related = (result: object): object => ({ _meta: { 'io.modelcontextprotocol/related-task': { taskId: theirs[0] } }, ...result });

describe.each(BOTH_WAYS)('sampling in a task of the client, %s', (_how, call) => {
  it('shows the answer of the model and how it came', async () => {
    const { client, asked } = await connect(completing(MESSAGE));
    const result = await call(client, SAMPLE, { prompt: 'Say hello', maxTokens: 9 });
    expect(textsOf(result)).toEqual([
      `[COMPLETED] Async sampling completed!\n\n**Progress:**\n${progress('completed')}\n\n**Result:**\n${pretty(related(MESSAGE))}`,
    ]);
    expect(asked).toMatchObject([
      {
        task: { ttl: 300_000 },
        messages: [{ role: 'user', content: { type: 'text', text: `Resource ${SAMPLE} context: Say hello` } }],
        systemPrompt: 'You are a helpful test server.',
        maxTokens: 9,
        temperature: 0.7,
      },
    ]);
  });

  it.each([
    ['failed', 'no model'],
    ['cancelled', 'user left'],
  ] as const)('has a result that says that the task %s', async (status, message) => {
    const { client } = await connect(ending(status, message));
    const result = await call(client, SAMPLE, { prompt: 'Say hello' });
    expect(textsOf(result)).toEqual([`[${status.toUpperCase()}] ${message}\n\nProgress:\n${progress(`${status} - ${message}`)}`]);
    expect(result.isError).toBeUndefined();
  });
});

describe.each(BOTH_WAYS)('a form in a task of the client, %s', (_how, call) => {
  it.each<[Result, string[]]>([
    [
      { action: 'accept', content: FORM },
      ['[COMPLETED] User provided the requested information!', 'User inputs:\n- Name: Ada\n- Favorite Color: Red\n- Agreed to terms: true'],
    ],
    [{ action: 'decline' }, ['[DECLINED] User declined to provide the requested information.']],
    [{ action: 'cancel' }, ['[CANCELLED] User cancelled the elicitation dialog.']],
  ])('has %j in its result', async (result, texts) => {
    const { client, asked } = await connect(completing(result));
    const said = textsOf(await call(client, ELICIT));
    const closing = `\nProgress:\n${progress('completed')}\n\nRaw result: ${pretty(related(result))}`;
    expect(said).toEqual([...texts, closing]);
    expect(asked).toMatchObject([
      {
        task: { ttl: 600_000 },
        message: 'Please provide inputs for the following fields (async task demo):',
        requestedSchema: { properties: { favoriteColor: { enum: ['Red', 'Blue', 'Green', 'Yellow', 'Purple'] } }, required: ['name'] },
      },
    ]);
  });

  it('has a result that says that the task failed', async () => {
    const { client } = await connect(ending('failed', 'no screen'));
    const result = await call(client, ELICIT);
    expect(textsOf(result)).toEqual([`[FAILED] no screen\n\nProgress:\n${progress('failed - no screen')}`]);
  });
});

describe.each(BOTH_WAYS)('a request about a task of the client, %s', (_how, call) => {
  it('names that task and no other', async () => {
    const now = new Date().toISOString();
    const task = { taskId: 'theirs', status: 'working', ttl: null, createdAt: now, lastUpdatedAt: now, pollInterval: 50 };
    const polled: unknown[] = [];
    const client = await clients.silent(CAPABILITIES, (prepared) => {
      prepared.fallbackRequestHandler = async ({ method, params }) => {
        if (method === 'sampling/createMessage') return { task };
        polled.push([method, params]);
        return method === 'tasks/get' ? { ...task, status: 'completed' } : MESSAGE;
      };
    });
    expect(textsOf(await call(client, SAMPLE, { prompt: 'Hi' }))).toEqual([expect.stringContaining('[COMPLETED]')]);
    expect(polled).toEqual([
      ['tasks/get', { taskId: 'theirs' }],
      ['tasks/result', { taskId: 'theirs' }],
    ]);
  });
});

describe.each(BOTH_WAYS)('a client that does not do what it declared, %s', (_how, call) => {
  it('may answer at once', async () => {
    const client = await clients.silent(CAPABILITIES, (prepared) => {
      prepared.fallbackRequestHandler = async ({ method }) =>
        method === 'elicitation/create' ? { content: FORM, action: 'accept' } : { ...MESSAGE, _meta: {} };
    });
    const at = '[SYNC] Client executed synchronously:\n';
    expect(textsOf(await call(client, ELICIT))).toEqual([`${at}${pretty({ action: 'accept', content: FORM })}`]);
    const { role, content, model, stopReason } = MESSAGE;
    expect(textsOf(await call(client, SAMPLE, { prompt: 'Hi' }))).toEqual([`${at}${pretty({ role, content, model, stopReason })}`]);
  });

  it('gets an error as its result when it has forgotten its task', async () => {
    const store = new InMemoryTaskStore();
    const forgetting = byTask(async () => store.cleanup());
    const { client } = await clients.answering(forgetting, { taskStore: store });
    const result = await call(client, SAMPLE, { prompt: 'Hi' });
    expect(result.isError).toBe(true);
    expect(textsOf(result)).toEqual([expect.stringContaining('Task not found')]);
  });

  it('gets an error as its result when what it made is no task', async () => {
    const client = await clients.silent(CAPABILITIES, (prepared) => {
      prepared.fallbackRequestHandler = async () => ({ task: { taskId: 'theirs' } });
    });
    const result = await call(client, SAMPLE, { prompt: 'Hi' });
    expect(result.isError).toBe(true);
    expect(textsOf(result)).toEqual([expect.stringContaining('task.status')]);
  });
});

describe('a client with a message queue beside its task store', () => {
  const connectQueued = () =>
    clients.answering(completing(MESSAGE), { taskStore: new InMemoryTaskStore(), taskMessageQueue: new InMemoryTaskMessageQueue() });
  const [[, callPlainly], [, callAsTask]] = BOTH_WAYS;

  it('is served by a plain call', async () => {
    const { client } = await connectQueued();
    expect(textsOf(await callPlainly(client, SAMPLE, { prompt: 'Hi' }))).toEqual([expect.stringContaining('[COMPLETED]')]);
  });

  it('looks for the task of the call in its own store, and gets its own answer as the result', async () => {
    const { client } = await connectQueued();
    const result = await callAsTask(client, SAMPLE, { prompt: 'Hi' });
    expect(result.isError).toBe(true);
    expect(textsOf(result)).toEqual([expect.stringContaining('Task not found')]);
  });
});

describe("the stock client's own way to run a task", () => {
  it.each([
    [SAMPLE, completing(MESSAGE), '[COMPLETED] Async sampling completed!'],
    [ELICIT, completing({ action: 'accept', content: FORM }), '[COMPLETED] User provided the requested information!'],
  ])('drives %s from the handle to the result', async (name, answer, text) => {
    const { client } = await connect(answer);
    const seen: string[] = [];
    const stream = client.experimental.tasks.callToolStream({ name, arguments: { prompt: 'Hi' } }, CallToolResultSchema, { task: {} });
    for await (const message of stream) {
      seen.push(message.type);
      if (message.type === 'error') throw message.error;
      if (message.type === 'result') expect(textsOf(message.result)[0]).toContain(text);
    }
    expect(seen[0]).toBe('taskCreated');
    expect(seen.at(-1)).toBe('result');
  });
});
