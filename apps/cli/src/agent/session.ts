/** Holds a conversation with an agent: each question continues from the earlier messages. */
import {
  type AgentEvent,
  type AgentLimits,
  type ChatModel,
  type Compacted,
  createProcessHost,
  type Message,
  type Outcome,
  type PricedModel,
  runAgent,
  type Toolbox,
} from '@longhaul/agent';
import type { JsonObject } from '@longhaul/tasks/json';
import type { KeptConversation } from './kept-conversation.js';
import { type Mentionable, questionOf } from './mentions.js';
import type { Spending } from './spending.js';

/** The parts of a session. */
export interface SessionOptions {
  readonly model: ChatModel;
  readonly toolbox: Toolbox;
  /** Of one question. */
  readonly limits: AgentLimits;
  /** Of the conversation. */
  readonly spending: Spending;
  /** Undefined for none. */
  readonly systemPrompt: string | undefined;
  /** Tokens of the model's context, if they are known. */
  readonly contextTokens?: number | undefined;
  /** Models that are asked when the model does not answer. */
  readonly fallbacks?: readonly PricedModel[] | undefined;
  /** What a question may name. */
  readonly servers?: Mentionable | undefined;
  /** The schema that answers have to fit. */
  readonly outputSchema?: JsonObject | undefined;
  /** The kept conversation; without it, it ends with the process. */
  readonly kept?: KeptConversation | undefined;
}

/** A conversation that continues. */
export class Session {
  #history: readonly Message[];
  #compacted: Compacted | undefined;

  constructor(private readonly options: SessionOptions) {
    const { systemPrompt } = options;
    this.#history = systemPrompt === undefined ? [] : [{ role: 'system', content: systemPrompt }];
  }

  /** Whether something is to be written when a question was stopped. */
  get isKept(): boolean {
    return this.options.kept !== undefined;
  }

  /** Its messages are part of the conversation with every outcome. While it runs, an abort of the signal is the outcome `cancelled`. @throws UserError for what cannot be asked */
  async ask(text: string, signal: AbortSignal, onEvent: (event: AgentEvent) => void): Promise<Outcome> {
    const { model, toolbox, spending, contextTokens, outputSchema, fallbacks, kept, servers } = this.options;
    const { prompt, resources } = servers === undefined ? { prompt: text, resources: [] } : await questionOf(text, servers, signal);
    const { price } = spending;
    const limits = { ...this.options.limits, maxSpend: spending.left };
    const host = createProcessHost({ signal, onEvent });
    const run = {
      model,
      toolbox,
      host,
      limits,
      prompt,
      resources,
      contextTokens,
      fallbacks,
      endsWhenAborted: true,
      ...(price !== undefined && { price }),
      ...(outputSchema !== undefined && { outputSchema }),
    };
    if (kept !== undefined) {
      const outcome = await kept.ask({ ...run, system: this.#history });
      spending.add(outcome.usage);
      return outcome;
    }
    const outcome = await runAgent({ ...run, history: this.#history, compacted: this.#compacted });
    spending.add(outcome.usage);
    this.#history = this.#historyAfter(outcome);
    this.#compacted = outcome.compacted;
    return outcome;
  }

  #historyAfter({ outcome, errorCode, text, transcript }: Outcome): readonly Message[] {
    const last = transcript.at(-1);
    // A question that is too long by itself would be too long in every later one.
    if (outcome === 'model-error' && errorCode === 'CONTEXT_OVERFLOW' && last?.role === 'user') return this.#history;
    if (last?.role === 'assistant') return transcript;
    // The templates of some models want an answer to each question.
    return [...transcript, { role: 'assistant', content: `[There is no answer (${outcome}): ${text}]` }];
  }
}
