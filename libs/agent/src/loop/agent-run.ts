/** Defines what a run of an agent is given. */
import type { JsonObject } from '@longhaul/tasks';
import type { Message } from '../conversation/messages.js';
import type { ChatModel } from '../model/chat-model.js';
import type { ModelPrice } from '../model/usage.js';
import type { ResourceReference } from '../servers/resource-tools.js';
import type { Toolbox } from '../tools/toolbox.js';
import type { AgentHost } from './agent-host.js';
import type { AgentLimits } from './agent-limits.js';
import type { PricedModel } from './bill.js';
import type { Compacted } from './compacted.js';

/** The parts, the history and the prompt of a run. */
export interface AgentRun {
  readonly model: ChatModel;
  readonly toolbox: Toolbox;
  readonly host: AgentHost;
  /** The earlier messages, with the system prompt; the prompt is appended to them. */
  readonly history: readonly Message[];
  readonly prompt: string;
  /** Resources that are read before the model is asked, as if it had called for them. */
  readonly resources?: readonly ResourceReference[] | undefined;
  /** JSON Schema that the answer has to fit. */
  readonly outputSchema?: JsonObject;
  readonly limits?: AgentLimits;
  /** Of the model, for `maxSpend`. */
  readonly price?: ModelPrice;
  /**
   * Models that are asked, in this order, when the one before takes no more requests, does not answer in time, fails, or has no room for the
   * conversation. The rest of the run stays with the model that has answered.
   */
  readonly fallbacks?: readonly PricedModel[] | undefined;
  /**
   * Whether an abort of the host's signal is an outcome, `cancelled`. Its transcript has the known results of the calls that were cut off.
   * In a task, which continues elsewhere, an abort is no outcome. @defaultValue false
   */
  readonly endsWhenAborted?: boolean;
  /** The summary of the beginning of `history`, which the model receives instead of it. */
  readonly compacted?: Compacted | undefined;
  /** Tokens of a character of the history, as an endpoint counted. @defaultValue 0.25 */
  readonly density?: number | undefined;
  /**
   * Tokens of the model's context. A conversation that fills three quarters of it is summarised by the model. Without it, that happens
   * when the endpoint refuses a conversation as too long.
   */
  readonly contextTokens?: number | undefined;
  /** Keeps what becomes of the conversation, as soon as it is known. */
  readonly keeper?: Keeper | undefined;
}

/** Keeps the messages of a run. */
export interface Keeper {
  /**
   * Takes messages from a position of the transcript on. Those of calls may come in any order, and while others are kept. The run waits, so
   * nothing is done that depends on a message that is not kept.
   */
  keep(at: number, messages: readonly Message[], state: RunState): Promise<void>;
}

/** What else is to be kept of a run. */
export interface RunState {
  readonly compacted?: Compacted | undefined;
  readonly density?: number | undefined;
}
