import { openMemoryStore } from '@longhaul/store-sqlite';
import { createOperatorService, type OperatorService, rowOf } from '@longhaul/tasks';
import { TaskHistory } from '@longhaul/tasks/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { act } from './bulk-act.js';
import { type BulkRecord, NOTHING_DONE } from './bulk-record.js';

const BEGUN = 1_000_000;
const record: BulkRecord = {
  id: 'b',
  action: 'answer',
  answer: { action: 'accept', content: { count: 3 } },
  filter: {},
  who: 'ada',
  reason: 'asked for by phone',
  createdAt: BEGUN,
  matched: 1,
  ...NOTHING_DONE,
  isLast: true,
};
const params = { message: 'How many?', requestedSchema: { type: 'object', properties: { count: { type: 'integer' } } } };

describe('an answer to many tasks', () => {
  const onError = (error: unknown): never => {
    throw error;
  };
  let store: ReturnType<typeof openMemoryStore>;
  let tasks: OperatorService;
  beforeEach(() => {
    store = openMemoryStore({ onError });
    tasks = createOperatorService(store, { onError });
  });
  afterEach(() => store.close());

  const append = async (history: TaskHistory, request: ReturnType<TaskHistory['create']>): Promise<void> => {
    expect(await store.events.append({ ...request, row: rowOf(history.projection.view) })).toBe('appended');
  };
  const ask = async (history: TaskHistory, key: string, at: number): Promise<void> => {
    await append(history, history.claim(history.state.passNumber + 1));
    const { epoch } = history.state;
    const request = { type: 'RequestInput', at, epoch, key, method: 'elicitation/create', params } as const;
    await append(history, history.append([request, { type: 'SuspendPass', at, epoch, waitingFor: [key] }], epoch));
  };
  const created = async (): Promise<TaskHistory> => {
    const history = new TaskHistory(undefined, BEGUN - 10);
    await append(history, history.create());
    return history;
  };
  const asked = async ({ taskId }: TaskHistory): Promise<readonly string[]> =>
    (await tasks.get(taskId)).view.pendingInputs.map(({ key }) => key);

  it('is given to what was asked by then', async () => {
    const history = await created();
    await ask(history, 'q1', BEGUN);
    expect(await act(tasks, record, history.taskId)).toBe('done');
    expect(await asked(history)).toEqual([]);
  });

  it('is not given, done again, to what the task has asked since', async () => {
    const history = await created();
    await ask(history, 'q1', BEGUN);
    const answer = { response: { action: 'accept', content: { count: 3 } } };
    await append(history, history.append([{ type: 'ProvideInput', at: BEGUN + 1, key: 'q1', answer, via: 'operator:ada/bulk:b' }]));
    await ask(history, 'q2', BEGUN + 2);
    expect(await act(tasks, record, history.taskId)).toBe('done');
    expect(await asked(history)).toEqual(['q2']);
  });

  it('leaves a task alone whose question came later', async () => {
    const history = await created();
    await ask(history, 'q', BEGUN + 1);
    expect(await act(tasks, record, history.taskId)).toBe('skipped');
    expect(await asked(history)).toEqual(['q']);
  });
});
