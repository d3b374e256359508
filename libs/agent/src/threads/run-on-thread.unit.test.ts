import { describe, expect, it } from 'vitest';
import { type Journal, journalHost, type JournalHost, type Moment } from '../loop/journal-host.fixture.js';
import { call, calls, scriptedModel } from '../loop/scripted-model.fixture.js';
import { ModelError } from '../model/model-error.js';
import { memoryToolbox } from '../tools/memory-toolbox.fixture.js';
import type { Toolbox } from '../tools/toolbox.js';
import { memoryCollections } from './memory-collections.fixture.js';
import { runOnThread } from './run-on-thread.js';
import { createThreads, type Threads } from './threads.js';

const LINES = [calls(call('add', { a: 1 }), call('add', { a: 2 })), calls(call('add', { a: 3 })), { content: 'Six.' }];

function recordedTools(host: JournalHost): Toolbox {
  const inner = memoryToolbox({ add: {} });
  return { tools: inner.tools, call: (request, options) => host.step(`tool ${request.id}`, () => inner.call(request, options)) };
}

const runOn = (threads: Threads, host: JournalHost, by: string, prompt = 'Add') =>
  runOnThread(
    { threads, thread: 'sum', by, leaseMs: 60_000 },
    {
      model: scriptedModel([
        async ({ messages }) => {
          const since = messages.findLastIndex(({ role }) => role === 'user');
          return LINES[messages.slice(since).filter(({ role }) => role === 'assistant').length] as object;
        },
      ]),
      toolbox: recordedTools(host),
      host,
      system: [{ role: 'system', content: 'Be brief.' }],
      prompt,
    },
  );

describe('a run on a thread', () => {
  it('that dies at any record leaves the same messages when it goes on, and repeats nothing', async () => {
    const undisturbed = createThreads(memoryCollections());
    const plain = journalHost(new Map());
    await runOn(undisturbed, journalHost(new Map()), 'first');
    const { thread } = await runOn(undisturbed, plain, 'second', 'Again');
    expect(thread).toEqual({ thread: 'sum', question: 8, messages: 14 });
    const expected = await undisturbed.read('sum');
    for (let operation = 1; operation <= plain.newOperations.length; operation += 1) {
      for (const moment of ['before', 'done but not recorded', 'recorded'] satisfies Moment[]) {
        const threads = createThreads(memoryCollections());
        await runOn(threads, journalHost(new Map()), 'first');
        const journal: Journal = new Map();
        const dying = journalHost(journal, { operation, moment });
        expect(await Promise.race([runOn(threads, dying, 'second', 'Again'), dying.dead])).toBe('dead');
        const recorded = new Set(journal.keys());
        const host = journalHost(journal);
        await runOn(threads, host, 'second', 'Again');
        expect(await threads.read('sum'), `operation ${operation}, ${moment}`).toEqual(expected);
        expect(host.newOperations.filter((key) => recorded.has(key))).toEqual([]);
        expect(await threads.list(Date.now())).toMatchObject([{ isBusy: false }]);
      }
    }
  });

  it('that is stopped leaves what is known, and the next one continues from that', async () => {
    const threads = createThreads(memoryCollections());
    // After the step of the first result of two.
    const journal: Journal = new Map();
    const operations = ['open thread#1', 'model 1#1', 'keep message 2#1', 'tool call00100#1', 'tool call00101#1', 'keep message 3#1'];
    const dying = journalHost(journal, { operation: operations.length, moment: 'recorded' });
    expect(await Promise.race([runOn(threads, dying, 'first'), dying.dead])).toBe('dead');
    expect(dying.newOperations.slice(0, operations.length)).toEqual(operations);
    await expect(runOn(threads, journalHost(new Map()), 'second')).rejects.toMatchObject({ code: 'THREAD_BUSY' });
    await threads.letGo('first', 'cancelled');
    await threads.letGo('first', 'cancelled');
    const { transcript, thread } = await runOn(threads, journalHost(new Map()), 'second', 'Go on');
    expect(transcript.slice(0, 6)).toMatchObject([
      { role: 'system' },
      { role: 'user', content: 'Add' },
      { role: 'assistant' },
      { role: 'tool', content: '{"a":1}' },
      { role: 'tool' },
      { role: 'assistant', content: '[There is no answer: cancelled]' },
    ]);
    expect(thread).toMatchObject({ question: 6 });
  });

  it('whose question is too long by itself takes it back', async () => {
    const threads = createThreads(memoryCollections());
    await runOn(threads, journalHost(new Map()), 'first');
    const model = scriptedModel([new ModelError('CONTEXT_OVERFLOW', 'Too long')]);
    const host = journalHost(new Map());
    const choice = { threads, thread: 'other', by: 'second', leaseMs: 60_000 };
    const { outcome, thread } = await runOnThread(choice, { model, toolbox: recordedTools(host), host, system: [], prompt: 'Long' });
    expect({ outcome, thread }).toEqual({ outcome: 'model-error', thread: { thread: 'other', question: 1, messages: 0 } });
    expect((await threads.list(Date.now())).map((each) => each.thread)).toEqual(['sum']);
  });

  it('has its answer also where there is no room to keep it, and says so', async () => {
    const threads = createThreads(memoryCollections(1_000));
    const host = journalHost(new Map());
    const model = scriptedModel([{ content: 'x'.repeat(2_000) }]);
    const choice = { threads, thread: 'sum', by: 'first', leaseMs: 60_000 };
    const { outcome, thread } = await runOnThread(choice, { model, toolbox: recordedTools(host), host, system: [], prompt: 'Much' });
    expect({ outcome, thread }).toMatchObject({ outcome: 'answered', thread: { notKept: 'The collection is full.' } });
    expect(await threads.list(Date.now())).toMatchObject([{ messages: 1, isBusy: false }]);
  });
});
