/** Tests that the command line shows what tasks, tools and owners have spent. */
import { expect, it } from 'vitest';
import { showStats } from './overview.js';
import { showTask } from './show-task.js';
import { showOwner } from './tenants.js';
import { scriptedContext } from './verb-context.fixture.js';

const TASK = '0d9f4c52-6f0e-4a53-9b7c-3b1f5d2a8e11';
const AT = '2026-01-31T12:00:00.000Z';
const COUNTS = { created: 3, completed: 2, failed: 1, cancelled: 0 };
const spent = { cost: 0.25, tokens: 1_200 };

it('of a task, with its budget', async () => {
  const task = { taskId: TASK, tool: 'T', owner: 'ada', status: 'working', createdAt: AT, attempt: 1, arguments: {}, pendingInputs: [] };
  const timeline = { passes: [], operations: [], waits: [], counts: { passes: 0, operations: 0, waits: 0 } };
  const answer = { ...task, spent, budget: { tokens: 5_000 } };
  const context = scriptedContext((request) => (request.includes('/timeline') ? timeline : answer), { words: [TASK] });
  expect(await showTask(context)).toBe(0);
  expect(context.out.find((line) => line.startsWith('spent'))).toContain('{"cost":0.25,"tokens":1200}');
  expect(context.out.find((line) => line.startsWith('budget'))).toContain('{"tokens":5000}');
});

it('of each tool, and of all', async () => {
  const tools = [
    { tool: 'ask', ...COUNTS, spent },
    { tool: 'free', ...COUNTS },
  ];
  const stats = { over: 'week', stepMs: 1, periods: [], total: { ...COUNTS, spent: { tokens: 1_200 } }, tools };
  const context = scriptedContext(() => stats, {});
  expect(await showStats(context)).toBe(0);
  const cells = context.out.map((line) => line.trim().split(/\s{2,}/));
  expect(cells[0]?.slice(-2)).toEqual(['COST', 'TOKENS']);
  expect(cells.find(([tool]) => tool === 'ask')?.slice(-2)).toEqual(['0.25', '1200']);
  expect(cells.find(([tool]) => tool === 'free')).toHaveLength(5);
  expect(cells.find(([tool]) => tool === 'all tools')?.at(-1)).toBe('1200');
});

it.each([
  [spent, '0.25, 1200 tokens'],
  [{ tokens: 0 }, '0 tokens'],
  [{ cost: 2 }, '2'],
  [{}, undefined],
])('of an owner: %j', async (amount, shown) => {
  const limits = { unfinishedTasks: null, tasksPerMinute: 9, historyBytes: 9, openSessions: 9 };
  const used = { unfinishedTasks: 1, tasksInMinute: 1, historyBytes: 5, openSessions: 0, spent: amount };
  const context = scriptedContext(() => ({ owner: 'ada', tenant: 'ada', limits, used, sessions: [] }), { words: ['ada'] });
  expect(await showOwner(context)).toBe(0);
  expect(context.out.find((line) => line.startsWith('spent'))?.replace(/^spent\s+/, '')).toBe(shown);
});
