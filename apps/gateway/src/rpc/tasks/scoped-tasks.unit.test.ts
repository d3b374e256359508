import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import type { TaskService, TaskView } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { TaskCaller } from '../caller.js';
import { scopedTasks } from './scoped-tasks.js';

const features = createFeatureRegistry([
  defineTool({ name: 'tool', description: '', input: z.object({}), task: 'optional', scopes: ['f:tool'], run: async () => 'done' }),
]);
const methods = { 'tasks/update': ['m:update'], 'tasks/cancel': ['m:cancel'], 'tasks/get': ['m:get'] };
const view = { taskId: 'id', tool: 'tool', owner: 'ada' } as unknown as TaskView;

/** The service of one task, and a record of its calls. */
function withTask() {
  const done: string[] = [];
  const note =
    <T>(what: string, value: T) =>
    () =>
      Promise.resolve((done.push(what), value));
  const tasks = {
    get: () => Promise.resolve(view),
    getOfCall: () => Promise.resolve({ view }),
    getWithOutcome: note('read', { view }),
    cancel: note('cancel', view),
    provideInput: note('answer', true),
  } as unknown as TaskService;
  const require = (_auth: unknown, scopes: readonly string[]): never => {
    throw new Error(`needs ${scopes.join(' ')}`);
  };
  return { done, tasks: scopedTasks(tasks, { features, settings: { methods }, require }) };
}

const caller = (...scopes: string[]): TaskCaller => ({
  owner: 'ada',
  auth: { owner: 'ada', subject: 'ada', scopes },
  neededScopes: ['base'],
});

describe('the tasks of a caller', () => {
  const acts = [
    ['an answer', 'm:update', (tasks, by) => tasks.provideInput('id', 'key', () => ({ response: {} }), by, { via: 'test' })],
    ['a cancellation', 'm:cancel', (tasks, by) => tasks.cancel('id', by)],
    ['a result', 'm:get', (tasks, by) => tasks.getWithOutcome('id', by)],
  ] as const satisfies readonly [string, string, (tasks: ReturnType<typeof scopedTasks>, by: TaskCaller) => Promise<unknown>][];

  it.each(acts)('ask for the scopes of the method and of the tool, whichever way the caller came for %s', async (_what, scope, act) => {
    const { done, tasks } = withTask();
    for (const held of [[], ['f:tool'], [scope]])
      await expect((async () => act(tasks, caller(...held)))()).rejects.toThrow(`needs base ${scope} f:tool`);
    expect(done.filter((each) => each !== 'read')).toEqual([]);
    await act(tasks, caller(scope, 'f:tool'));
    expect(done).not.toEqual([]);
  });

  it('ask nothing of callers without scopes, and of the gateway itself', async () => {
    const { done, tasks } = withTask();
    await tasks.cancel('id', { owner: 'ada', auth: undefined });
    await tasks.provideInput(
      'id',
      'key',
      () => ({ response: {} }),
      { owner: 'ada', auth: { owner: 'ada', subject: 'ada' } },
      { via: 'test' },
    );
    expect(done).toEqual(['cancel', 'answer']);
  });
});
