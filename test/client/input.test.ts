/** Tests the questions of tools and their answers, in both generations, at a gateway of this project. */
import { type InputContext, InputFailedError, type InputHandlers, type TaskClient, type TaskReference } from '@longhaul/client';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { serviceForTests } from '../support/gateway/gateway.js';
import { waitUntil } from '../support/wait-until.js';
import { ASKABLE, Clients, GENERATIONS, named, rejection, textOf } from './support/clients.js';
import { clientTools } from './support/tools.js';

const { features } = clientTools();
const clients = new Clients();
let url: string;

const service = serviceForTests({ features });
beforeAll(async () => {
  url = await service.listen();
});
afterEach(() => clients.close());

const model: InputHandlers = {
  sampling: () => ({ role: 'assistant', content: { type: 'text', text: 'pelican' }, model: 'test' }),
  roots: () => ({ roots: [{ uri: 'file:///work' }] }),
};

describe.each(GENERATIONS)('in generation %s', (generation) => {
  const connected = (onInput?: InputHandlers): Promise<TaskClient> =>
    clients.connect(url, { generation, capabilities: ASKABLE, ...(onInput !== undefined && { onInput }) });

  it('user, model and roots are asked by a task at the same time', async () => {
    const client = await connected();
    const contexts: InputContext[] = [];
    const open: (() => void)[] = [];
    // No answer is given before all questions were asked.
    const together = <Answer>(answer: Answer, context: InputContext): Promise<Answer> => {
      contexts.push(context);
      const asked = Promise.withResolvers<Answer>();
      open.push(() => asked.resolve(answer));
      if (open.length === 3) for (const release of open) release();
      return asked.promise;
    };
    const onInput: InputHandlers = {
      elicitation: (params, context) => together({ action: 'accept' as const, content: { name: params.message } }, context),
      sampling: (_params, context) =>
        together({ role: 'assistant' as const, content: { type: 'text' as const, text: 'pelican' }, model: 'test' }, context),
      roots: (context) => together({ roots: [{ uri: 'file:///work' }] }, context),
    };
    expect(textOf(await client.callTool('ask-all', {}, { onInput }))).toBe('Your name?, pelican, file:///work');
    const { taskId } = service.created.at(-1)!;
    expect(contexts.map((context) => [context.tool, context.taskId])).toEqual(contexts.map(() => ['ask-all', taskId]));
  });

  it('each question of a task is asked once, and the status shows that it waits', async () => {
    const client = await connected();
    const asked: string[] = [];
    const statuses: string[] = [];
    const onInput: InputHandlers = {
      elicitation: ({ message }) => {
        asked.push(message);
        return { action: 'accept', content: { name: message.toLowerCase() } };
      },
    };
    const result = await client.callTool('ask-late', {}, { onInput, onStatus: ({ status }) => void statuses.push(status) });
    expect(textOf(result)).toBe('first? and second?');
    expect(asked).toEqual(['First?', 'Second?']);
    expect(statuses).toContain('input_required');
    expect(statuses.at(-1)).toBe('completed');
  });

  it('an answer goes out while other questions are still open', async () => {
    const client = await connected();
    const late = Promise.withResolvers<{ roots: { uri: string }[] }>();
    const called = client.callTool('ask-all', {}, { onInput: { ...named('Ada'), ...model, roots: () => late.promise } });
    await waitUntil(
      async () => (await service.tasks.get(service.created.at(-1)!.taskId, service.created.at(-1)!)).pendingInputs.length === 1,
      {
        description: 'one question is left',
      },
    );
    late.resolve({ roots: [{ uri: 'file:///late' }] });
    expect(textOf(await called)).toBe('Ada, pelican, file:///late');
  });

  it('the user may decline', async () => {
    const client = await connected({ elicitation: () => ({ action: 'decline' }) });
    expect(textOf(await client.callTool('ask-late'))).toBe('decline and decline');
  });

  it('what the tool asks before it becomes a task is answered as well', async () => {
    const client = await connected(named('Ada'));
    const contexts: (string | undefined)[] = [];
    const onInput: InputHandlers = {
      elicitation: (_params, { taskId }) => {
        contexts.push(taskId);
        return { action: 'accept', content: { name: 'Eve' } };
      },
    };
    expect(textOf(await client.callTool('ask-before'))).toBe('prepared for Ada');
    expect(textOf(await client.callTool('ask-before', {}, { onInput }))).toBe('prepared for Eve');
    expect(contexts).toEqual([undefined]);
  });

  it('a call without a task is asked, and its own onInput goes before that of the connection', async () => {
    const client = await connected(named('Ada'));
    expect(textOf(await client.callTool('ask-inline'))).toBe('Hello Ada');
    expect(textOf(await client.callTool('ask-inline', {}, { onInput: named('Eve') }))).toBe('Hello Eve');
    expect(textOf(await client.callTool('ask-inline', {}, { onInput: model }))).toBe('Hello Ada');
  });

  it('calls at the same time are asked each by its own onInput', async () => {
    const client = await connected();
    const asked: string[] = [];
    const answers = (who: string): InputHandlers => ({
      elicitation: ({ message }) => {
        asked.push(`${who}: ${message}`);
        return { action: 'accept', content: { name: who } };
      },
    });
    const calls = ['Ada', 'Eve', 'Joe'].map((who) => client.callTool('ask-inline', { who }, { onInput: answers(who) }));
    expect((await Promise.all(calls)).map(textOf)).toEqual(['Hello Ada', 'Hello Eve', 'Hello Joe']);
    expect(asked.toSorted()).toEqual(['Ada: The name of Ada?', 'Eve: The name of Eve?', 'Joe: The name of Joe?']);
  });

  it('the capabilities are those of onInput, unless others are given', async () => {
    const client = await clients.connect(url, { generation, onInput: named('Ada') });
    expect(textOf(await client.callTool('ask-inline'))).toBe('Hello Ada');
    // It has neither model nor roots.
    expect(await client.callTool('ask-all')).toMatchObject({ isError: true });
  });

  it('aborting the call aborts what is being asked', async () => {
    const client = await connected();
    const abort = new AbortController();
    let prompt: AbortSignal | undefined;
    const onInput: InputHandlers = {
      elicitation: (_params, { signal }) => {
        prompt = signal;
        abort.abort(new Error('no time'));
        return new Promise(() => undefined);
      },
    };
    await expect(client.callTool('ask-late', {}, { onInput, signal: abort.signal })).rejects.toThrow('no time');
    expect(prompt?.aborted).toBe(true);
    const created = service.created.at(-1)!;
    expect(await service.tasks.get(created.taskId, created)).toMatchObject({ ending: { kind: 'cancelled' } });
  });
});

describe('a question that cannot be answered', () => {
  const broken: InputHandlers = {
    elicitation: () => {
      throw new Error('no window');
    },
  };

  it('fails the call in generation 2026-07-28, and the task can be resumed with a better answer', async () => {
    const client = await clients.connect(url, { capabilities: ASKABLE });
    const error = await rejection(client.callTool('ask-late', {}, { onInput: broken }));
    expect(error).toBeInstanceOf(InputFailedError);
    expect(error).toMatchObject({ message: 'onInput.elicitation failed: no window', cause: { message: 'no window' } });
    const { reference } = error as { reference?: TaskReference };
    expect(textOf(await client.resumeTask(reference!, { onInput: named('Ada') }))).toBe('Ada and Ada');
  });

  it('fails the call in generation 2026-07-28 when there is no function for it', async () => {
    const client = await clients.connect(url, { capabilities: ASKABLE });
    for (const tool of ['ask-late', 'ask-inline'])
      expect(await rejection(client.callTool(tool))).toMatchObject({
        name: 'InputFailedError',
        message: 'The server asks for elicitation/create, but onInput has no function "elicitation".',
      });
  });

  it('fails the call in generation 2026-07-28 when the function returns something else', async () => {
    const client = await clients.connect(url, { onInput: { elicitation: () => ({ action: 'maybe' }) as never } });
    for (const tool of ['ask-late', 'ask-inline'])
      expect(await rejection(client.callTool(tool))).toMatchObject({
        name: 'InputFailedError',
        message: expect.stringContaining('What onInput.elicitation returned is no answer: ') as string,
      });
  });

  it('is answered with an error in generation 2025-11-25, which does not say the reason, and the tool goes on', async () => {
    const errors: Error[] = [];
    const client = await clients.connect(url, {
      generation: '2025-11-25',
      capabilities: ASKABLE,
      onInput: broken,
      onError: (error) => void errors.push(error),
    });
    const result = await client.callTool('ask-late');
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain('no window');
    expect(errors).toContainEqual(expect.objectContaining({ message: 'onInput.elicitation failed: no window' }));
  });
});
