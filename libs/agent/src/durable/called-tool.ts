import type { Progress } from '@modelcontextprotocol/client';

/** What a step calls, or follows. */
export interface CalledTool {
  /** Of the model's call in this task, for those who ask. */
  readonly id: string;
  readonly server: string;
  readonly isProcess: boolean;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly takesIdempotencyKey: boolean;
  readonly onProgress: (progress: Progress) => void;
}
