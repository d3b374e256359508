/** Defines the outcomes of an agent's run. */
import type { Json } from '@longhaul/tasks';
import type { Message } from '../conversation/messages.js';
import type { Compacted } from './compacted.js';
import type { Usage } from '../model/chat-model.js';
import type { ModelBill } from '../model/usage.js';
import type { ModelErrorCode } from '../model/model-error.js';

/** The name of an outcome. */
export type OutcomeName =
  /** The model gave an answer without calls. */
  | 'answered'
  /** The rounds were used up, and the model would still call tools. */
  | 'max-rounds'
  /** The tokens were used up. */
  | 'max-tokens'
  /** As much was spent as may be. */
  | 'max-spend'
  /** The time limit has ended. */
  | 'max-time'
  /** The model made the same call with the same arguments again and again, also after an error that said so. */
  | 'repeated-call'
  /** The host's signal was aborted; only of a run that `endsWhenAborted`. */
  | 'cancelled'
  /** The model could not be asked, or did not answer. */
  | 'model-error';

/** The result of a run. Plain JSON. */
export interface Outcome {
  readonly outcome: OutcomeName;
  /** The answer, or why there is none. */
  readonly text: string;
  /** The answer as data, where an output schema was given. */
  readonly data?: Json;
  /** Of `model-error`. */
  readonly errorCode?: ModelErrorCode;
  /** Model calls that were answered. */
  readonly rounds: number;
  readonly usage: Usage;
  /** The requests to each model, and what they cost. */
  readonly bill?: readonly ModelBill[];
  /** The whole conversation, with the system prompt. */
  readonly transcript: readonly Message[];
  /** The summary that the model was given for the beginning of the transcript, if there is one. */
  readonly compacted?: Compacted;
}
