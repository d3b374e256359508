import { describe, expect, it } from 'vitest';
import { ModelError, type ModelErrorCode } from '../model/model-error.js';
import { memoryToolbox } from '../tools/memory-toolbox.fixture.js';
import type { AgentEvent } from './agent-event.js';
import { type Journal, journalHost } from './journal-host.fixture.js';
import { runAgent } from './run-agent.js';
import { call, calls, type Line, scriptedModel } from './scripted-model.fixture.js';
import { virtualHost } from './virtual-host.fixture.js';

const usage = { inputTokens: 1_000, outputTokens: 100 };
const named = (name: string, lines: readonly Line[]) => ({ ...scriptedModel(lines), name });
const echo = memoryToolbox({ echo: {} });

describe('models in order', () => {
  it.each<[ModelErrorCode, number]>([
    ['RATE_LIMITED', 2],
    ['TIMEOUT', 2],
    ['UNAVAILABLE', 2],
    ['CONTEXT_OVERFLOW', 1],
  ])('are asked one after the other for %s, and the rest of the run stays with the one that answers', async (code, requests) => {
    const events: AgentEvent[] = [];
    const host = virtualHost();
    const first = named('first', [new ModelError(code, 'Not now')]);
    const second = named('second', [
      { ...calls(call('echo')), usage },
      { content: 'Yes.', usage },
    ]);
    const outcome = await runAgent({
      model: first,
      fallbacks: [{ model: second, price: { input: 1_000, output: 0 } }],
      toolbox: echo,
      host: { ...host, report: (event) => void events.push(event) },
      history: [],
      prompt: 'Go',
    });
    expect(outcome).toMatchObject({ outcome: 'answered', text: 'Yes.', rounds: 2 });
    expect(outcome.bill).toEqual([
      { model: 'first', requests, inputTokens: 0, outputTokens: 0 },
      { model: 'second', requests: 2, inputTokens: 2_000, outputTokens: 200, cost: 2 },
    ]);
    expect(events.filter(({ type }) => type === 'fallback')).toEqual([
      { type: 'fallback', from: 'first', to: 'second', reason: expect.any(String) as string },
    ]);
  });

  it.each<ModelErrorCode>(['UNAUTHORIZED', 'UNKNOWN_MODEL', 'REFUSED'])(
    'are not asked for %s, which a person has to put right',
    async (code) => {
      const second = scriptedModel([{ content: 'Yes.' }]);
      const run = { toolbox: echo, host: virtualHost(), history: [], prompt: 'Go' };
      const outcome = await runAgent({ ...run, model: named('first', [new ModelError(code, 'No')]), fallbacks: [{ model: second }] });
      expect(outcome).toMatchObject({ outcome: 'model-error', errorCode: code });
      expect(second.requests).toHaveLength(0);
    },
  );

  it('count together for the limit of spend', async () => {
    const model = named('first', [{ ...calls(call('echo')), usage }, new ModelError('UNAVAILABLE', 'Gone')]);
    const second = { model: named('second', [{ ...calls(call('echo')), usage }]), price: { input: 1_000, output: 0 } };
    const run = { toolbox: echo, host: virtualHost(), history: [], prompt: 'Go', price: { input: 500, output: 0 } };
    const outcome = await runAgent({ ...run, model, fallbacks: [second], limits: { maxSpend: 1.5 } });
    expect(outcome).toMatchObject({ outcome: 'max-spend', rounds: 2 });
  });

  it('are in the record, so a replay asks none of them again', async () => {
    const journal: Journal = new Map();
    const run = (): Promise<unknown> =>
      runAgent({
        model: named('first', [new ModelError('UNAVAILABLE', 'Gone')]),
        fallbacks: [{ model: named('second', [{ content: 'Yes.', usage }]) }],
        toolbox: echo,
        host: host(),
        history: [],
        prompt: 'Go',
      });
    let host = (): ReturnType<typeof journalHost> => journalHost(journal);
    const first = await run();
    expect([...journal.values()].join()).toContain('"model":"second"');
    const replay = journalHost(journal);
    host = () => replay;
    expect(await run()).toEqual(first);
    expect(replay.newOperations).toEqual([]);
  });
});
