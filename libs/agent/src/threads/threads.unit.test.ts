import { beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../conversation/messages.js';
import { memoryCollections } from './memory-collections.fixture.js';
import { THREAD_LIMITS, threadKey } from './thread-records.js';
import type { ThreadRequest } from './thread.js';
import { createThreads, type Threads } from './threads.js';

const NOW = Date.UTC(2026, 0, 2);
const run = (by: string, now = NOW) => ({ by, now, leaseMs: 1_000 });
const request = (more: Partial<ThreadRequest> = {}): ThreadRequest => ({ ...run('a'), thread: 'trip', prompt: 'Where?', ...more });
const answer = (content: string): Message => ({ role: 'assistant', content });
const calls = (...ids: string[]): Message => ({
  role: 'assistant',
  content: '',
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })),
});
const result = (id: string): Message => ({ role: 'tool', tool_call_id: id, content: `result ${id}` });

let threads: Threads;
beforeEach(() => {
  threads = createThreads(memoryCollections());
});

/** A question and its answer. */
async function ask(prompt: string, by: string, more: Partial<ThreadRequest> = {}): Promise<string> {
  const { thread, number } = await threads.open(request({ by, prompt, ...more }));
  await threads.close(thread, run(by), { number: number + 1, messages: [answer(`${prompt} Yes.`)] }, '');
  return thread;
}
const contents = async (thread: string): Promise<unknown[]> => (await threads.read(thread)).map(({ message }) => message.content);

describe('a thread', () => {
  it('is continued with all messages of the runs before', async () => {
    await ask('One?', 'a');
    expect(await threads.open(request({ by: 'b', prompt: 'Two?' }))).toEqual({
      thread: 'trip',
      number: 3,
      messages: [{ role: 'user', content: 'One?' }, answer('One? Yes.')],
    });
  });

  it('has a name of its own where none is given', async () => {
    expect([await ask('One?', 'a', { thread: undefined }), await ask('Two?', 'b', { thread: undefined })]).toEqual([
      '2026-01-02.1',
      '2026-01-02.2',
    ]);
  });

  it.each(['', '-x', 'a b', 'a/b', 'ü', 'x'.repeat(65), 'a@1'])('cannot have the name %j', async (thread) => {
    await expect(threads.open(request({ thread }))).rejects.toMatchObject({ code: 'THREAD_INVALID' });
  });

  it('is refused to a second run until the first one ends, or its hold expires', async () => {
    await threads.open(request());
    await expect(threads.open(request({ by: 'b' }))).rejects.toMatchObject({
      code: 'THREAD_BUSY',
      message: expect.stringContaining('a') as string,
    });
    await expect(threads.remove('trip', NOW)).rejects.toMatchObject({ code: 'THREAD_BUSY' });
    const later = await threads.open(request({ by: 'b', now: NOW + 1_000, prompt: 'And now?' }));
    expect(later.messages.at(-1)?.content).toBe('[There is no answer: the run ended without an answer]');
    expect(await threads.append('trip', run('a'), { number: 2, messages: [answer('Too late')] })).toBe(false);
    expect(await threads.close('trip', run('a'), undefined, 'x')).toBeUndefined();
    expect(await contents('trip')).not.toContain('Too late');
  });

  it('is opened again by the same run as it was, without what the run has added', async () => {
    await ask('One?', 'a');
    const first = await threads.open(request({ by: 'b', prompt: 'Two?' }));
    await threads.append('trip', run('b'), { number: 4, messages: [answer('Half')] });
    expect(await threads.open(request({ by: 'b', prompt: 'Two?' }))).toEqual(first);
    const made = await threads.open(request({ by: 'c', thread: undefined }));
    expect(await threads.open(request({ by: 'c', thread: undefined }))).toEqual(made);
    expect(await threads.list(NOW)).toHaveLength(2);
  });

  it('that is let go in the middle of calls has what is known of each, and an answer that says why there is none', async () => {
    await threads.open(request());
    await threads.append('trip', run('a'), { number: 2, messages: [calls('x', 'y', 'z')] });
    await threads.append('trip', run('a'), { number: 4, messages: [result('y')] });
    expect(await threads.close('trip', run('a'), undefined, 'cancelled')).toBe(6);
    const messages = (await threads.read('trip')).map(({ message }) => message);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'tool', 'assistant']);
    expect(messages[2]).toMatchObject({ tool_call_id: 'x', content: expect.stringContaining('It is unknown') as string });
    expect(messages[3]).toEqual(result('y'));
    expect(messages.at(-1)?.content).toBe('[There is no answer: cancelled]');
  });

  it('loses a question that is taken back, and is none without another one', async () => {
    await threads.open(request());
    expect(await threads.close('trip', run('a'), undefined, undefined)).toBe(0);
    expect(await threads.list(NOW)).toEqual([]);
    await ask('One?', 'b');
    await threads.open(request({ by: 'c', prompt: 'Far too long' }));
    expect(await threads.close('trip', run('c'), undefined, undefined)).toBe(2);
    expect(await contents('trip')).toEqual(['One?', 'One? Yes.']);
  });

  it('has a summary for its beginning, and keeps what that stands for', async () => {
    await ask('One?', 'a');
    await threads.open(request({ by: 'b', prompt: 'Two?' }));
    await threads.close(
      'trip',
      run('b'),
      { number: 4, messages: [answer('Two.')], compacted: { messages: 2, summary: 'One: yes.' }, density: 0.5 },
      '',
    );
    expect(await threads.open(request({ by: 'c' }))).toMatchObject({
      summary: 'One: yes.',
      density: 0.5,
      messages: [{ content: 'Two?' }, { content: 'Two.' }],
    });
    expect((await threads.read('trip')).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('a fork', () => {
  beforeEach(async () => {
    await ask('One?', 'a');
    await ask('Two?', 'b');
  });

  it('has what came before the question, in whose place there is a new one', async () => {
    expect(await ask('Another?', 'c', { thread: 'other', fork: 'trip@3' })).toBe('other');
    expect(await contents('other')).toEqual(['One?', 'One? Yes.', 'Another?', 'Another? Yes.']);
    expect(await contents('trip')).toHaveLength(4);
    expect(await ask('More?', 'd', { thread: undefined, fork: 'trip@5' })).toBe('trip.2');
    expect(await contents('trip.2')).toHaveLength(6);
    expect((await threads.list(NOW)).find(({ thread }) => thread === 'trip.2')).toMatchObject({ forkOf: 'trip@5', title: 'One?' });
  });

  it('has no summary of messages that it does not have', async () => {
    await threads.open(request({ by: 'c' }));
    await threads.close('trip', run('c'), { number: 6, messages: [answer('x')], compacted: { messages: 4, summary: 'Both.' } }, '');
    expect(await threads.open(request({ by: 'd', thread: 'early', fork: 'trip@3' }))).not.toHaveProperty('summary');
    expect(await threads.open(request({ by: 'e', thread: 'late', fork: 'trip@5' }))).toMatchObject({ summary: 'Both.', messages: [] });
  });

  it.each([
    ['trip@2', 'THREAD_INVALID', 'Message 2 of the thread "trip" is no question. Its last questions are 1, 3; 5 continues after its end.'],
    ['trip@9', 'THREAD_INVALID', 'is no question'],
    ['trip', 'THREAD_INVALID', '"trip@3"'],
    ['gone@1', 'THREAD_NOT_FOUND', 'There is no thread "gone".'],
  ])('of %s is refused', async (fork, code, message) => {
    await expect(threads.open(request({ by: 'c', thread: 'other', fork }))).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message) as string,
    });
  });

  it('takes no name that there is', async () => {
    await expect(threads.open(request({ by: 'c', fork: 'trip@1' }))).rejects.toMatchObject({ code: 'THREAD_EXISTS' });
  });
});

describe('the limits of threads', () => {
  it('remove the oldest thread that nobody has named, and refuse where there is none', async () => {
    const full = memoryCollections(6_000);
    threads = createThreads(full);
    const text = 'x'.repeat(1_500);
    const [first, second] = [await ask(text, 'a', { thread: undefined }), await ask('Two?', 'b', { thread: undefined, now: NOW + 1 })];
    await ask('Named?', 'c');
    await ask(text, 'd');
    expect((await threads.list(NOW)).map(({ thread }) => thread).toSorted()).toEqual(['trip', second].toSorted());
    expect([...full.records.keys()].some((key) => key.includes(first) && key !== threadKey(first))).toBe(second.includes(first));
    await expect(ask('y'.repeat(6_000), 'e')).rejects.toMatchObject({ code: 'OWNER_FULL' });
  });

  it('are a number of messages', async () => {
    const { number } = await threads.open(request());
    const messages = Array.from({ length: THREAD_LIMITS.messages }, () => answer('x'));
    await expect(threads.append('trip', run('a'), { number: number + 1, messages })).rejects.toMatchObject({ code: 'THREAD_FULL' });
    await threads.close('trip', run('a'), { number: number + 1, messages: messages.slice(1) }, '');
    await expect(threads.open(request({ by: 'b' }))).rejects.toMatchObject({ code: 'THREAD_FULL' });
    expect(await threads.remove('trip', NOW)).toBe(true);
    expect(await threads.remove('trip', NOW)).toBe(false);
  });

  it('cut a message that is too large, with a note', async () => {
    const { number } = await threads.open(request());
    const huge: Message = {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'x', type: 'function', function: { name: 'f', arguments: 'z'.repeat(2_000_000) } }],
    };
    await threads.append('trip', run('a'), { number: number + 1, messages: [huge, { ...result('x'), content: 'ü'.repeat(1_000_000) }] });
    const [, call, cut] = (await threads.read('trip')).map(({ message }) => message);
    expect(call).toMatchObject({ tool_calls: [{ id: 'x', function: { name: 'f', arguments: '{}' } }] });
    expect(cut?.content).toMatch(/more bytes are left out\]$/);
  });
});
