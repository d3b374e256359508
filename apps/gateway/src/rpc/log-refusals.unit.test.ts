import { describe, expect, it } from 'vitest';
import { createLogRefusal, withoutWords, withRefusals } from './log-refusals.js';
import { NO_REPORTS } from './operation.js';

const CODE = -32602;

function logged() {
  const lines: object[] = [];
  let now = 0;
  const log = createLogRefusal({ info: (line: object) => void lines.push(line) }, () => now);
  return { lines, log, wait: (ms: number) => void (now += ms) };
}

describe('the log of refused requests', () => {
  it('has a line for a request that is answered with an error, and none for others', () => {
    const { lines, log } = logged();
    const reports = withRefusals(NO_REPORTS, log);
    const begin = (params: Record<string, unknown>) =>
      reports.begin({
        message: { id: 1, method: 'tools/call', params },
        headers: {},
        protocolVersion: '2025-11-25',
        owner: 'ada',
        receivedAt: Date.now(),
      });
    begin({ name: 'work', arguments: { secret: 1 } }).end({ error: { code: CODE, message: 'At most 1 tasks may be unfinished.' } });
    begin({ name: 'work' }).end({ result: { isError: true } });
    begin({ name: 'work' }).end();
    begin({ name: 'work' }).end({ error: { code: -32603, message: 'Internal error' } });
    begin({ name: 'work' }).end({ error: { code: 404, message: 'what the tool says' } });
    expect(lines).toEqual([
      {
        method: 'tools/call',
        tool: 'work',
        owner: 'ada',
        durationMs: expect.any(Number) as number,
        code: CODE,
        reason: 'At most 1 tasks may be unfinished.',
      },
    ]);
  });

  it('leaves out, if it is to, what only the caller has named, and reasons that may repeat what was sent', () => {
    const { lines, log } = logged();
    const quiet = withoutWords(log, (name) => name === 'work');
    quiet({ method: 'tools/call', tool: 'work', owner: 'ada', code: CODE, reason: 'Wrong: a secret' });
    quiet({ method: 'tools/call', tool: 'a secret', code: CODE, reason: 'Unknown tool: a secret' });
    quiet({ method: 'secrets/show', code: -32601, reason: 'Method not found' });
    quiet({ method: 'prompts/get', code: -32000, reason: 'what a feature says' });
    quiet({ status: 429, code: -32000, reason: 'At most 2 sessions.' });
    expect(lines).toEqual([
      { method: 'tools/call', tool: 'work', owner: 'ada', code: CODE },
      { method: 'tools/call', code: CODE },
      { method: '_OTHER', code: -32601 },
      { method: 'prompts/get', code: -32000 },
      { status: 429, code: -32000, reason: 'At most 2 sessions.' },
    ]);
  });

  it('counts what comes beyond a number of lines in a second', () => {
    const { lines, log, wait } = logged();
    for (let count = 0; count < 25; count++) log({ code: CODE, reason: 'no' });
    expect(lines).toHaveLength(20);
    wait(1_000);
    log({ code: CODE, reason: 'no' });
    expect(lines.at(-1)).toEqual({ code: CODE, reason: 'no', leftOut: 5 });
  });
});
