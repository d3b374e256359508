import { ProtocolError } from '@longhaul/mcp-features';
import { TASK_ERRORS, TaskError, type TaskErrorCode } from '@longhaul/tasks';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { failureOf, Refusal } from './errors.js';

function outcomeOf(error: unknown) {
  const lines: string[] = [];
  const failure = failureOf(error, pino({}, { write: (line) => void lines.push(line) }));
  return { failure, log: lines.join('') };
}

describe('an error becomes', () => {
  it('what a tool or a method said, when it is a JSON-RPC error', () => {
    expect(outcomeOf(new ProtocolError(-32099, 'mine', { a: 1 }))).toEqual({
      failure: { code: -32099, message: 'mine', data: { a: 1 }, httpStatus: 200 },
      log: '',
    });
  });

  it('an HTTP error, when the transport refused', () => {
    expect(outcomeOf(new Refusal(415, -32000, 'no')).failure).toMatchObject({ httpStatus: 415, code: -32000, message: 'no' });
  });

  it('-32602 for a task that is not found, and nothing is logged', () => {
    expect(outcomeOf(new TaskError('TASK_NOT_FOUND'))).toMatchObject({ failure: { code: -32602 }, log: '' });
  });

  it('503 with Retry-After when the store does not answer', () => {
    const { failure, log } = outcomeOf(new TaskError('STORE_UNAVAILABLE'));

    expect(failure).toMatchObject({ httpStatus: 503, code: -32603, headers: { 'retry-after': '1' } });
    expect(log).toContain('store unavailable');
  });

  it('503 with a longer Retry-After when the store is full', () => {
    const { failure, log } = outcomeOf(new TaskError('STORE_FULL'));

    expect(failure).toMatchObject({ httpStatus: 503, code: -32603, headers: { 'retry-after': '10' } });
    expect(failure.message).not.toContain('does not answer');
    expect(log).toContain('store full');
  });

  it.each([
    ['CLIENT_LACKS_CAPABILITY', -32602],
    ['INPUT_FAILED', -32603],
  ] as const)('the words of the error for %s, and nothing is logged', (code, rpcCode) => {
    expect(outcomeOf(new TaskError(code, 'in these words', { a: 1 }))).toEqual({
      failure: { code: rpcCode, message: 'in these words', data: { a: 1 }, httpStatus: 200 },
      log: '',
    });
  });

  it.each(['TOO_MANY_TASKS', 'TOO_MANY_BYTES', 'TOO_MANY_CREATIONS', 'QUEUE_FULL', 'SESSION_FULL', 'OWNER_FULL'] as const)(
    'the words of the limit for %s, and one line',
    (code) => {
      const { failure, log } = outcomeOf(new TaskError(code, 'in these words', { a: 1 }));
      expect(failure).toEqual({ code: -32000, message: 'in these words', data: { a: 1 }, httpStatus: 200 });
      expect(JSON.parse(log)).toMatchObject({ code, reason: 'in these words', msg: 'limit reached' });
    },
  );

  it.each([401, 403, 429])('a refusal with %d, and one line', (status) => {
    expect(JSON.parse(outcomeOf(new Refusal(status, -32000, 'no')).log)).toMatchObject({ status, reason: 'no', msg: 'refused' });
    expect(outcomeOf(new Refusal(400, -32000, 'no')).log).toBe('');
  });

  it.each([new Error('detail'), 'detail', undefined, { code: 7 }])('an internal error without a detail for %j', (error) => {
    const { failure, log } = outcomeOf(error);

    expect(failure).toEqual({ code: -32603, message: 'Internal error', httpStatus: 200 });
    expect(log).toContain('request failed');
  });

  it('something for every code of the task library', () => {
    for (const code of Object.keys(TASK_ERRORS) as TaskErrorCode[]) expect(outcomeOf(new TaskError(code)).failure.code).toBeLessThan(0);
  });
});
