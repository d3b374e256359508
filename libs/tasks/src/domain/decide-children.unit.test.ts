import { expect, it } from 'vitest';
import type { ChildBond } from './child-events.js';
import type { TaskCommand } from './commands.js';
import { decide, decideAll } from './decide.js';
import { initialState, type TaskState } from './state.js';

const create: TaskCommand = {
  type: 'CreateTask',
  at: 0,
  task: {
    tool: 't',
    arguments: {},
    owner: 'o',
    client: { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} },
    ttlMs: 1_000,
    pollIntervalMs: 1,
    maxRunMs: 500,
  },
};
const started = (bond: ChildBond): TaskState =>
  decideAll(
    [
      create,
      { type: 'ClaimPass', at: 1, pass: 1, workerId: 'w' },
      { type: 'StartChild', at: 2, epoch: 1, key: 'a', taskId: 'x', tool: 't', bond },
    ],
    initialState,
  ).state;
const end = (taskId: string): TaskCommand => ({ type: 'EndChild', at: 3, key: 'a', taskId, outcome: { kind: 'result', result: {} } });
const ask: TaskCommand = { type: 'AskForChild', at: 3, key: 'a', taskId: 'x', input: { key: '$q', method: 'roots/list', params: {} } };

it('takes the end and the questions of a child that it waits for', () => {
  expect(decide(end('x'), started('bound'))).toMatchObject([{ type: 'ChildEnded', data: { key: 'a' } }]);
  expect(decide(ask, started('bound'))).toMatchObject([{ type: 'InputRequested' }]);
});

it('takes nothing of a task that it has not started, or does not wait for', () => {
  expect(decide(end('y'), started('bound'))).toEqual([]);
  expect(decide(end('x'), started('detached'))).toEqual([]);
  expect(decide(ask, started('detached'))).toEqual([]);
});
