import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from './define-tool.js';
import { taskTimesOf } from './task-times.js';
import type { TaskOptions } from './tool.js';

const MAX_TTL_MS = 600_000;
const options = ['ttlMs', 'pollIntervalMs', 'maxRunMs', 'maxWaitMs'] as const;
const define = (more: object) =>
  defineTool({ name: 'work', description: 'Works', input: z.object({}), task: 'optional', run: async () => 'done', ...more });

describe('the times of a task', () => {
  it('are whole numbers of milliseconds, whatever its tool and its caller say', () => {
    const tool: TaskOptions = { ttlMs: 1_000.1, pollIntervalMs: 0.5, maxRunMs: 1e3 / 3, maxWaitMs: 2.000001 };
    expect(taskTimesOf(tool, undefined, MAX_TTL_MS)).toEqual({ ttlMs: 1_001, pollIntervalMs: 1, maxRunMs: 334, maxWaitMs: 3 });
    expect(taskTimesOf({}, 0.2, MAX_TTL_MS)).toMatchObject({ ttlMs: 1 });
    expect(taskTimesOf({}, 1e300, MAX_TTL_MS)).toMatchObject({ ttlMs: MAX_TTL_MS });
  });

  it.each(options.flatMap((name) => [Number.NaN, Infinity, 0, -1].map((ms) => [name, ms] as const)))(
    'are refused with the tool when %s is %d',
    (name, ms) => {
      expect(() => define({ [name]: ms })).toThrow(
        new RangeError(`Tool work: ${name} must be a number of milliseconds from 1 to 31536000000000, and is ${ms}.`),
      );
    },
  );
});

it.each([Number.NaN, Infinity, -1, '5'])('a plain call of a tool cannot wait for %j ms', (handOverAfterMs) => {
  expect(() => define({ handOverAfterMs })).toThrow('Tool work: handOverAfterMs must be a number of milliseconds from 0');
});

it.each(['auto', '', 1, null])('a task whose call is abandoned can continue or be cancelled, but not %j', (onAbandoned) => {
  expect(() => define({ onAbandoned })).toThrow(
    `Tool work: onAbandoned must be 'continue' or 'cancel', and is ${JSON.stringify(onAbandoned)}.`,
  );
});

describe('the retries of a tool', () => {
  it.each([
    [{ attempts: Number.NaN }, 'attempts must be a number of tries from 1, and is NaN.'],
    [{ attempts: '5' }, 'attempts must be a number of tries from 1, and is "5".'],
    [{ factor: '2' }, 'factor must be a number from 0, and is "2".'],
    [{ jitter: [0] }, 'jitter must be a number from 0 to 1, and is an array.'],
    [{ attempts: 0 }, 'attempts must be a number of tries from 1, and is 0.'],
    [{ factor: Infinity }, 'factor must be a number from 0, and is Infinity.'],
    [{ factor: -1 }, 'factor must be a number from 0, and is -1.'],
    [{ jitter: 1.1 }, 'jitter must be a number from 0 to 1, and is 1.1.'],
    [{ initialMs: -1 }, 'initialMs must be a number of milliseconds from 0 to 31536000000000, and is -1.'],
    [{ maxMs: Infinity }, 'maxMs must be a number of milliseconds from 0 to 31536000000000, and is Infinity.'],
  ])('are refused with the tool when they are %j', (retry, message) => {
    expect(() => define({ retry })).toThrow(new RangeError(`Tool work: retry: ${message}`));
  });
});
