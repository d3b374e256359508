import { expect, it } from 'vitest';
import type { TaskCommand } from './commands.js';
import { decide, decideAll } from './decide.js';
import { fold } from './evolve.js';
import { nextDeadline } from './next-deadline.js';
import { nextPass } from './next-pass.js';
import { initialState, type TaskState } from './state.js';

const create: TaskCommand = {
  type: 'CreateTask',
  at: 0,
  task: {
    tool: 't',
    arguments: { page: 1 },
    owner: 'o',
    client: { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} },
    ttlMs: 1_000,
    pollIntervalMs: 1,
    maxRunMs: 500,
    idempotencyKey: 'k',
  },
};
const given = (...commands: TaskCommand[]): TaskState => decideAll([create, ...commands], initialState).state;
const claim: TaskCommand = { type: 'ClaimPass', at: 1, pass: 1, workerId: 'w' };
const again: TaskCommand = { type: 'ContinueAsNew', at: 400, epoch: 1, arguments: { page: 2 } };

it('begins the workflow anew with other arguments, and keeps who it is for', () => {
  const state = given(claim, { type: 'CompleteStep', at: 2, epoch: 1, key: 'a' }, again);
  expect(state.task).toEqual({ ...create.task, arguments: { page: 2 } });
  expect([...state.operations]).toEqual([]);
  expect(state).toMatchObject({ version: 4, createdAt: 0, runStartedAt: 400, runSince: 3, epoch: 1, attempt: 1 });
  expect(nextPass(state)).toEqual({ pass: 2, dueAt: 0 });
});

it('is folded from its own stream, which begins with it', () => {
  const before = given(claim);
  const events = decide(again, before);
  expect(events).toMatchObject([{ type: 'TaskContinued', data: { version: 3 } }]);
  expect(fold(events)).toEqual(fold(events, before));
});

it('counts the time for the workflow from there', () => {
  expect(nextDeadline(given(claim))?.at).toBe(500);
  expect(nextDeadline(given(claim, again))?.at).toBe(900);
});

it('goes on with what its client was shown: progress does not fall back, and nothing is delivered again', () => {
  const reports: TaskCommand[] = [
    { type: 'ReportStatus', at: 2, epoch: 1, message: 'half', seq: 1 },
    { type: 'ReportProgress', at: 2, epoch: 1, progress: 5, seq: 1 },
    { type: 'ExposeValue', at: 2, epoch: 1, value: { page: 1 }, seq: 1 },
    { type: 'SendNotification', at: 2, epoch: 1, method: 'm', params: {}, seq: 1 },
  ];
  const state = given(claim, ...reports, again);
  expect(state).toMatchObject({ statusMessage: 'half', progress: { progress: 5 }, progressAt: 4, notifiedAt: 6 });
  expect(state).toMatchObject({ exposed: { value: { page: 1 } }, exposedSeq: 0, uncounted: 0 });
  const start: TaskCommand = { type: 'ClaimPass', at: 401, pass: 2, workerId: 'w' };
  const lower = { type: 'ReportProgress', at: 402, epoch: 2, progress: 1, seq: 1 } as const;
  expect(decideAll([start, lower, { ...lower, progress: 6, seq: 2 }], state).events.slice(1)).toMatchObject([{ data: { progress: 6 } }]);
});

it('is for the worker that holds the pass', () => {
  expect(() => given(claim, { ...again, epoch: 0 })).toThrow('Epoch 0 no longer holds the task');
});
