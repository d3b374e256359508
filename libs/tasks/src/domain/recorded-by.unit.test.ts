/** Tests which versions of a deployment recorded a task's operations. */
import { wholeMs } from './milliseconds.js';
import { expect, it } from 'vitest';
import { decideAll } from './decide.js';
import type { PassCommand, TaskCommand } from './commands.js';
import { initialState, type TaskState } from './state.js';

const task = {
  tool: 't',
  arguments: {},
  owner: 'o',
  client: { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} },
  ttlMs: 1,
  pollIntervalMs: 1,
} as const;

type Draft = PassCommand extends infer T ? (T extends PassCommand ? Omit<T, 'at' | 'epoch'> : never) : never;

const after = (state: TaskState, ...commands: TaskCommand[]): TaskState => decideAll(commands, state).state;
const created = after(initialState, { type: 'CreateTask', at: 0, task });

/** A pass by a worker of that version, which records these and is suspended. */
function pass(state: TaskState, version: string | undefined, ...drafts: Draft[]): TaskState {
  const number = state.passNumber + 1;
  const claimed = after(state, { type: 'ClaimPass', at: 1, pass: number, workerId: 'w', ...(version !== undefined && { version }) });
  const commands = drafts.map((draft) => ({ ...draft, at: 1, epoch: claimed.epoch }));
  return after(claimed, ...commands);
}

const suspend = { type: 'SuspendPass', waitingFor: [] } as const;
const step = (key: string) => ({ type: 'CompleteStep', key }) as const;

it.each<Draft>([
  step('a'),
  { type: 'FailStep', key: 'a', error: { name: 'Error', message: '' }, attempt: 1 },
  { type: 'RequestInput', key: '$elicit', method: 'elicitation/create', params: {} },
  { type: 'ScheduleTimer', key: 'nap', dueAt: wholeMs(5) },
])('are noted with $type', (draft) => {
  expect([...pass(created, 'one', draft).recordedBy]).toEqual(['one']);
});

it('are all of those that did, each once, and in a state of its own', () => {
  const first = pass(created, 'one', step('a'), suspend);
  const second = pass(first, 'two', step('b'), step('c'), suspend);
  expect([...second.recordedBy]).toEqual(['one', 'two']);
  expect([...first.recordedBy]).toEqual(['one']);
});

it('are none of those that only ran', () => {
  expect([...pass(pass(created, 'one', step('a'), suspend), 'two', { type: 'ReportStatus', message: 'm', seq: 1 }).recordedBy]).toEqual([
    'one',
  ]);
});

it('are kept when the workflow is tried again, as its completed operations are', () => {
  const failed = { type: 'FailPass', error: { name: 'Error', message: '' }, retryAt: wholeMs(0) } as const;
  expect([...pass(created, 'one', step('a'), failed).recordedBy]).toEqual(['one']);
});

it('are forgotten with the operations when the task is continued as new', () => {
  expect([...pass(created, 'one', step('a'), { type: 'ContinueAsNew', arguments: {} }).recordedBy]).toEqual([]);
});

it('are unknown for a pass that does not say its version', () => {
  expect([...pass(created, undefined, step('a')).recordedBy]).toEqual(['unknown']);
});
