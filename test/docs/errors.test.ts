/** Compares the tables of docs/errors.md with the code, both ways. */
import { failureOf, RpcCode } from '@longhaul/gateway/testing';
import { SCHEDULE_ERRORS, TASK_ERRORS, TaskError, type TaskErrorCode } from '@longhaul/tasks';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { pathsOf, section, sorted, tableRows, textOf } from './documents.js';

const sourcesOf = (pattern: string): string =>
  pathsOf(pattern)
    .filter((path) => !path.endsWith('.test.ts'))
    .map(textOf)
    .join('\n');

describe('the codes of the task engine', () => {
  const received = tableRows(section('docs/errors.md', 'Codes that clients receive')).map(([code = '', , client = '']) => ({
    code,
    client,
  }));
  const others = ['Codes that operations throw', 'Codes about the store and retries']
    .flatMap((heading) => tableRows(section('docs/errors.md', heading)))
    .flatMap(([codes = '']) => codes.split(', '))
    .map((code) => ({ code, client: undefined }));

  it('are all in a table, and no others', () => {
    expect(sorted([...received, ...others].map(({ code }) => code))).toEqual(sorted(Object.keys(TASK_ERRORS)));
  });

  it.each([...received, ...others])('$code is answered as the table says', ({ code, client }) => {
    const { httpStatus, code: rpcCode } = failureOf(new TaskError(code as TaskErrorCode), pino({ level: 'silent' }));
    const answered = code === 'TASK_ENDED' ? [200, RpcCode.InvalidParams] : [httpStatus, rpcCode]; // `tasks/cancel` answers that one itself.
    const isInternal = answered[0] === 200 && answered[1] === RpcCode.InternalError;
    expect(client).toBe(isInternal ? undefined : answered.join(', '));
  });
});

describe('the codes of schedules', () => {
  it('are all in the table, and no others', () => {
    const rows = tableRows(section('docs/errors.md', 'Codes of schedules'));
    expect(sorted(rows.map(([code]) => code))).toEqual(sorted(Object.keys(SCHEDULE_ERRORS)));
  });
});

describe('the refusals of HTTP requests', () => {
  it('are all in the table, and no others', () => {
    const source = sourcesOf('apps/gateway/src/**/*.ts').replaceAll(/\$\{[^}]*\}/g, '');
    // Objects with a status of their own; the ones with 200 are answers of methods.
    const failures = [...source.matchAll(/\{[^{}]*httpStatus: [45]\d\d[^{}]*\}/g)].map(([object]) => ({
      status: /httpStatus: (\d+)/.exec(object)?.[1],
      code: /code: RpcCode\.(\w+)/.exec(object)?.[1],
    }));
    const refusals = [...source.matchAll(/new Refusal\(\s*(\d+),\s*RpcCode\.(\w+)/g)].map(([, status, code]) => ({ status, code }));
    const thrown = [...failures, ...refusals].map(({ status, code }) => `${status} ${RpcCode[code as keyof typeof RpcCode]}`);
    // A fault before a method began: what has no status of its own.
    const expected = [...thrown, `500 ${RpcCode.InternalError}`];
    const documented = tableRows(section('docs/errors.md', 'Refused requests')).map(([status, code]) => `${status} ${code}`);
    expect(sorted(documented)).toEqual(sorted(expected));
  });
});

describe('the reasons of failed tasks', () => {
  it('are all in the table, and no others', () => {
    const source = sourcesOf('libs/tasks/src/{domain,engine,replay}/*.ts');
    const given = [...source.matchAll(/(?:reason: |\.fail\([\s\S]{0,200}?, |failureFor\()'([A-Z]+(?:_[A-Z]+)*)'/g)].map(
      ([, reason]) => reason,
    );
    // A command that the domain rejects during a pass fails the task with the code of the rejection.
    const rejections = ['KEY_IN_USE', 'UNKNOWN_KEY'];
    // Its code comes from the error with which the history was loaded.
    const loading = ['HISTORY_UNREADABLE', 'VALUE_NOT_GENUINE', 'VALUE_MISSING'];
    const documented = tableRows(section('docs/errors.md', 'Why a task failed')).map(([reason]) => reason);
    expect(sorted(documented)).toEqual(sorted([...new Set(given), ...rejections, ...loading]));
  });
});
