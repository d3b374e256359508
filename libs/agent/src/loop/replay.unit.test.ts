import { describe, expect, it } from 'vitest';
import { ModelError } from '../model/model-error.js';
import { memoryToolbox } from '../tools/memory-toolbox.fixture.js';
import type { Toolbox } from '../tools/toolbox.js';
import { type Journal, type JournalHost, journalHost, type Moment } from './journal-host.fixture.js';
import type { Outcome } from './outcome.js';
import { runAgent } from './run-agent.js';
import { call, calls, type Line, scriptedModel } from './scripted-model.fixture.js';

const MOMENTS: readonly Moment[] = ['before', 'done but not recorded', 'recorded'];

/** By the messages so far: it says the same wherever it runs. */
const LINES: readonly Line[] = [
  calls(call('add', { a: 1 }), call('slow', { b: 2 }), call('nothing')),
  calls(call('add', '{'), call('add', { a: 2 })),
  calls(call('search_tools', { query: 'fails' }), call('slow', { b: 3 })),
  calls(call('fails'), call('slow', { b: 4 })),
  { content: 'Six.' },
];

/** A toolbox as a task has it: each call that is made is a step. */
function recordedTools(host: JournalHost): Toolbox {
  const inner = memoryToolbox({ add: {}, slow: {}, fails: {} });
  return {
    tools: inner.tools,
    call: (request, options) =>
      host.step(`tool ${request.id}`, async () => {
        if (request.tool.name === 'fails') return { isError: true, content: [{ type: 'text', text: 'It failed' }] };
        if (request.tool.name === 'slow') await new Promise((resolve) => setImmediate(resolve));
        return inner.call(request, options);
      }),
  };
}

function runOn(host: JournalHost, busy: { left: number }): Promise<Outcome> {
  const model = scriptedModel([
    async ({ messages }) => {
      const round = messages.filter(({ role }) => role === 'assistant').length;
      if (round === 1 && busy.left > 0) {
        busy.left -= 1;
        throw new ModelError('UNAVAILABLE', 'Busy', 500);
      }
      return LINES[round] as object;
    },
  ]);
  return runAgent({
    model,
    toolbox: recordedTools(host),
    host,
    history: [],
    prompt: 'Add',
    limits: { maxMs: 1_000_000, maxTokens: 100_000, maxListedTools: 2 },
  });
}

async function undisturbed(): Promise<{ outcome: Outcome; operations: number }> {
  const host = journalHost(new Map());
  return { outcome: await runOn(host, { left: 1 }), operations: host.newOperations.length };
}

describe('an agent whose host dies', () => {
  it('ends with the same transcript wherever that happens, and repeats nothing that is recorded', async () => {
    const { outcome, operations } = await undisturbed();
    expect(outcome.outcome).toBe('answered');
    expect(operations).toBe(5 + 2 + 6 + 1);
    for (let operation = 1; operation <= operations; operation += 1) {
      for (const moment of MOMENTS) {
        const journal: Journal = new Map();
        const busy = { left: 1 };
        const first = journalHost(journal, { operation, moment });
        expect(await Promise.race([runOn(first, busy), first.dead])).toBe('dead');
        const recorded = new Set(journal.keys());
        const second = journalHost(journal);
        const again = await runOn(second, busy);
        expect(again.transcript, `operation ${operation}, ${moment}`).toEqual(outcome.transcript);
        expect(again.usage).toEqual(outcome.usage);
        expect(second.newOperations.filter((key) => recorded.has(key))).toEqual([]);
      }
    }
  });

  it('replays a whole record without doing anything', async () => {
    const journal: Journal = new Map();
    const first = await runOn(journalHost(journal), { left: 1 });
    const second = journalHost(journal);
    expect(await runOn(second, { left: 1 })).toEqual(first);
    expect(second.newOperations).toEqual([]);
  });
});
