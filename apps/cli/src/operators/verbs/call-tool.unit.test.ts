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
