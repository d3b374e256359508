import { describe, expect, it } from 'vitest';
import { showTask } from './show-task.js';
import { scriptedContext } from './verb-context.fixture.js';

const TASK = '0d9f4c52-6f0e-4a53-9b7c-3b1f5d2a8e11';
const AT = '2026-01-31T12:00:00.000Z';
const task = {
  taskId: TASK,
  tool: 'T',
  owner: 'ada',
  status: 'working',
  createdAt: AT,
  attempt: 1,
  arguments: {},
  exposed: { page: 2 },
  pendingInputs: [],
};
const operation = (at: number) => ({ key: `step ${at}`, kind: 'step', status: 'completed', startedAt: AT, settledAt: AT, tries: [] });

describe('a task with a long timeline', () => {
  it('is shown with the end of it, which is all that is asked for', async () => {
    const operations = Array.from({ length: 15 }, (_, at) => operation(9_985 + at));
    const timeline = { passes: [], operations, waits: [], counts: { passes: 0, operations: 10_000, waits: 0 } };
    const context = scriptedContext((request) => (request.includes('/timeline') ? timeline : task), { words: [TASK] });
    expect(await showTask(context)).toBe(0);
    expect(context.asked).toEqual([`GET /tasks/${TASK}`, `GET /tasks/${TASK}/timeline?last=15`]);
    expect(context.out.at(-1)).toContain('step 9999');
    expect(context.out.find((line) => line.includes('shows'))).toContain('{"page":2}');
    expect(context.out).toContain('\nThe latest 15; 9985 earlier ones are left out (--timeline has all):');
  });
});

describe('a failed task', () => {
  it('is shown with the step that failed and the stack, which cannot act on the terminal', async () => {
    const timeline = { passes: [], operations: [], waits: [], counts: { passes: 0, operations: 0, waits: 0 } };
    const thrown = { name: 'Error', step: 'charge', stack: 'Error: no \u001b[2J\n    at charge (/app/pay.ts:7:3)' };
    const context = scriptedContext((request) => (request.includes('/timeline') ? timeline : { ...task, thrown }), { words: [TASK] });
    await showTask(context);
    expect(context.out.find((line) => line.startsWith('failed step'))).toContain('charge');
    expect(context.out).toContain('    at charge (/app/pay.ts:7:3)');
    expect(context.out.join('')).not.toContain('\u001b');
  });
});

describe('a task with a trace', () => {
  it('is shown with the links to it and to the log lines', async () => {
    const timeline = { passes: [], operations: [], waits: [], counts: { passes: 0, operations: 0, waits: 0 } };
    const links = { traceId: '4bf9', traceUrl: 'https://traces.example.com/4bf9', logsUrl: 'https://logs.example.com/' };
    const context = scriptedContext((request) => (request.includes('/timeline') ? timeline : { ...task, ...links }), { words: [TASK] });
    await showTask(context);
    expect(context.out.find((line) => line.startsWith('trace'))).toMatch(/ 4bf9 https:\/\/traces\.example\.com\/4bf9$/);
    expect(context.out.find((line) => line.startsWith('logs'))).toMatch(/ https:\/\/logs\.example\.com\/$/);
  });
});

describe('the task of an agent', () => {
  it.each([
    [undefined, undefined],
    [{ content: [] }, undefined],
    [{ structuredContent: { bill: 'much' } }, undefined],
    [
      {
        structuredContent: {
          bill: [{ model: 'm', requests: 2, inputTokens: 70, cachedTokens: 20, outputTokens: 9, reasoningTokens: 4, cost: 0.5 }, null],
        },
      },
      'm: 2 requests, 70 tokens read, 20 of them cached, 9 generated, 4 of them thoughts, 0.5 cost; undefined: ',
    ],
  ])('with the result %j has the bill %j', async (result, bill) => {
    const timeline = { passes: [], operations: [], waits: [], counts: { passes: 0, operations: 0, waits: 0 } };
    const context = scriptedContext((request) => (request.includes('/timeline') ? timeline : { ...task, result }), { words: [TASK] });
    await showTask(context);
    const line = context.out.find((each) => each.startsWith('bill'));
    expect(line?.replace(/^bill\s+/, '')).toBe(bill);
  });
});
