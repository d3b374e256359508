/** A conversation with an agent: each question goes on with what came before. */
import { createProcessHost, runAgent, } from '@longhaul/agent';
/** A conversation that goes on. */
export class Session {
    options;
    #history;
    constructor(options) {
        this.options = options;
        const { systemPrompt } = options;
        this.#history = systemPrompt === undefined ? [] : [{ role: 'system', content: systemPrompt }];
    }
    /** What was cancelled or got no answer of the model is no part of the conversation. @throws the reason of the signal */
    async ask(prompt, signal, onEvent) {
        const { model, toolbox, limits } = this.options;
        const host = createProcessHost({ signal, onEvent });
        const outcome = await runAgent({ model, toolbox, host, limits, history: this.#history, prompt });
        if (outcome.outcome !== 'model-error')
            this.#history = outcome.transcript;
        return outcome;
    }
}
//# sourceMappingURL=session.js.map