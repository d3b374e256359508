/** Adds an append to the metrics. */
import type { TaskEvent } from '../domain/events.js';
import { nextPass } from '../domain/next-pass.js';
import type { ObservedAppend } from '../ports/task-observer.js';
import type { TaskTelemetry } from './task-telemetry.js';
import { outcomeOf } from './task-spans.js';

/** Labels are the tool and how it went: never a task, a session or an owner. */
export function countAppend(metrics: NonNullable<TaskTelemetry['metrics']>, append: ObservedAppend): void {
  const tool = { 'gen_ai.tool.name': append.after.task?.tool ?? '' };
  for (const event of append.events) count(metrics, append, event, tool);
}

function count(
  metrics: NonNullable<TaskTelemetry['metrics']>,
  { before, after }: ObservedAppend,
  event: TaskEvent,
  tool: Readonly<Record<string, string>>,
): void {
  switch (event.type) {
    case 'TaskCreated':
      return metrics.add('longhaul.tasks.created', 1, tool);
    case 'PassStarted': {
      metrics.add('longhaul.passes.started', 1, tool);
      if (before.pass.phase === 'running') return metrics.add('longhaul.passes.lost', 1, tool);
      const dueAt = Math.max(nextPass(before)?.dueAt ?? 0, before.updatedAt);
      return metrics.record('longhaul.pass.pickup.duration', secondsBetween(dueAt, event.at), tool);
    }
    case 'PassFailed':
      return metrics.add('longhaul.passes.retried', 1, tool);
    case 'StepCompleted':
    case 'StepFailed': {
      // A value that is only drawn, such as the time, is recorded as a step, but takes no time.
      const { startedAt } = event.data;
      const outcome = event.type === 'StepCompleted' ? 'completed' : 'failed';
      if (startedAt !== undefined)
        metrics.record('longhaul.step.duration', secondsBetween(startedAt, event.at), { ...tool, 'longhaul.step.outcome': outcome });
      if (event.type === 'StepFailed' && event.data.retryAt !== undefined) metrics.add('longhaul.steps.retried', 1, tool);
      return;
    }
    case 'SpendingReported': {
      const { cost, tokens } = event.data;
      if (cost !== undefined) metrics.add('longhaul.tasks.cost', cost, tool);
      if (tokens !== undefined) metrics.add('longhaul.tasks.tokens', tokens, tool);
      return;
    }
    case 'TaskCompleted':
    case 'TaskFailed':
    case 'TaskCancelled': {
      const labels = { ...tool, 'longhaul.task.outcome': outcomeOf(after) };
      metrics.add('longhaul.tasks.ended', 1, labels);
      return metrics.record('longhaul.task.duration', secondsBetween(after.createdAt, event.at), labels);
    }
    default:
  }
}

/** The clocks of two machines may differ. */
function secondsBetween(fromMs: number, toMs: number): number {
  return Math.max(0, toMs - fromMs) / 1_000;
}
