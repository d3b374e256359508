import { describe, expect, it } from 'vitest';
import { Engine, intercept } from '../../../../test/support/engine.js';
import type { TaskId } from '../domain/task-id.js';
import { TaskError } from '../errors.js';
import { failPermanently, failureFor } from '../engine/fail-permanently.js';
import { logTasks, type TaskReport } from './task-report.js';
import { TaskWriter } from './task-writer.js';

describe('what is reported of a task', () => {
  it('is its creation and its end, once each, with tool, owner and how long it took', async () => {
    const engine = new Engine(async (context) => context.sleep('wait', 5_000));
    const taskId = await engine.create();
    expect(engine.reports).toEqual([{ taskId, tool: 'tool', owner: 'ada' }]);
    await engine.settle();
    expect(engine.reports).toHaveLength(2);
    expect(engine.reports[1]).toEqual({ ...engine.reports[0], end: { outcome: 'completed', attempts: 1, durationMs: 5_000 } });
  });

  it('is the error that the workflow has thrown, with the number of attempts', async () => {
    const thrown = new TypeError('it broke');
    const engine = new Engine(() => Promise.reject(thrown));
    engine.retry = { attempts: 2 };
    await engine.create();
    await engine.settle();
    expect(engine.reports).toHaveLength(2);
    const { end } = engine.reports[1] ?? {};
    expect(end).toMatchObject({ outcome: 'failed', attempts: 2 });
    expect(end?.thrown).toBe(thrown);
  });

  it('names the reason why the engine failed it', async () => {
    const engine = new Engine(async (context) => context.step('one', () => 1));
    const taskId = await engine.create();
    const writer = new TaskWriter({
      store: engine.store,
      clock: () => engine.now,
      onError: () => undefined,
      onTask: (report) => engine.reports.push(report),
    });
    await failPermanently(writer, taskId, failureFor('NONDETERMINISM', 'The code does not fit.'));
    await failPermanently(writer, taskId, failureFor('NONDETERMINISM', 'The code does not fit.'));
    expect(engine.reports.slice(1)).toEqual([
      expect.objectContaining({
        end: { outcome: 'failed', attempts: 1, durationMs: 0, reason: 'NONDETERMINISM: The code does not fit.', code: 'NONDETERMINISM' },
      }),
    ]);
  });

  it('says that a task was cancelled, in which attempt and why', async () => {
    const engine = new Engine(() => Promise.reject(new Error('not yet')));
    engine.retry = { attempts: 5 };
    const taskId = await engine.create();
    await engine.deliver();
    await engine.service.cancel(taskId, { owner: 'ada' }, `enough${'!'.repeat(1_000)}`);
    expect(engine.reports[1]?.end).toMatchObject({ outcome: 'cancelled', attempts: 2 });
    expect(engine.reports[1]?.end?.reason).toMatch(/^enough!+…$/);
    expect(engine.reports[1]?.end).not.toHaveProperty('thrown');
  });

  it('is reported also when the acknowledgement of the end was lost', async () => {
    let isLost = false;
    const engine = new Engine(
      async () => 'done',
      (store) =>
        intercept(store, async (request, append) => {
          const result = await append(request);
          if (isLost || request.projection.outcome === undefined) return result;
          isLost = true;
          throw new TaskError('STORE_UNAVAILABLE');
        }),
    );
    await engine.create();
    await engine.settle();
    expect(isLost).toBe(true);
    expect(engine.reports.map(({ end }) => end?.outcome)).toEqual([undefined, 'completed']);
  });
});

describe('the log of tasks', () => {
  const task = { taskId: 'x' as TaskReport['taskId'], tool: 'tool', owner: 'abc' };
  const end = { attempts: 1, durationMs: 5 };

  it('is one line for each report, a warning with the error when the task has failed', () => {
    const lines: unknown[] = [];
    const log = logTasks({
      info: (fields, message) => void lines.push(['info', fields, message]),
      warn: (fields, message) => void lines.push(['warn', fields, message]),
    });
    const thrown = new Error('it broke');
    log(task);
    log({ ...task, end: { ...end, outcome: 'completed' } });
    log({ ...task, end: { ...end, outcome: 'failed', reason: 'it broke', thrown } });
    expect(lines).toEqual([
      ['info', task, 'task created'],
      ['info', { ...task, ...end, outcome: 'completed' }, 'task ended'],
      ['warn', { ...task, ...end, outcome: 'failed', reason: 'it broke', err: thrown }, 'task ended'],
    ]);
  });
});

it('has neither the message nor the reason in the log where messages are hidden, and where in the code it was thrown', () => {
  const lines: object[] = [];
  const log = logTasks({ info: (line) => lines.push(line), warn: (line) => lines.push(line) }, true);
  const thrown = new TypeError('of the user\n    at work, where nobody looks');
  log({
    taskId: 'id' as TaskId,
    tool: 'tool',
    owner: 'ada',
    end: { outcome: 'failed', attempts: 1, durationMs: 1, reason: 'MAX_RUN: of the user', code: 'MAX_RUN', thrown },
  });

  expect(lines).toEqual([
    expect.objectContaining({
      reason: 'MAX_RUN',
      err: { type: 'TypeError', stack: expect.stringMatching(/^ {4}at .*task-report/) as string },
    }),
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/of the user|where nobody looks/);
});
