import { describe, expect, it } from 'vitest';
import { FIELD_LIMITS } from '../field-limits.js';
import { authorStack, failedStepOf, noteRecorded } from './author-stack.js';

/** An error whose stack has the frames. */
function thrown(message: string, frames: readonly string[], options?: ErrorOptions): Error {
  const error = new Error(message, options);
  error.stack = [`Error: ${message}`, ...frames.map((frame) => `    at ${frame}`)].join('\n');
  return error;
}

describe('the stack for the author', () => {
  it('has the frames in files of the author alone', () => {
    const frames = [
      'lookUp (file:///app/tools/a%20b.ts:3:5)',
      'async file:///app/tools/c.ts:9:1',
      'new Order (/app/tools/order.ts:1:2)',
      'query (/app/node_modules/pg/lib/query.js:1:2)',
      'Step.run (file:///app/node_modules/@longhaul/tasks/dist/replay.js:1:2)',
      `own (${import.meta.url}:1:2)`,
      'process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
      'async Promise.all (index 0)',
      'elsewhere (file://host/x.ts:1:2)',
      'odd (file:///app/a%2Fb.ts:1:2)',
    ];
    const [head, ...own] = authorStack(thrown('no such city', frames))?.split('\n') ?? [];
    expect(head).toBe('Error: no such city');
    expect(own).toEqual([
      '    at lookUp (/app/tools/a b.ts:3:5)',
      '    at async /app/tools/c.ts:9:1',
      '    at new Order (/app/tools/order.ts:1:2)',
      '    at odd (file:///app/a%2Fb.ts:1:2)',
    ]);
  });

  it('has those of installed packages if there are no others', () => {
    expect(authorStack(thrown('no', ['tool (/app/node_modules/our-tools/index.js:1:2)']))).toBe(
      'Error: no\n    at tool (/app/node_modules/our-tools/index.js:1:2)',
    );
  });

  it('has the causes, joined errors and codes, and ends where they go round', () => {
    const low = Object.assign(thrown('refused', ['connect (/app/db.ts:4:1)']), { code: 'ECONNREFUSED' });
    const joined = new AggregateError([low, 'text'], 'all failed', { cause: low });
    low.cause = joined;
    joined.stack = '';
    expect(authorStack(joined)).toBe(
      'AggregateError: all failed\nCaused by: Error: refused (ECONNREFUSED)\n    at connect (/app/db.ts:4:1)',
    );
  });

  it('is nothing where it would say no more than the message', () => {
    expect(authorStack('text')).toBeUndefined();
    expect(authorStack(thrown('no', ['run (node:vm:1:1)']))).toBeUndefined();
  });

  it('is bounded in frames, causes and bytes', () => {
    const many = Array.from({ length: 50 }, (_, at) => `f (/app/a.ts:${at}:1)`);
    expect(authorStack(thrown('deep', many))?.match(/ at f/g)).toHaveLength(20);
    let chain = thrown('innermost', many);
    for (let at = 0; at < 9; at += 1) chain = thrown(`cause ${at}`, ['g (/app/a.ts:1:1)'], { cause: chain });
    expect(authorStack(chain)?.match(/Caused by/g)).toHaveLength(5);
    const long = authorStack(thrown('é'.repeat(9_000), [`f (/app/${'x'.repeat(9_000)}.ts:1:1)`])) ?? '';
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(FIELD_LIMITS.errorStackBytes);
  });

  it('of an error that stands for a recorded one is the recorded stack, and names the step', () => {
    const recorded = { name: 'Error', message: 'declined', stack: 'Error: declined\n    at charge (/app/pay.ts:7:3)' };
    const again = new Error('declined');
    noteRecorded(again, recorded, 'charge:2');
    const wrapped = thrown('could not pay', ['order (/app/order.ts:2:1)'], { cause: again });
    expect(authorStack(again)).toBe(recorded.stack);
    expect(authorStack(wrapped)).toBe(`Error: could not pay\n    at order (/app/order.ts:2:1)\nCaused by: ${recorded.stack}`);
    expect([failedStepOf(wrapped), failedStepOf(new Error('other'))]).toEqual(['charge:2', undefined]);
    const without = new Error('declined');
    noteRecorded(without, { name: 'Error', message: 'declined' }, 'charge');
    expect(authorStack(without)).toBeUndefined();
  });
});
