import type { TaskId } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from './define-tool.js';
import type { LimitByKeyOptions } from './tool.js';

const defined = (limit: LimitByKeyOptions, priority?: number) =>
  defineTool({
    name: 'sync',
    description: 'Syncs.',
    input: z.object({}),
    task: 'required',
    limit,
    ...(priority !== undefined && { priority }),
    run: async () => '',
  });
const task = { taskId: 'id' as TaskId, owner: 'ada', auth: undefined };

describe('the limit of a tool by key', () => {
  it('reads the key by the path of an argument, or asks the function', () => {
    const byPath = defined({ key: 'customer.id', maxRunning: 2 }).workflow.limit;
    expect(byPath).toMatchObject({ maxRunning: 2 });
    expect(byPath?.key({ customer: { id: 7 } }, task)).toBe(7);
    for (const args of [{}, { customer: null }, { customer: 'id' }, { customer: ['id'] }]) expect(byPath?.key(args, task)).toBeUndefined();
    expect(defined({ key: 'toString', perSecond: 0.5 }).workflow.limit?.key({}, task)).toBeUndefined();
    expect(defined({ key: (_args, { owner }) => owner, perSecond: 1 }).workflow.limit?.key({}, task)).toBe('ada');
  });

  it.each([
    [{ key: 'a' }, 'Tool sync: limit must have maxRunning or perSecond.'],
    [{ key: '', maxRunning: 1 }, 'Tool sync: limit.key must be a function or the path of an argument, such as "customer.id", and is "".'],
    [{ key: 'a..b', maxRunning: 1 }, 'limit.key must be'],
    [{ key: 7, maxRunning: 1 }, 'limit.key must be'],
    [{ key: 'a', maxRunning: 0.5 }, 'Tool sync: limit.maxRunning must be a whole number from 1, and is 0.5.'],
    [{ key: 'a', perSecond: 0 }, 'Tool sync: limit.perSecond must be a number from 1/86400 to 1000, and is 0.'],
    [{ key: 'a', perSecond: Number.NaN }, 'limit.perSecond must be'],
    [{ key: 'a', perSecond: 1, burst: 2 }, 'Tool sync: limit has the unknown member "burst".'],
  ])('refuses %j', (limit, message) => {
    expect(() => defined(limit as LimitByKeyOptions)).toThrow(message);
  });

  it('refuses a priority that is none', () => {
    expect(defined({ key: 'a', maxRunning: 1 }, -10).priority).toBe(-10);
    for (const priority of [11, 0.5, Number.NaN])
      expect(() => defined({ key: 'a', maxRunning: 1 }, priority)).toThrow('Tool sync: priority must be');
  });
});
