import { openMemoryStore } from '@longhaul/store-sqlite';
import { createOwnerStore } from '@longhaul/sessions';
import { fakeRequest } from '@longhaul/mcp-features/testing';
import type { OwnerContext, RequestContext } from '@longhaul/mcp-features';
import { beforeEach, describe, expect, it } from 'vitest';
import { readSettings } from './settings.js';
import { sequentialThinking } from './sequential-thinking.js';

const tool = sequentialThinking(false);
let owner: OwnerContext;

beforeEach(() => {
  const store = createOwnerStore(openMemoryStore().ownerRecords);
  owner = { ...store.of({ id: 'ada' }), key: 'ada', resourceUpdated: () => undefined };
});

const THOUGHT = { thought: 'Hm.', nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 3 };

async function think(args: object = {}, context: RequestContext = fakeRequest({ owner })) {
  const { structuredContent, content, isError } = await tool.call({ ...THOUGHT, ...args }, context);
  if (isError === true) throw new Error(JSON.stringify(content));
  expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent, null, 2) }]);
  return structuredContent;
}

describe('a thought', () => {
  it('is counted, and may need more of them than were thought of', async () => {
    await think();
    expect(await think({ thoughtNumber: 5, nextThoughtNeeded: false })).toEqual({
      thoughtNumber: 5,
      totalThoughts: 5,
      nextThoughtNeeded: false,
      branches: [],
      thoughtHistoryLength: 2,
    });
  });

  it('is logged as far as a log message can hold it', async () => {
    const logged: unknown[] = [];
    const context: RequestContext = { ...fakeRequest({ owner }), log: (_level, data) => void logged.push(data) };
    await sequentialThinking(true).call({ ...THOUGHT, thought: '😀'.repeat(50_000) }, context);
    expect(logged).toEqual([`Thought 1/3: ${'😀'.repeat(5_000)}…`]);
  });

  it('may be written in texts', async () => {
    expect(await think({ thoughtNumber: '2', totalThoughts: '4', nextThoughtNeeded: 'False' })).toMatchObject({
      thoughtNumber: 2,
      totalThoughts: 4,
      nextThoughtNeeded: false,
    });
    await expect(think({ nextThoughtNeeded: 'perhaps' })).rejects.toThrow('Expected boolean or');
  });

  it('begins a branch with its id and its origin', async () => {
    await think({ branchId: 'without origin' });
    await think({ branchFromThought: 1, branchId: 'a' });
    await think({ branchFromThought: 1, branchId: '__proto__' });
    expect(await think({ branchFromThought: 2, branchId: 'a' })).toMatchObject({ branches: ['a', '__proto__'], thoughtHistoryLength: 4 });
  });

  it('is counted also when it comes with others', async () => {
    const counts = await Promise.all(Array.from({ length: 50 }, () => think()));
    expect(new Set(counts.map((count) => count?.['thoughtHistoryLength'])).size).toBe(50);
  });

  it('belongs to the thread that it names', async () => {
    await think();
    await think({ thread: 'other' });
    expect(await think({ thread: 'other' })).toMatchObject({ thoughtHistoryLength: 2 });
    expect(await think()).toMatchObject({ thoughtHistoryLength: 2 });
  });

  it('stands alone where nothing is known of the caller', async () => {
    await think({}, fakeRequest());
    expect(await think({ branchFromThought: 1, branchId: 'a' }, fakeRequest())).toMatchObject({ branches: ['a'], thoughtHistoryLength: 1 });
  });

  it('is logged unless that is disabled', async () => {
    expect([readSettings({}), readSettings({ DISABLE_THOUGHT_LOGGING: 'True' })]).toEqual([{ isLogged: true }, { isLogged: false }]);
    const logged: unknown[] = [];
    const context = { ...fakeRequest({ owner }), log: (...line: unknown[]) => void logged.push(line) };
    const call = (args: object) => sequentialThinking(true).call({ ...THOUGHT, ...args }, context);
    await call({});
    await call({ isRevision: true, revisesThought: 1 });
    await call({ branchFromThought: 1, branchId: 'b' });
    expect(logged).toEqual([
      ['info', 'Thought 1/3: Hm.', 'sequentialthinking'],
      ['info', 'Revision of thought 1, 1/3: Hm.', 'sequentialthinking'],
      ['info', 'Branch b from thought 1, 1/3: Hm.', 'sequentialthinking'],
    ]);
  });
});
