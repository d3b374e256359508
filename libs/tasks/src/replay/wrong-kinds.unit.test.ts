/** Tests that operations refuse arguments of a wrong kind. All arguments of all operations are tried by `runTool`. */
import { expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import type { TaskContext } from './task-context.js';

/** The context of an author of JavaScript. */
type Loose = Readonly<Record<'all' | 'saga' | 'whileWanted' | 'clientTask' | 'progress' | 'log', (...args: unknown[]) => unknown>>;
interface LooseSaga {
  after(...args: unknown[]): unknown;
}

const nothing = (): undefined => undefined;
const request = { method: 'sampling/createMessage', params: {} };

it.each<[string, (context: Loose) => unknown]>([
  ['all: the items must be an array or another iterable, and are 5.', (context) => context.all(5, nothing)],
  ['saga "a": operation must be a promise, and is 5.', (context) => context.saga(async (saga: LooseSaga) => saga.after(5, 'a', nothing))],
  ['whileWanted: signal must be an AbortSignal, and is 5.', (context) => context.whileWanted(5, nothing)],
  ['clientTask: method must be one of', (context) => context.clientTask({ ...request, method: 5 })],
  ['clientTask: maxPolls must be a number from 0, and is -1.', (context) => context.clientTask(request, { maxPolls: -1 })],
  ['log: level must be one of', (context) => context.log('loud', 1)],
  ['progress: total must be a number, and is "5".', (context) => context.progress({ progress: 1, total: '5' })],
])('"%s"', async (message, act) => {
  const engine = new Engine(async (context: TaskContext) => {
    try {
      await act(context as unknown as Loose);
    } catch (error) {
      return String(error);
    }
    return 'nothing was thrown';
  });
  const client = {
    generation: '2025-11-25',
    protocolVersion: '2025-11-25',
    capabilities: { sampling: {}, tasks: { requests: { sampling: { createMessage: {} } } } },
  } as const;
  const id = await engine.create({ client });
  await engine.settle();
  expect(await engine.value(id)).toContain(message);
});
