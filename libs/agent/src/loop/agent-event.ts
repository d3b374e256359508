/** What happens while an agent works, for somebody who looks on. */
export type AgentEvent =
  /** A model call begins. Rounds count from 1. */
  | { readonly type: 'round'; readonly round: number; readonly maxRounds: number }
  /** A part of what the model says. */
  | { readonly type: 'delta'; readonly text?: string; readonly reasoning?: string }
  /** The model is asked again after a while. */
  | { readonly type: 'retry'; readonly afterMs: number; readonly reason: string }
  /** A tool is called. */
  | { readonly type: 'tool-call'; readonly id: string; readonly tool: string; readonly server?: string; readonly arguments: string }
  /** What a tool says of itself while it runs. */
  | { readonly type: 'tool-progress'; readonly id: string; readonly message: string }
  /** A tool has been called, or could not be. */
  | {
      readonly type: 'tool-result';
      readonly id: string;
      readonly tool: string;
      readonly isError: boolean;
      readonly ms: number;
      readonly text: string;
    };
