/** A conversation with an agent: each question goes on with what came before. */
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

/** What a session works with. */
export interface SessionOptions {
  readonly model: ChatModel;
  readonly toolbox: Toolbox;
  readonly limits: AgentLimits;
  /** Undefined for none. */
  readonly systemPrompt: string | undefined;
}

/** A conversation that goes on. */
export class Session {
  #history: readonly Message[];

  constructor(private readonly options: SessionOptions) {
    const { systemPrompt } = options;
    this.#history = systemPrompt === undefined ? [] : [{ role: 'system', content: systemPrompt }];
  }

  /** What was cancelled or got no answer of the model is no part of the conversation. @throws the reason of the signal */
  async ask(prompt: string, signal: AbortSignal, onEvent: (event: AgentEvent) => void): Promise<Outcome> {
    const { model, toolbox, limits } = this.options;
    const host = createProcessHost({ signal, onEvent });
    const outcome = await runAgent({ model, toolbox, host, limits, history: this.#history, prompt });
    if (outcome.outcome !== 'model-error') this.#history = outcome.transcript;
    return outcome;
  }
}
