import type { Json, JsonObject, Outcome } from '@longhaul/tasks';
import type { DurableTool } from '../tool.js';
import type { TaskStanding } from './starter.js';

/** A tool to start, by what the caller has given. */
export interface SideStart {
  readonly tool: DurableTool | string;
  readonly input: JsonObject;
  /** Nothing for the owner that stands for the application. */
  readonly owner: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly ttlMs: number | undefined;
  readonly priority: number | undefined;
}

/** A task, and its owner if a call names one. */
export interface SideTask {
  readonly taskId: string;
  readonly owner: string | undefined;
}

/** A signal to send. */
export interface SideSignal {
  readonly name: string;
  readonly value: Json;
  readonly id: string | undefined;
}

/** The work of a starter, in a store or by the operator API. Methods throw `TaskError` or `StarterError`. */
export interface StarterSide {
  /** @returns the id of the task */
  start(start: SideStart): Promise<string>;
  read(task: SideTask): Promise<TaskStanding>;
  /** Waits for the end of a task, over outages. @throws the reason of `signal` */
  untilEnd(task: SideTask, signal: AbortSignal): Promise<Outcome>;
  signal(task: SideTask, signal: SideSignal): Promise<boolean>;
  cancel(task: SideTask, reason: string | undefined): Promise<boolean>;
  close(): Promise<void>;
}
