/** What the API says, as its own schemas have it. */
import type { z } from 'zod';
import type * as audit from '../../../src/routes/audit-routes.js';
import type * as bulk from '../../../src/routes/bulk-routes.js';
import type * as question from '../../../src/routes/question-routes.js';
import type * as task from '../../../src/schemas/task.js';
import type { Rates } from '../../../src/live/task-rates.js';

export type Task = z.infer<typeof task.TaskSummary>;
export type TaskDetails = z.infer<typeof task.TaskDetails>;
export type HistoryEvent = z.infer<typeof task.HistoryEvent>;
export type Waiting = NonNullable<Task['waiting']>;
export type Question = question.Question;
export type BulkOperation = bulk.BulkOperation;
export type BulkAction = BulkOperation['action'];
export type AuditEntry = audit.AuditEntry;
export type { Rates };

export interface Operator {
  readonly name: string;
  readonly role: 'read' | 'operate';
}

export interface FailureGroup {
  readonly tool: string;
  readonly reason: string;
  readonly count: number;
  readonly latestAt: string;
}

export interface Queue {
  readonly waiting: number;
  readonly delayed: number;
  readonly running: number;
  readonly oldestWaitMs?: number;
  readonly overdue: { readonly count: number; readonly oldestMs?: number };
  readonly byStatus: Readonly<Record<Task['status'], number>>;
  readonly paused?: { readonly all: boolean; readonly tools: readonly string[] };
}

export interface Worker {
  readonly workerId: string;
  readonly version: string;
  readonly tools: readonly string[];
  readonly startedAt: string;
  readonly slots?: number;
  readonly busy?: number;
  readonly running?: readonly { readonly taskId: string; readonly tool?: string; readonly since: string }[];
}

export interface Thrown {
  readonly name: string;
  readonly message: string;
}

export interface PassSpan {
  readonly version: number;
  readonly pass: number;
  readonly workerId: string;
  readonly deployment?: string;
  readonly attempt: number;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly ending?: 'completed' | 'continued' | 'suspended' | 'released' | 'retrying' | 'failed' | 'cancelled' | 'lost';
  readonly error?: Thrown;
}

export interface TrySpan {
  readonly attempt: number;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly error?: Thrown;
  readonly retryAt?: string;
  readonly isLost?: true;
}

export interface OperationSpan {
  readonly key: string;
  readonly name: string;
  readonly kind: 'step' | 'question' | 'timer';
  readonly status: 'running' | 'waiting' | 'retrying' | 'completed' | 'failed' | 'interrupted';
  readonly version: number;
  readonly startedAt?: string;
  readonly settledAt?: string;
  readonly tries: readonly TrySpan[];
  readonly dueAt?: string;
  readonly isCopied?: true;
}

export interface WaitSpan {
  readonly reason: 'question' | 'timer' | 'retry' | 'queue';
  readonly keys: readonly string[];
  readonly startedAt: string;
  readonly endedAt?: string;
}

/** The part of a timeline that begins at an offset. */
export interface TimelinePage {
  readonly passes: readonly PassSpan[];
  readonly operations: readonly OperationSpan[];
  readonly waits: readonly WaitSpan[];
  readonly counts: Readonly<Record<'passes' | 'operations' | 'waits', number>>;
  readonly next?: number;
}

export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly paused: boolean;
}
