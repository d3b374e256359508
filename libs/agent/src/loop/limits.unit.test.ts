import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../conversation/messages.js';
import { ModelError } from '../model/model-error.js';
import { memoryToolbox, textResult } from '../tools/memory-toolbox.fixture.js';
import { createProcessHost } from './process-host.js';
import { runAgent } from './run-agent.js';
import { call, calls, type Line, scriptedModel } from './scripted-model.fixture.js';
import { virtualHost } from './virtual-host.fixture.js';

const run = { history: [], prompt: 'Go' } as const;
const hang = (): Promise<never> => new Promise(() => undefined);

describe('the limit of rounds', () => {
  it('is five, and looked at after the tools have run', async () => {
    const toolbox = memoryToolbox({ count: {} });
    let count = 0;
    const model = scriptedModel([async () => calls(call('count', { count: (count += 1) }))]);
    const outcome = await runAgent({ ...run, model, toolbox, host: virtualHost() });
    expect(outcome).toMatchObject({ outcome: 'max-rounds', text: 'Max iterations reached', rounds: 5 });
    expect(toolbox.called).toHaveLength(5);
    expect(outcome.transcript).toHaveLength(11);
    expect(outcome.transcript.at(-1)).toMatchObject({ role: 'tool', content: '{"count":5}' });
  });

  it('does not spoil an answer in the last round', async () => {
    const model = scriptedModel([calls(call('echo')), { content: 'done' }]);
    const outcome = await runAgent({ ...run, model, toolbox: memoryToolbox({ echo: {} }), host: virtualHost(), limits: { maxRounds: 2 } });
    expect(outcome).toMatchObject({ outcome: 'answered', rounds: 2 });
  });
});

describe('the limit of tokens', () => {
  it('ends the run before the tools are called, with a transcript that can be continued', async () => {
    const toolbox = memoryToolbox({ echo: {} });
    const model = scriptedModel([{ ...calls(call('echo', {}, 'a')), usage: { inputTokens: 90, outputTokens: 10 } }]);
    const outcome = await runAgent({ ...run, model, toolbox, host: virtualHost(), limits: { maxTokens: 100 } });
    expect(outcome).toMatchObject({ outcome: 'max-tokens', text: 'Max tokens reached', rounds: 1 });
    expect(outcome.transcript.at(-1)).toEqual({ role: 'tool', tool_call_id: 'a', content: 'Error: Not called: Max tokens reached' });
    expect(toolbox.called).toEqual([]);
  });

  it('does not spoil an answer', async () => {
    const model = scriptedModel([{ content: 'done', usage: { inputTokens: 90, outputTokens: 20 } }]);
    const outcome = await runAgent({ ...run, model, toolbox: memoryToolbox({}), host: virtualHost(), limits: { maxTokens: 100 } });
    expect(outcome).toMatchObject({ outcome: 'answered', usage: { inputTokens: 90, outputTokens: 20 } });
  });

  it('holds by an estimate where the endpoint does not count', async () => {
    const toolbox = memoryToolbox({ read: { act: () => textResult('word '.repeat(1_000)) } });
    let count = 0;
    const model = scriptedModel([async () => calls(call('read', { count: (count += 1) }))]);
    const outcome = await runAgent({ ...run, model, toolbox, host: virtualHost(), limits: { maxTokens: 1_000 } });
    expect(outcome).toMatchObject({ outcome: 'max-tokens', rounds: 2 });
    expect(outcome.usage.inputTokens).toBeGreaterThan(1_200);
  });
});

describe('the limit of spend', () => {
  const limits = { maxSpend: 0.5 };
  const price = { input: 1, output: 20 };
  const using = (inputTokens: number, outputTokens: number) => ({ usage: { inputTokens, outputTokens } });
  const runWith = (lines: readonly Line[], more: object = {}) => {
    const toolbox = memoryToolbox({ echo: {} });
    const model = scriptedModel(lines);
    return runAgent({ ...run, model, toolbox, host: virtualHost(), limits, price, ...more });
  };

  it('prices tokens that are read and tokens that are generated each at their rate, and ends the run before the tools are called', async () => {
    const lines = [
      { ...calls(call('echo')), ...using(299_999, 10_000) },
      { content: 'done', ...using(1, 0) },
    ];
    expect(await runWith(lines)).toMatchObject({ outcome: 'answered', rounds: 2 });
    const outcome = await runWith([{ ...calls(call('echo', {}, 'a')), ...using(300_000, 10_000) }]);
    expect(outcome).toMatchObject({ outcome: 'max-spend', text: 'Max spend reached', rounds: 1 });
    expect(outcome.transcript.at(-1)).toEqual({ role: 'tool', tool_call_id: 'a', content: 'Error: Not called: Max spend reached' });
  });

  it('ends a run that has nothing left before the model is asked, and none without a price', async () => {
    expect(await runWith([{ content: 'done' }], { limits: { maxSpend: 0 } })).toMatchObject({ outcome: 'max-spend', rounds: 0 });
    for (const free of [undefined, { input: 0, output: 0 }])
      expect(await runWith([{ content: 'done' }], { limits: { maxSpend: 0 }, price: free })).toMatchObject({ outcome: 'answered' });
    await expect(runWith([], { limits: { maxSpend: -1 } })).rejects.toThrow('maxSpend is -1');
  });

  it('counts answers that could not be used: those with an error that says what they used, and empty ones', async () => {
    const lines = [
      new ModelError('BAD_RESPONSE', 'nothing', undefined, using(100_000, 1).usage),
      { content: '', ...using(100_000, 2) },
      { content: 'done', ...using(5, 3) },
    ];
    expect(await runWith(lines)).toMatchObject({ outcome: 'answered', usage: { inputTokens: 200_005, outputTokens: 6 } });
    const more = { limits: { maxSpend: 0.15 } };
    expect(await runWith(lines, more)).toMatchObject({ outcome: 'max-spend', usage: { inputTokens: 200_000, outputTokens: 3 } });
  });

  it('estimates an empty answer where the endpoint does not count', async () => {
    const outcome = await runWith([
      { content: '', reasoning: 'hm'.repeat(100) },
      { content: 'done', ...using(5, 3) },
    ]);
    expect(outcome.usage).toEqual({ inputTokens: 6, outputTokens: 53 });
  });
});

describe('the limit of time', () => {
  it('ends the run before the next model call', async () => {
    const host = virtualHost();
    const toolbox = memoryToolbox({ slow: { act: () => (host.pass(1_000), textResult('late')) } });
    const outcome = await runAgent({ ...run, model: scriptedModel([calls(call('slow'))]), toolbox, host, limits: { maxMs: 1_000 } });
    expect(outcome).toMatchObject({ outcome: 'max-time', text: 'Max time reached', rounds: 1 });
    expect(outcome.transcript.at(-1)).toMatchObject({ role: 'tool', content: 'late' });
  });

  it('ends the run before the tools when the model took it all', async () => {
    const host = virtualHost();
    const toolbox = memoryToolbox({ echo: {} });
    const model = scriptedModel([async () => (host.pass(1_000), calls(call('echo')))]);
    const outcome = await runAgent({ ...run, model, toolbox, host, limits: { maxMs: 1_000 } });
    expect(outcome).toMatchObject({ outcome: 'max-time', rounds: 1 });
    expect(outcome.transcript.at(-1)).toMatchObject({ role: 'tool', content: 'Error: Not called: Max time reached' });
  });

  it('aborts a model call that takes too long, also one that does not look at its signal', async () => {
    const seen = Promise.withResolvers<AbortSignal>();
    const model = scriptedModel([(_, { signal }) => (seen.resolve(signal), hang())]);
    const outcome = await runAgent({ ...run, model, toolbox: memoryToolbox({}), host: createProcessHost(), limits: { maxMs: 30 } });
    expect(outcome).toMatchObject({ outcome: 'max-time', rounds: 0 });
    expect(outcome.transcript).toEqual([{ role: 'user', content: 'Go' }]);
    expect((await seen.promise).aborted).toBe(true);
  });

  it('aborts a tool that takes too long, which knows until when it may take', async () => {
    const deadlines: (number | undefined)[] = [];
    const act = (_: unknown, options: { signal: AbortSignal; deadlineMs?: number }): Promise<never> => {
      deadlines.push(options.deadlineMs);
      return new Promise((__, reject) => {
        options.signal.addEventListener('abort', () => reject(options.signal.reason as Error));
      });
    };
    const beganAt = Date.now();
    const model = scriptedModel([calls(call('slow'))]);
    const outcome = await runAgent({
      ...run,
      model,
      toolbox: memoryToolbox({ slow: { act } }),
      host: createProcessHost(),
      limits: { maxMs: 100 },
    });
    expect(outcome).toMatchObject({ outcome: 'max-time', rounds: 1 });
    expect(outcome.transcript.at(-1)).toMatchObject({ content: 'Error: The time of this run has expired.' });
    expect(deadlines[0]).toBeGreaterThanOrEqual(beganAt + 100);
  });

  it('may be longer than a timer can wait', async () => {
    const model = scriptedModel([() => wait(20, { content: 'done' })]);
    const outcome = await runAgent({ ...run, model, toolbox: memoryToolbox({}), host: createProcessHost(), limits: { maxMs: 2 ** 40 } });
    expect(outcome.outcome).toBe('answered');
  });
});

describe('the same call again and again', () => {
  const polls = (count: number, args: unknown = {}): Line[] => Array.from({ length: count }, () => calls(call('poll', args)));
  const more = { limits: { maxRounds: 20 } };

  it('is not made the fifth time in a row, and the model receives an error that says so', async () => {
    const toolbox = memoryToolbox({ poll: {} });
    const outcome = await runAgent({
      ...run,
      ...more,
      model: scriptedModel([...polls(5), { content: 'ok' }]),
      toolbox,
      host: virtualHost(),
    });
    expect(outcome.outcome).toBe('answered');
    expect(toolbox.called).toHaveLength(4);
    expect(outcome.transcript.at(-2)).toMatchObject({
      content: expect.stringContaining('call 5 in a row of poll with the same arguments'),
    });
  });

  it('ends the run by name when the model goes on', async () => {
    const toolbox = memoryToolbox({ poll: {} });
    const outcome = await runAgent({ ...run, ...more, model: scriptedModel(polls(1)), toolbox, host: virtualHost() });
    expect(outcome).toMatchObject({ outcome: 'repeated-call', rounds: 6 });
    expect(outcome.text).toBe('The model went on to call poll with the same arguments, after an error that said not to');
    expect(outcome.transcript.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringMatching(/^Error: Not called: The model went on/),
    });
    expect(toolbox.called).toHaveLength(4);
  });

  it('is found with any spaces and order of its arguments', async () => {
    const lines = [...polls(2, '{"a":1,"b":2}'), ...polls(2, '{ "b": 2, "a": 1 }'), ...polls(2, '{"a":1, "b":2}')];
    const outcome = await runAgent({
      ...run,
      ...more,
      model: scriptedModel(lines),
      toolbox: memoryToolbox({ poll: {} }),
      host: virtualHost(),
    });
    expect(outcome).toMatchObject({ outcome: 'repeated-call', rounds: 6 });
  });

  it('is forgotten when another call is between, and never ends a run within the message that receives the error', async () => {
    const toolbox = memoryToolbox({ poll: {}, other: {} });
    const same = (count: number): readonly ToolCall[] => Array.from({ length: count }, () => call('poll'));
    const lines = [calls(...same(7)), calls(call('other'), ...same(5)), calls(call('other')), calls(...same(4)), { content: 'ok' }];
    const outcome = await runAgent({ ...run, ...more, model: scriptedModel(lines), toolbox, host: virtualHost() });
    expect(outcome.outcome).toBe('answered');
    expect(toolbox.called).toHaveLength(4 + (1 + 4) + 1 + 4);
  });

  it('may have arguments that are no JSON', async () => {
    const outcome = await runAgent({
      ...run,
      ...more,
      model: scriptedModel(polls(1, '{')),
      toolbox: memoryToolbox({ poll: {} }),
      host: virtualHost(),
    });
    expect(outcome.outcome).toBe('repeated-call');
  });
});
