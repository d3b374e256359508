/** What commands look at of answers of the operator API, whose whole shapes its OpenAPI document has. */
export type Waiting =
  | { readonly for: 'question'; readonly keys: readonly string[]; readonly since: string }
  | { readonly for: 'timer'; readonly since: string; readonly until: string }
  | { readonly for: 'retry'; readonly until: string; readonly attempt: number }
  | { readonly for: 'queue'; readonly since: string }
  | { readonly for: 'worker'; readonly workerId: string; readonly since: string };

/** What operators have paused. */
export interface Paused {
  readonly all: boolean;
  readonly tools: readonly string[];
}

export interface Task {
  readonly taskId: string;
  readonly tool: string;
  readonly owner: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly version?: string;
  readonly createdAt: string;
  readonly endedAt?: string;
  readonly attempt: number;
  readonly waiting?: Waiting;
}

export interface PendingInput {
  readonly key: string;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface TaskDetails extends Task {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly pendingInputs: readonly PendingInput[];
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
  readonly cancelledBy?: string;
  readonly startedBy?: string;
  readonly forkedFrom?: { readonly taskId: string };
  readonly imported?: { readonly taskId: string; readonly by: string };
}

export interface HistoryEvent {
  readonly version: number;
  readonly type: string;
  readonly at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Question {
  readonly taskId: string;
  readonly key: string;
  readonly tool: string;
  readonly owner: string;
  readonly since: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly answerable: boolean;
}

export interface Bulk {
  readonly id: string;
  readonly action: string;
  readonly state: 'running' | 'done' | 'aborted';
  readonly who: string;
  readonly createdAt: string;
  readonly matched: number;
  readonly done: number;
  readonly skipped: number;
  readonly failed: number;
}

export interface AuditEntry {
  readonly at: string;
  readonly who: string;
  readonly action: string;
  readonly target: string;
  readonly reason: string;
  readonly outcome: string;
}

export interface AuditReport {
  readonly chain: string;
  readonly head: { readonly number: number; readonly hash: string };
  /** Absent in what other versions have printed. */
  readonly base?: { readonly number: number; readonly hash: string };
  readonly checked: number;
  readonly faults: readonly { readonly kind: string; readonly number: number; readonly to?: number }[];
  readonly faultCount: number;
  readonly outdatedAnchors: number;
}

export interface Principal {
  readonly name?: string;
  readonly issuer?: string;
  readonly tenant?: string;
  readonly subject?: string;
}

export interface Revocation {
  readonly principal: Principal;
  readonly at: string;
  readonly issuedBefore?: string;
  readonly by: string;
  readonly reason: string;
}

export interface Session {
  readonly session: string;
  readonly owner: string;
  readonly openedAt?: string;
  readonly expiresAt: string;
}

export interface Holdings {
  readonly owners: readonly string[];
  readonly tasks: Readonly<Record<string, number>>;
  readonly openSessions: number;
  readonly sessions: readonly Session[];
  readonly revocations: readonly Revocation[];
}
