/** Holds a conversation with an agent: each question continues from the earlier messages. */
import {
  type AgentEvent,
  type AgentLimits,
  type ChatModel,
  createProcessHost,
  type Message,
  type Outcome,
  runAgent,
  type Toolbox,
} from '@longhaul/agent';
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
}

/** A conversation that continues. */
export class Session {
  #history: readonly Message[];

  constructor(private readonly options: SessionOptions) {
    const { systemPrompt } = options;
    this.#history = systemPrompt === undefined ? [] : [{ role: 'system', content: systemPrompt }];
  }

  /** Its messages are part of the conversation with every outcome. Never throws for the signal: the outcome is `cancelled` then. */
  async ask(prompt: string, signal: AbortSignal, onEvent: (event: AgentEvent) => void): Promise<Outcome> {
    const { model, toolbox, spending } = this.options;
    const { price } = spending;
    const limits = { ...this.options.limits, maxSpend: spending.left };
    const host = createProcessHost({ signal, onEvent });
    const run = { model, toolbox, host, limits, history: this.#history, prompt, ...(price !== undefined && { price }) };
    const outcome = await runAgent({ ...run, endsWhenAborted: true });
    spending.add(outcome.usage);
    this.#history = this.#historyAfter(outcome);
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
