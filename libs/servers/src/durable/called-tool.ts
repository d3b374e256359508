import type { Progress } from '@modelcontextprotocol/client';

/** The tool that a step calls, or the tool of the task that it follows. */
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
