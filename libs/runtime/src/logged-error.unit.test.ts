import { describe, expect, it } from 'vitest';
import { loggedError } from './logged-error.js';

const SECRET = 'the password or the data of a task';

/** An error that ioredis makes from a reply. */
function replyError(message = 'WRONGPASS invalid username-password pair or user is disabled.'): Error {
  return Object.assign(new Error(message), { name: 'ReplyError', command: { name: 'auth', args: ['default', SECRET] } });
}

function logged(error: unknown): { readonly text: string; readonly fields: unknown } {
  const text = JSON.stringify(loggedError(error));
  return { text, fields: JSON.parse(text) as unknown };
}

describe('an error in the log', () => {
  it('has its kind, message and stack, and the name of the command that failed', () => {
    const { fields } = logged(replyError());
    expect(fields).toMatchObject({
      type: 'Error',
      name: 'ReplyError',
      message: expect.stringMatching(/^WRONGPASS/) as string,
      command: 'auth',
    });
    expect(fields).toHaveProperty('stack', expect.stringContaining('logged-error.unit.test'));
  });

  it.each([
    ['itself', replyError()],
    ['its cause', new Error('Redis at redis://a refuses the connection', { cause: replyError() })],
    ['the cause of its cause', new Error('the store does not answer', { cause: new Error('x', { cause: replyError() }) })],
    ['the errors of its transaction', Object.assign(new Error('EXECABORT'), { previousErrors: [replyError()] })],
    ['the last node of its cluster', Object.assign(new Error('all failed'), { lastNodeError: replyError() })],
    ['one of several errors', new AggregateError([new Error('x'), replyError()])],
    ['an unknown command', new Error(`ERR unknown command 'CLIENT', with args beginning with: 'SETINFO' '${SECRET}'`)],
  ])('has no arguments of a command: not of %s', (_, error) => {
    expect(logged(error).text).not.toContain(SECRET);
    expect(logged(error).text).toMatch(/WRONGPASS|unknown command/);
  });

  it('keeps what else it carries, and ends where errors carry each other without end', () => {
    const error: Error & { data?: unknown; other?: unknown } = new Error('x');
    Object.assign(error, { data: { limit: 3 }, code: 'TOO_MANY', other: error, cause: error });
    expect(logged(error).fields).toMatchObject({ data: { limit: 3 }, code: 'TOO_MANY', other: { message: 'x' } });
  });

  it('is left as it is when it is none', () => {
    expect(loggedError('text')).toBe('text');
    expect(loggedError(undefined)).toBeUndefined();
  });
});
