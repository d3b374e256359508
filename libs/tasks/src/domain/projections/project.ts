/**
 * Makes the view of a state, and restores the state that a view stands for. Each member of a view says how it follows from a state, and how
 * a restored state says the same again: commands from outside a pass need nothing else, so they are decided without reading the history.
 */
import { openChildrenOf, restoreChildren } from './open-children.js';
import { endingOf } from './ending.js';
import { type AtRest, type Members, projected, restored, type RestoredState, unchanged, unknownIn } from './members.js';
import { restoreSignals, signalsOf } from './signals-in-view.js';
import { restoreStanding, STANDING_MEMBERS, type Standing, standingOf } from './standing.js';
import type { Ending, PendingInput, TaskProjection, TaskView } from './task-view.js';
import type { TaskCreatedData } from '../events.js';
import type { JsonObject } from '../json.js';
import { MutableOperations } from '../operations.js';
import { initialState, type TaskState } from '../state.js';
import type { TaskId } from '../task-id.js';

/** A member that a task was created with. */
const ofTask = <K extends keyof TaskCreatedData & keyof TaskView>(name: K) => ({
  of: ({ task }: TaskState) => task?.[name],
  into: (draft: RestoredState, value: NonNullable<TaskCreatedData[K]>): void =>
    void ((draft.task as Record<string, unknown>)[name] = value),
});

/** A member of the state itself. */
const ofState = <K extends keyof TaskState & keyof TaskView>(name: K) => ({
  of: (state: TaskState) => state[name],
  into: (draft: RestoredState, value: NonNullable<TaskState[K]>): void => void ((draft as Record<string, unknown>)[name] = value),
});

const STANDING_AT_REST = partsOf(STANDING_MEMBERS);

const ENDING_AT_REST: Readonly<Record<keyof Required<Ending>, 'plain' | 'sealed'>> = {
  kind: 'plain',
  isError: 'plain',
  message: 'sealed',
  reason: 'plain',
  step: 'sealed',
};

/** The members of a view but the id of its task. */
const VIEW_MEMBERS: Members<Omit<TaskView, 'taskId'>> = {
  version: { ...ofState('version'), atRest: 'plain' },
  tool: { ...ofTask('tool'), atRest: 'plain' },
  owner: { ...ofTask('owner'), atRest: 'plain' },
  scopes: { ...ofTask('scopes'), atRest: 'plain' },
  accounts: { ...ofTask('accounts'), atRest: 'plain' },
  sessionId: { ...ofTask('sessionId'), atRest: 'plain' },
  generation: {
    of: ({ task }) => task?.client.generation,
    into: ({ task }, generation) => void (task.client = { generation, protocolVersion: generation, capabilities: {} }),
    atRest: 'plain',
  },
  implicit: {
    ...ofTask('implicit'),
    of: ({ task, detachedAt }) => (task?.implicit === true && detachedAt === undefined ? true : undefined),
    atRest: 'plain',
  },
  detachedAt: {
    of: ({ detachedAt }) => detachedAt,
    into: (draft, detachedAt) => void Object.assign(draft, { detachedAt, task: { ...draft.task, implicit: true } }),
    atRest: 'plain',
  },
  createdAt: {
    of: ({ createdAt }) => createdAt,
    into: (draft, createdAt) => void Object.assign(draft, { createdAt, runStartedAt: createdAt }),
    atRest: 'plain',
  },
  continuedAt: {
    of: ({ runStartedAt, createdAt }) => (runStartedAt === createdAt ? undefined : runStartedAt),
    into: (draft, continuedAt) => void (draft.runStartedAt = continuedAt),
    atRest: 'plain',
  },
  updatedAt: { ...ofState('updatedAt'), atRest: 'plain' },
  endedAt: { ...ofState('endedAt'), atRest: 'plain' },
  ttlMs: { ...ofTask('ttlMs'), atRest: 'plain' },
  pollIntervalMs: { ...ofTask('pollIntervalMs'), atRest: 'plain' },
  progressToken: {
    ...ofTask('progressToken'),
    // The token belongs to the request that created the origin, and that request's progress is separate.
    of: ({ task }) => (task?.forkedFrom === undefined ? task?.progressToken : undefined),
    atRest: 'sealed',
  },
  idempotencyKey: { ...ofTask('idempotencyKey'), atRest: 'plain' },
  forkedFrom: { ...ofTask('forkedFrom'), atRest: 'plain' },
  isImported: { of: ({ task }) => (task?.imported === undefined ? undefined : true), into: unchanged, atRest: 'plain' },
  trace: { ...ofTask('trace'), atRest: 'plain' },
  traceState: { ...ofTask('traceState'), atRest: 'sealed' },
  statusMessage: { ...ofState('statusMessage'), atRest: 'sealed' },
  progress: { ...ofState('progress'), atRest: 'sealed' },
  progressAt: { ...ofState('progressAt'), of: ({ progress, progressAt }) => (progress ? progressAt : undefined), atRest: 'plain' },
  exposed: { ...ofState('exposed'), atRest: 'sealed' },
  spent: { ...ofState('spent'), atRest: 'plain' },
  budget: { ...ofTask('budget'), atRest: 'plain' },
  priority: { ...ofTask('priority'), atRest: 'plain' },
  searchKeys: { ...ofTask('searchKeys'), atRest: 'plain' },
  notifiedAt: { ...ofState('notifiedAt'), of: ({ notifiedAt }) => (notifiedAt > 0 ? notifiedAt : undefined), atRest: 'plain' },
  pendingInputs: { of: pendingInputsOf, into: askAgain, atRest: 'sealed' },
  parent: { ...ofTask('parent'), atRest: 'sealed' },
  children: { of: openChildrenOf, into: restoreChildren, atRest: 'sealed' },
  signals: { of: signalsOf, into: restoreSignals, atRest: 'sealed' },
  webhooks: { ...ofTask('webhooks'), atRest: 'sealed' },
  standing: { of: standingOf, into: restoreStanding, atRest: STANDING_AT_REST },
  workerVersion: { ...ofState('workerVersion'), atRest: 'plain' },
  ending: {
    of: ({ outcome }) => outcome && endingOf(outcome),
    into: (draft) => void (draft.outcome = { kind: 'cancelled', by: '' }),
    atRest: ENDING_AT_REST,
  },
  // Who writes the view knows it, and nothing follows an end.
  keptMs: { of: () => undefined, into: unchanged, atRest: 'plain' },
};

/** How each member of a view is kept. One that is not named here, because only a later version knows it, is sealed. */
export const VIEW_AT_REST: Readonly<Record<keyof Required<TaskView>, AtRest>> = { taskId: 'plain', ...atRestOf(VIEW_MEMBERS) };

/** Projects a state of at least one event. */
export function project(taskId: TaskId, state: TaskState): TaskProjection {
  const { task, outcome, carried } = state;
  if (task === undefined) throw new RangeError('A task without events has no view.');
  const view: TaskView = { taskId, ...carried?.view, ...projected(VIEW_MEMBERS, state) };
  return outcome === undefined ? { view } : { view, outcome };
}

/**
 * Restores the state that a view stands for, as far as commands from outside a pass need it. Of the operations it has the pending inputs
 * and those that a suspended pass waits for. It does not have the arguments of the task. Members of the view that only a later version
 * knows are carried over, so that the next view has them too.
 */
export function restore(view: TaskView): TaskState {
  const task = { arguments: {} } as RestoredState['task'];
  const draft: RestoredState = {
    ...initialState,
    task,
    operations: new MutableOperations(),
    pendingInputs: new Set(),
    openChildren: new Set(),
  };
  restored(VIEW_MEMBERS, draft, view);
  const unknown = unknownIn(VIEW_AT_REST, view);
  const standing = unknownIn(STANDING_MEMBERS, view.standing);
  const inputs = view.pendingInputs.flatMap((input) => carriedOf(input));
  if (unknown !== undefined || standing !== undefined || inputs.length > 0)
    draft.carried = { view: unknown ?? {}, standing: standing ?? {}, inputs: new Map(inputs) };
  return draft;
}

const INPUT_MEMBERS: Readonly<Record<keyof Required<PendingInput>, true>> = {
  key: true,
  method: true,
  params: true,
  askedAt: true,
  refused: true,
};

function carriedOf(input: PendingInput): [string, JsonObject][] {
  const unknown = unknownIn(INPUT_MEMBERS, input);
  return unknown === undefined ? [] : [[input.key, unknown]];
}

function pendingInputsOf({ outcome, pendingInputs, operations, carried }: TaskState): readonly PendingInput[] {
  const pending: PendingInput[] = [];
  if (outcome !== undefined) return pending;
  for (const key of pendingInputs) {
    const operation = operations.get(key);
    if (operation?.status !== 'pending') continue;
    const { method, params, askedAt, refused } = operation;
    pending.push({ ...carried?.inputs.get(key), key, method, params, askedAt, ...(refused !== undefined && { refused }) });
  }
  return pending;
}

function askAgain({ operations, pendingInputs }: RestoredState, inputs: readonly PendingInput[]): void {
  for (const { key, method, params, askedAt, refused } of inputs) {
    operations.set(key, { kind: 'input', status: 'pending', method, params, askedAt, since: 0, ...(refused !== undefined && { refused }) });
    pendingInputs.add(key);
  }
}

function atRestOf<Whole>(members: Members<Whole>): { readonly [K in keyof Required<Whole>]: AtRest } {
  const atRest = Object.entries(members).map(([name, member]) => [name, (member as { readonly atRest: AtRest }).atRest]);
  return Object.fromEntries(atRest) as { readonly [K in keyof Required<Whole>]: AtRest };
}

function partsOf(members: Members<Standing>): Readonly<Record<keyof Standing, 'plain' | 'sealed'>> {
  return atRestOf(members) as Readonly<Record<keyof Standing, 'plain' | 'sealed'>>;
}
