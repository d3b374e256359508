/** Defines the status of a task for `onStatus`, the same in both protocol versions. */
export interface TaskStatus {
  readonly taskId: string;
  readonly status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  /** The server's message about the status. */
  readonly statusMessage?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly lastUpdatedAt: string;
  /** From creation, milliseconds; `null`: unlimited. */
  readonly ttlMs: number | null;
  /** How often the server wants to be asked, milliseconds. */
  readonly pollIntervalMs?: number;
  /** The value that the tool shows, as it was known when the server was last asked: JSON. Absent if it shows none. */
  readonly exposed?: unknown;
}

/** Whether nothing follows this status. */
export function isEnd({ status }: TaskStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}
