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
  /** Of its result, bytes; absent for what a language model is shown. */
  readonly maxResultBytes?: number | undefined;
  readonly onProgress: (progress: Progress) => void;
}
