/** Wraps the task service: actions on tasks are recorded, and so are requests for tasks that the caller cannot see. */
import { type AuditAction, type GivenSignal, TaskError, type TaskSnapshot } from '@longhaul/tasks';
import type { ScopedTasks } from '../rpc/tasks/scoped-tasks.js';
import type { AuditTrail, TrailEntry } from './audit-trail.js';

/** @returns the service itself if there is no trail */
export function auditedTasks(tasks: ScopedTasks, trail: AuditTrail | undefined): ScopedTasks {
  if (trail === undefined) return tasks;
  const recorded = async <T>(
    act: { readonly action: AuditAction; readonly taskId: string; readonly owner: string },
    work: () => Promise<T>,
  ): Promise<T> => {
    const { action, taskId, owner } = act;
    try {
      return await work();
    } catch (error) {
      // A refusal by HTTP status is recorded elsewhere, as a refusal.
      if (error instanceof TaskError && error.code !== 'STORE_UNAVAILABLE')
        trail.record({ action, target: taskId, taskId, outcome: error.code, reason: '' }, owner);
      throw error;
    }
  };
  const read = async (taskId: string, owner: string, work: () => Promise<TaskSnapshot>): Promise<TaskSnapshot> => {
    const snapshot = await recorded({ action: 'result.read', taskId, owner }, work);
    if (snapshot.outcome !== undefined) trail.readResult(snapshot.view);
    return snapshot;
  };
  return {
    ...tasks,
    async create(task) {
      const { owner, tool } = task;
      const view = await recorded({ action: 'task.create', taskId: '', owner }, () => tasks.create(task));
      trail.record({ action: 'task.create', target: view.taskId, taskId: view.taskId, tool, outcome: 'done' }, owner);
      return view;
    },
    get: (taskId, caller, method) =>
      recorded({ action: 'task.read', taskId, owner: caller.owner }, () => tasks.get(taskId, caller, method)),
    getWithOutcome: (taskId, caller) => read(taskId, caller.owner, () => tasks.getWithOutcome(taskId, caller)),
    getOfCall: (taskId, caller) => read(taskId, caller.owner, () => tasks.getOfCall(taskId, caller)),
    async cancel(taskId, caller, reason = '') {
      const { owner } = caller;
      const view = await recorded({ action: 'task.cancel', taskId, owner }, () => tasks.cancel(taskId, caller, reason));
      trail.record({ action: 'task.cancel', target: taskId, taskId, tool: view.tool, reason, outcome: 'done' }, owner);
      return view;
    },
    async provideInput(taskId, key, answer, caller, door) {
      const isTaken = await recorded({ action: 'question.answer', taskId, owner: caller.owner }, () =>
        tasks.provideInput(taskId, key, answer, caller, door),
      );
      const outcome = isTaken ? 'done' : 'NOT_ASKED';
      trail.record({ action: 'question.answer', target: taskId, taskId, outcome, details: { key, via: door.via } }, caller.owner);
      return isTaken;
    },
    async signal(taskId, signal, { owner }) {
      const isNew = await recorded({ action: 'signal.send', taskId, owner }, () => tasks.signal(taskId, signal, { owner }));
      trail.record(sentSignal(taskId, signal, isNew), owner);
      return isNew;
    },
    async *follow(from, signal) {
      for await (const snapshot of tasks.follow(from, signal)) {
        if (snapshot.outcome !== undefined) trail.readResult(snapshot.view);
        yield snapshot;
      }
    },
  };
}

function sentSignal(taskId: string, { name, via }: GivenSignal, isNew: boolean): TrailEntry {
  return { action: 'signal.send', target: taskId, taskId, outcome: isNew ? 'done' : 'REPEATED', details: { name, via } };
}
