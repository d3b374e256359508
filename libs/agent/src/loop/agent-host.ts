/** Defines where an agent runs: in a process that may end at any time, or in a task that continues elsewhere. */
import type { Recordable } from '@longhaul/tasks';
import type { AgentEvent } from './agent-event.js';
import type { SchemaAnswer, SchemaQuestion } from './output-schema.js';

/** The operations that the loop needs from its host. In a task, each operation is recorded. */
export interface AgentHost {
  /** Aborts when the answer is no longer wanted. */
  readonly signal: AbortSignal;
  /** Runs `body` once and returns its value, which is plain JSON; in a task also after a crash, when it was recorded. */
  step<T>(name: string, body: (signal: AbortSignal) => Promise<T & Recordable<T>>): Promise<T>;
  /** Checks a value by a schema of somebody else's, where it can be stopped; in a task the answer is recorded. */
  check(name: string, question: SchemaQuestion): Promise<SchemaAnswer>;
  /** Waits; in a task without holding a worker. */
  sleep(name: string, ms: number): Promise<void>;
  /** Epoch milliseconds; in a replay of a task the same. */
  now(): number;
  /** Counts what the model has used, where somebody counts. */
  spend?(amount: { readonly tokens: number; readonly cost?: number }): void;
  /** Reports what happens, to somebody who looks on. */
  report(event: AgentEvent): void;
}
