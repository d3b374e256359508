import { describe, expect, it } from 'vitest';
import { callTool } from './call-tool.js';
import { scriptedContext } from './verb-context.fixture.js';

const TASK = '0d9f4c52-6f0e-4a53-9b7c-3b1f5d2a8e11';

describe('a call that waits', () => {
  it('says which task it has started before it waits, beside its output', async () => {
    const context = scriptedContext(
      (request) =>
        request === 'GET /tools' ? { tools: [{ name: 'T', inputSchema: {} }] } : request === 'POST /tools/T/tasks' ? { taskId: TASK } : '',
      { words: ['T'], flags: { wait: true, timeout: '5s', reason: 'to try it' } },
    );
    await expect(callTool(context)).rejects.toThrow('it has not ended within 5s');
    expect(context).toMatchObject({ out: [], err: [`${TASK} is started`] });
  });
});

describe('a call that would wait for no time', () => {
  it('starts nothing', async () => {
    const requests: string[] = [];
    const context = scriptedContext((request) => (requests.push(request), { tools: [] }), {
      words: ['T'],
      flags: { wait: true, timeout: 'x' },
    });
    await expect(callTool(context)).rejects.toThrow('--timeout "x": must be a duration such as 90s, and at most 24d');
    expect(requests).toEqual(['GET /tools']);
  });
});

describe('a call without a reason', () => {
  it('says in the audit log where it came from', async () => {
    const bodies: unknown[] = [];
    const context = scriptedContext((request, body) => (request === 'GET /tools' ? { tools: [] } : (bodies.push(body), { taskId: TASK })), {
      words: ['T'],
    });
    expect(await callTool(context)).toBe(0);
    expect(bodies).toEqual([{ arguments: {}, reason: 'called from the command line' }]);
  });
});
