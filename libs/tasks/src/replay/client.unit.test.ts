/** Tests what a workflow can ask its client for in addition to forms: models, roots, tasks of the client's own, notifications. */
import type { TaskContext } from './task-context.js';
import { describe, expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import type { JsonObject } from '../domain/json.js';
import type { TaskId } from '../domain/task-id.js';

const request = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 5 } } as const;
const capabilities = { sampling: {}, tasks: { requests: { sampling: { createMessage: {} } } } };
/** A client that runs such requests as tasks of its own. */
const client = { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities } as const;
const clientTask = (status: string, more: JsonObject = {}): JsonObject => ({ taskId: 'theirs', status, ...more });

async function pending(engine: Engine, id: TaskId) {
  const [input] = (await engine.service.get(id, { owner: 'ada' })).pendingInputs;
  if (input === undefined) throw new Error('Nothing is asked.');
  return input;
}

/** Answers the requests, one after the other, and checks them. */
async function converse(engine: Engine, id: TaskId, ...turns: [method: string, answer: JsonObject][]): Promise<void> {
  await engine.settle();
  for (const [method, answer] of turns) {
    const input = await pending(engine, id);
    expect(input.method).toBe(method);
    await engine.answer(id, input.key, answer);
    await engine.settle();
  }
}

describe('a model and the roots of the client', () => {
  it('are asked for, and answered', async () => {
    const engine = new Engine(async (context) => {
      const { content } = await context.sample({ messages: [], maxTokens: 5 });
      return [content, await context.listRoots()];
    });
    const id = await engine.create();
    const text = { type: 'text', text: 'hi' };
    await converse(engine, id, ['sampling/createMessage', { content: text }], ['roots/list', { roots: [{ uri: 'file:///a' }] }]);
    expect(await engine.value(id)).toEqual([text, [{ uri: 'file:///a' }]]);
  });
});

describe('the client itself', () => {
  it('is pinged, and answers', async () => {
    const engine = new Engine(async (context) => {
      await context.ping();
      return 'there';
    });
    const id = await engine.create({ sessionId: 'session' });
    await converse(engine, id, ['ping', {}]);
    expect(await engine.value(id)).toBe('there');
  });

  it('is not pinged without a session, where it has no way to answer', async () => {
    const engine = new Engine((context) => context.ping().catch((error: Error & { code: string }) => `${error.code} ${error.message}`));
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toBe(
      'CLIENT_LACKS_CAPABILITY In stateless mode no client can be asked. A feature that pings its client sets "needsSession", and is then not offered here.',
    );
  });

  it('is not pinged in 2026-07-28, which has no ping', async () => {
    const engine = new Engine(async (context) => {
      await context.ping();
      return 'there';
    });
    const id = await engine.create({ client: { ...client, generation: '2026-07-28' } });
    await engine.settle();
    expect(await engine.value(id)).toBe('there');
  });

  it.each(['mine', 7, undefined])('wants progress under its token, which the workflow sees: %j', async (progressToken) => {
    const engine = new Engine(async (context) => context.progressToken ?? 'none');
    const id = await engine.create(progressToken === undefined ? {} : { progressToken });
    await engine.settle();
    expect(await engine.value(id)).toBe(progressToken ?? 'none');
  });
});

describe('a client that has not declared a capability', () => {
  it('is not asked, and the workflow may go on without it', async () => {
    const engine = new Engine(async (context) =>
      Promise.all(
        [
          context.listRoots(),
          context.clientTask(request),
          context.elicit({ message: '', requestedSchema: { type: 'object', properties: {} } }),
        ].map((asked) => asked.then(String, (error: Error & { code: string }) => `${error.code} ${error.message}`)),
      ),
    );
    const client = { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} } as const;
    const id = await engine.create({ client, sessionId: 'session' });
    await engine.settle();
    expect(await engine.value(id)).toEqual(
      ['roots', 'sampling', 'elicitation.form'].map(
        (name) => `CLIENT_LACKS_CAPABILITY The client has not declared the capability "${name}".`,
      ),
    );
  });
});

describe('a model', () => {
  const sampling = (declared: JsonObject) => ({ ...client, capabilities: { sampling: declared } });
  const tools = [{ name: 'clock', inputSchema: { type: 'object' as const } }];
  const used = { role: 'assistant', model: 'm', content: [{ type: 'tool_use', id: '1', name: 'clock', input: {} }], stopReason: 'toolUse' };

  it('is offered tools, and context of servers, only by a client that has declared that', async () => {
    const engine = new Engine(async (context) => {
      const params = { messages: [], maxTokens: 5 };
      const asked = [context.sample({ ...params, tools }), context.sample({ ...params, includeContext: 'allServers' })];
      return Promise.all(asked.map((answer) => answer.then(String, (error: Error) => error.message)));
    });
    const id = await engine.create({ client: sampling({}), sessionId: 'session' });
    await engine.settle();
    expect(await engine.value(id)).toEqual(
      ['tools', 'context'].map((name) => `The client has not declared the capability "sampling.${name}".`),
    );
  });

  it('that is offered tools may answer with uses of them', async () => {
    const engine = new Engine(async (context) => {
      const { content } = await context.sample({ messages: [], maxTokens: 5, tools });
      return [content].flat().map((block) => (block.type === 'tool_use' ? block.name : block.type));
    });
    const id = await engine.create({ client: sampling({ tools: {} }) });
    await converse(engine, id, ['sampling/createMessage', used]);
    expect(await engine.value(id)).toEqual(['clock']);
  });
});

describe('an elicitation', () => {
  const form = { message: '', requestedSchema: { type: 'object' as const, properties: {} } };
  const url = { mode: 'url' as const, message: '', url: 'https://example.com/', elicitationId: 'e' };

  it.each<[JsonObject, string[]]>([
    [{}, ['asked', 'elicitation.url']],
    [{ applyDefaults: true }, ['asked', 'elicitation.url']],
    [{ form: {} }, ['asked', 'elicitation.url']],
    [{ url: {} }, ['elicitation.form', 'asked']],
    [{ form: {}, url: {} }, ['asked', 'asked']],
  ])('is of a mode that the client has declared: %j', async (elicitation, expected) => {
    const engine = new Engine(async (context) =>
      Promise.all(
        [form, url].map((params) =>
          context.elicit(params).then(
            () => 'asked',
            (error: Error & { data: { capability: string } }) => error.data.capability,
          ),
        ),
      ),
    );
    const client = { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: { elicitation } } as const;
    const id = await engine.create({ client });
    await engine.settle();
    for (const { key } of (await engine.service.get(id, { owner: 'ada' })).pendingInputs)
      await engine.answer(id, key, { action: 'accept' });
    await engine.settle();
    expect(await engine.value(id)).toEqual(expected);
  });
});

describe('a task of the client', () => {
  it('is created with its time to live, polled at its interval, and its result fetched', async () => {
    const seen: string[] = [];
    const engine = new Engine(async (context) => {
      seen.length = 0;
      return context.clientTask(request, { ttlMs: 9_000, onStatus: ({ status }) => seen.push(status) });
    });
    const id = await engine.create({ client });
    await engine.settle();
    expect(await pending(engine, id)).toMatchObject({ key: '$client-create', params: { maxTokens: 5, task: { ttl: 9_000 } } });
    await engine.answer(id, '$client-create', { task: clientTask('working', { pollInterval: 10 }) });
    await engine.deliver();
    expect(engine.jobs).toMatchObject([{ dueAt: engine.now + 50 }]);
    await converse(
      engine,
      id,
      ['tasks/get', clientTask('working', { statusMessage: 'thinking', pollInterval: 2_000 })],
      ['tasks/get', clientTask('completed')],
      ['tasks/result', { answer: 42 }],
    );
    expect(await engine.value(id)).toEqual({
      kind: 'ended',
      task: { taskId: 'theirs', status: 'completed', statusMessage: 'thinking', pollInterval: 2_000 },
      result: { answer: 42 },
    });
    expect(seen).toEqual(['working', 'working', 'completed']);
  });

  it.each([
    [333.3, 334],
    [-5, 50],
    [1e300, 60_000],
    ['soon', 1_000],
    [null, 1_000],
  ])('is polled after a whole number of milliseconds, also when it asks for %j', async (pollInterval, waitMs) => {
    const engine = new Engine(async (context) => context.clientTask(request));
    const id = await engine.create({ client });
    await engine.settle();
    await engine.answer(id, '$client-create', { task: clientTask('working', { pollInterval }) });
    await engine.deliver();
    expect(engine.jobs).toMatchObject([{ dueAt: engine.now + waitMs }]);
  });

  it('is kept for a whole number of milliseconds', async () => {
    const engine = new Engine(async (context) => context.clientTask(request, { ttlMs: 9_000.2 }));
    const id = await engine.create({ client });
    await engine.settle();
    expect(await pending(engine, id)).toMatchObject({ params: { task: { ttl: 9_001 } } });
  });

  it('is not kept for a time that is none', async () => {
    const kept = (context: TaskContext) => context.clientTask(request, { ttlMs: Number.NaN });
    const engine = new Engine(async (context) => kept(context).catch((error: Error) => error.message));
    const id = await engine.create({ client });
    await engine.settle();
    expect(await engine.value(id)).toContain('clientTask: ttlMs must be a number of milliseconds from 0 to ');
  });

  it.each([{}, { tasks: {} }, { tasks: { requests: { elicitation: { create: {} } } } }])(
    'is not asked of one that has declared none: %j',
    async (declared) => {
      const engine = new Engine(async (context) => context.clientTask(request));
      const id = await engine.create({ client: { ...client, capabilities: { sampling: {}, ...declared } } });
      await engine.settle();
      expect((await pending(engine, id)).params).toEqual(request.params);
    },
  );

  it('may not come about: the client answered at once', async () => {
    for (const answer of [{ content: 'now' }, { task: 'no task' }, { task: {} }]) {
      const engine = new Engine(async (context) => context.clientTask(request));
      const id = await engine.create();
      await converse(engine, id, ['sampling/createMessage', answer]);
      expect(await engine.value(id)).toEqual({ kind: 'immediate', result: answer });
    }
  });

  it('that failed has no result, and one that never ends is unfinished', async () => {
    const engine = new Engine(async (context) => context.clientTask(request, { maxPolls: 1 }));
    const failed = await engine.create();
    await converse(engine, failed, ['sampling/createMessage', { task: clientTask('working') }], ['tasks/get', clientTask('failed')]);
    expect(await engine.value(failed)).toEqual({ kind: 'ended', task: { taskId: 'theirs', status: 'failed' } });
    const endless = await engine.create();
    await converse(engine, endless, ['sampling/createMessage', { task: clientTask('working') }], ['tasks/get', clientTask('working')]);
    expect(await engine.value(endless)).toMatchObject({ kind: 'unfinished' });
  });
});

describe('notifications to the client', () => {
  it('are recorded once, however often the function is replayed', async () => {
    const engine = new Engine(async (context) => {
      context.log('info', { part: 1 }, 'worker');
      await context.sleep('nap', 1);
      context.log('debug', 'plain');
      context.elicitationComplete('e1');
    });
    const id = await engine.create();
    await engine.settle();
    const sent = (await engine.events(id)).flatMap((event) => (event.type === 'NotificationSent' ? [event.data] : []));
    expect(sent).toEqual([
      { method: 'notifications/message', params: { level: 'info', data: { part: 1 }, logger: 'worker' }, seq: 1 },
      { method: 'notifications/message', params: { level: 'debug', data: 'plain' }, seq: 2 },
      { method: 'notifications/elicitation/complete', params: { elicitationId: 'e1' }, seq: 3 },
    ]);
  });
});

describe('values of the session', () => {
  it('are seen by other tasks of the session, and a replay sees what it saw before', async () => {
    const engine = new Engine(async (context) => {
      const before = await context.session.get('count');
      await context.session.set('count', Number(before ?? 0) + 1);
      await context.sleep('nap', 1);
      return [before ?? null, await context.session.get('count')];
    });
    const [one, two, other] = [await engine.create({ sessionId: 's' }), await engine.create({ sessionId: 's' }), await engine.create()];
    await engine.settle();
    expect([await engine.value(one), await engine.value(two)]).toEqual([
      [null, 2],
      [1, 2],
    ]);
    expect(await engine.value(other)).toEqual([null, 1]);
    engine.run = async (context) => {
      await context.session.delete('count');
      return (await context.session.get('count')) ?? null;
    };
    const last = await engine.create({ sessionId: 's' });
    await engine.settle();
    expect(await engine.value(last)).toBeNull();
  });
});

describe('the limits of one task', () => {
  const failure = async (engine: Engine) => {
    const id = await engine.create();
    await engine.settle();
    const outcome = await engine.outcome(id);
    return outcome?.kind === 'error' ? outcome.error : outcome;
  };

  it('bound the questions that wait at the same time', async () => {
    const engine = new Engine(async (context) => Promise.all(Array.from({ length: 33 }, () => context.listRoots())));
    expect(await failure(engine)).toMatchObject({
      message: expect.stringContaining('More than 32') as string,
      data: { reason: 'TOO_MANY_INPUTS' },
    });
  });

  it('bound the events', async () => {
    const engine = new Engine(async (context) => {
      for (;;) await Promise.all(Array.from({ length: 1_000 }, () => context.step('a', () => null)));
    });
    expect(await failure(engine)).toMatchObject({
      message: expect.stringContaining('at most 10000') as string,
      data: { reason: 'TOO_MANY_EVENTS' },
    });
  });

  it('bound the result and the values of steps', async () => {
    const big = 'x'.repeat(8 * 1024 * 1024);
    expect(await failure(new Engine(async () => big))).toMatchObject({
      message: expect.stringContaining('at most 8388608') as string,
      data: { reason: 'RESULT_TOO_LARGE' },
    });
    const engine = new Engine(async (context) => context.step('big', () => big).catch((error: Error) => error.message));
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toContain('step "big" cannot be recorded: its JSON has more than 8388608 bytes');
  });
});
