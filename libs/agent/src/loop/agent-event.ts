/** Defines the events of an agent's work, for observers. */
export type AgentEvent =
  /** A model call begins. Rounds count from 1. */
  | { readonly type: 'round'; readonly round: number; readonly maxRounds: number }
  /** A part of what the model says. */
  | { readonly type: 'delta'; readonly text?: string; readonly reasoning?: string }
  /** The model is asked again after a while. */
  | { readonly type: 'retry'; readonly afterMs: number; readonly reason: string }
  /** Another model is asked from here on. */
  | { readonly type: 'fallback'; readonly from: string; readonly to: string; readonly reason: string }
  /** The beginning of the conversation is summarised: so many messages. */
  | { readonly type: 'compaction'; readonly messages: number }
  /** A tool is called. */
  | { readonly type: 'tool-call'; readonly id: string; readonly tool: string; readonly server?: string; readonly arguments: string }
  /** The user has changed the arguments of a call. */
  | { readonly type: 'tool-edited'; readonly id: string; readonly tool: string; readonly arguments: string }
  /** A report of a running tool. */
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
