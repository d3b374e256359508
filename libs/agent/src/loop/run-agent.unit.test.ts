import { describe, expect, it } from 'vitest';
import type { Message } from '../conversation/messages.js';
import { withApproval } from '../tools/approval.js';
import { memoryToolbox, textResult } from '../tools/memory-toolbox.fixture.js';
import { runAgent } from './run-agent.js';
import { call, calls, scriptedModel } from './scripted-model.fixture.js';
import { virtualHost } from './virtual-host.fixture.js';

const SYSTEM: Message = { role: 'system', content: 'Be brief.' };

function withDefaults() {
  return { host: virtualHost(), toolbox: memoryToolbox({ echo: {} }), history: [SYSTEM], prompt: 'What is the date in Tokyo?' };
}

describe('runAgent', () => {
  it('keeps the history, appends the prompt and answers with content that has no calls', async () => {
    const model = scriptedModel([{ content: 'It is Monday.' }]);
    const earlier: Message[] = [SYSTEM, { role: 'user', content: 'Hello' }, { role: 'assistant', content: 'Hi' }];
    const outcome = await runAgent({ ...withDefaults(), model, history: earlier });
    const asked: Message[] = [...earlier, { role: 'user', content: 'What is the date in Tokyo?' }];
    expect(model.requests[0]?.messages).toEqual(asked);
    expect(outcome).toMatchObject({ outcome: 'answered', text: 'It is Monday.', rounds: 1 });
    expect(outcome.transcript).toEqual([...asked, { role: 'assistant', content: 'It is Monday.' }]);
  });

  it('offers the tools of the toolbox with their schemas', async () => {
    const inputSchema = { type: 'object' as const, properties: { timezone: { type: 'string' } } };
    const toolbox = memoryToolbox({ 'get-date': { description: 'The date', inputSchema }, plain: { title: 'Plain' } });
    const model = scriptedModel([{ content: 'ok' }]);
    await runAgent({ ...withDefaults(), model, toolbox });
    expect(model.requests[0]?.tools).toEqual([
      { name: 'get-date', description: 'The date', parameters: inputSchema },
      { name: 'plain', description: 'Plain', parameters: { type: 'object', properties: {} } },
    ]);
  });

  it('calls a tool, appends call and result, and asks again', async () => {
    const toolbox = memoryToolbox({ 'get-date': { act: () => textResult('2026-11-23') } });
    const wanted = call('get-date', { timezone: 'Asia/Tokyo' }, 'call_1');
    const model = scriptedModel([{ content: 'Let me look.', toolCalls: [wanted] }, { content: 'It is 2026-11-23.' }]);
    const outcome = await runAgent({ ...withDefaults(), model, toolbox });
    expect(toolbox.called).toMatchObject([{ id: 'call_1', arguments: { timezone: 'Asia/Tokyo' }, tool: { name: 'get-date' } }]);
    const added: Message[] = [
      { role: 'assistant', content: 'Let me look.', tool_calls: [wanted] },
      { role: 'tool', tool_call_id: 'call_1', content: '2026-11-23' },
    ];
    expect(model.requests[1]?.messages.slice(2)).toEqual(added);
    expect(outcome).toMatchObject({ outcome: 'answered', text: 'It is 2026-11-23.', rounds: 2 });
    expect(outcome.transcript.slice(2)).toEqual([...added, { role: 'assistant', content: 'It is 2026-11-23.' }]);
  });

  it('runs the calls of a message in parallel and returns their results in the order of the model', async () => {
    const slow = Promise.withResolvers<void>();
    const toolbox = memoryToolbox({
      slow: { act: () => slow.promise.then(() => textResult('slow')) },
      quick: { act: () => (slow.resolve(), textResult('quick')) },
    });
    const model = scriptedModel([calls(call('slow', {}, 'a'), call('quick', {}, 'b')), { content: 'done' }]);
    const { transcript } = await runAgent({ ...withDefaults(), model, toolbox });
    expect(transcript.filter(({ role }) => role === 'tool')).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'slow' },
      { role: 'tool', tool_call_id: 'b', content: 'quick' },
    ]);
  });

  it('gives calls without an id, or with one that was there before, ids that every endpoint takes', async () => {
    const model = scriptedModel([
      calls(call('echo'), call('echo', { n: 2 })),
      calls(call('echo', { n: 3 }, 'call00100')),
      { content: 'done' },
    ]);
    const { transcript } = await runAgent({ ...withDefaults(), model });
    const ids = transcript.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : []));
    expect(ids).toEqual(['call00100', 'call00101', 'call00200']);
    expect(transcript.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : []))).toEqual(ids);
  });

  it('adds up the tokens of all model calls', async () => {
    const model = scriptedModel([
      { ...calls(call('echo')), usage: { inputTokens: 100, outputTokens: 10 } },
      { content: 'done', usage: { inputTokens: 120, outputTokens: 5 } },
    ]);
    const { usage } = await runAgent({ ...withDefaults(), model });
    expect(usage).toEqual({ inputTokens: 220, outputTokens: 15 });
  });

  it('goes on from the transcript of an earlier run', async () => {
    const first = await runAgent({ ...withDefaults(), model: scriptedModel([calls(call('echo'))]), limits: { maxRounds: 1 } });
    const model = scriptedModel([calls(call('echo')), { content: 'done' }]);
    const second = await runAgent({ ...withDefaults(), model, history: first.transcript, prompt: 'Go on' });
    expect(second.outcome).toBe('answered');
    expect(model.requests[0]?.messages).toEqual([...first.transcript, { role: 'user', content: 'Go on' }]);
    const ids = second.transcript.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : []));
    expect(new Set(ids).size).toBe(2);
  });

  it('reports rounds, what the model says, calls, progress and results', async () => {
    const host = virtualHost();
    const toolbox = memoryToolbox({
      work: {
        act: (_, { onProgress }) => {
          onProgress?.('half');
          host.pass(250);
          return textResult('worked');
        },
      },
    });
    const model = scriptedModel([
      calls(call('work', { n: 1 }, 'a')),
      async (_, { onDelta }) => {
        onDelta?.({ text: 'do' });
        onDelta?.({ text: 'ne' });
        return { content: 'done' };
      },
    ]);
    await runAgent({ ...withDefaults(), host, model, toolbox });
    expect(host.events).toEqual([
      { type: 'round', round: 1, maxRounds: 5 },
      { type: 'tool-call', id: 'a', tool: 'work', server: 'test', arguments: '{"n":1}' },
      { type: 'tool-progress', id: 'a', message: 'half' },
      { type: 'tool-result', id: 'a', tool: 'work', isError: false, ms: 250, text: 'worked' },
      { type: 'round', round: 2, maxRounds: 5 },
      { type: 'delta', text: 'do' },
      { type: 'delta', text: 'ne' },
    ]);
  });

  it('throws the reason of the host as soon as nobody wants the answer, also while a model or a tool goes on', async () => {
    const hang = (): Promise<never> => new Promise(() => undefined);
    const scripts = [
      { model: scriptedModel([hang]), toolbox: memoryToolbox({}) },
      { model: scriptedModel([calls(call('hang'))]), toolbox: memoryToolbox({ hang: { act: hang } }) },
    ];
    for (const script of scripts) {
      const stop = new AbortController();
      const running = runAgent({ ...withDefaults(), ...script, host: virtualHost(stop.signal) });
      setImmediate(() => stop.abort(new Error('nobody waits')));
      await expect(running).rejects.toThrow('nobody waits');
    }
  });

  it('ends when it is aborted, if that is wanted, with the results that it has and what is known of the calls that were cut off', async () => {
    const stop = new AbortController();
    const begun = Promise.withResolvers<void>();
    const act = (): Promise<never> => (begun.resolve(), new Promise(() => undefined));
    const tools = memoryToolbox({
      write: { annotations: { readOnlyHint: true } },
      hang: { act, annotations: { readOnlyHint: true } },
      ask: {},
    });
    const asked = Promise.withResolvers<void>();
    const toolbox = withApproval(
      tools,
      () => 'writes',
      () => (asked.resolve(), new Promise(() => undefined)),
    );
    const names = ['write', 'hang', 'ask'];
    const model = scriptedModel([{ ...calls(...names.map((name) => call(name, {}, name))), usage: { inputTokens: 7, outputTokens: 3 } }]);
    const running = runAgent({ ...withDefaults(), model, toolbox, host: virtualHost(stop.signal), endsWhenAborted: true });
    await Promise.all([begun.promise, asked.promise]);
    setImmediate(() => stop.abort(new Error('The user has cancelled it.')));
    const outcome = await running;
    expect(outcome).toMatchObject({
      outcome: 'cancelled',
      text: 'The user has cancelled it.',
      rounds: 1,
      usage: { inputTokens: 7, outputTokens: 3 },
    });
    expect(outcome.transcript.slice(-3)).toEqual([
      { role: 'tool', tool_call_id: 'write', content: '{}' },
      {
        role: 'tool',
        tool_call_id: 'hang',
        content: expect.stringMatching(/^Error: The run was stopped while this call was under way\. It is unknown/) as string,
      },
      { role: 'tool', tool_call_id: 'ask', content: 'Error: Not called: the run was stopped before.' },
    ]);
  });

  it('ends when it is aborted while the model is asked', async () => {
    const stop = new AbortController();
    const model = scriptedModel([() => (stop.abort(new Error('enough')), new Promise(() => undefined))]);
    const outcome = await runAgent({ ...withDefaults(), model, host: virtualHost(stop.signal), endsWhenAborted: true });
    expect(outcome).toMatchObject({ outcome: 'cancelled', text: 'enough', rounds: 0 });
    expect(outcome.transcript.at(-1)?.role).toBe('user');
  });

  it('refuses limits that are none, by their names', async () => {
    const run = { ...withDefaults(), model: scriptedModel([]) };
    await expect(runAgent({ ...run, limits: { maxRounds: 0 } })).rejects.toThrow("The agent's limit maxRounds is 0");
    await expect(runAgent({ ...run, limits: { maxMs: 1.5 } })).rejects.toThrow("The agent's limit maxMs is 1.5");
  });
});
