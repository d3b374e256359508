import { withUniqueIds } from '../conversation/call-ids.js';
import { toolDescription } from '../tools/tool-description.js';
import { limitsOf } from './agent-limits.js';
import { answerData } from './answer-data.js';
import { askModel } from './ask-model.js';
import { callTools, notCalled } from './call-tools.js';
import { RepeatedCalls } from './repeated-calls.js';
import { requireSchema } from './schema-check.js';
import { usageOf } from './token-count.js';
/** Answers that do not fit the output schema and are sent back to the model. */
const MAX_MISFITS = 2;
/**
 * Runs an agent until it has an answer, or one of the other outcomes. The transcript of each outcome is a conversation that can be
 * continued: give it as the `history` of another run.
 *
 * @example
 * ```ts
 * const outcome = await runAgent({
 *   model,
 *   toolbox,
 *   host: createProcessHost({ signal, onEvent: (event) => console.log(event) }),
 *   history: [{ role: 'system', content: 'Answer in one sentence.' }],
 *   prompt: 'What is the date in Tokyo?',
 *   limits: { maxRounds: 10, maxMs: 60_000 },
 * });
 * if (outcome.outcome === 'answered') console.log(outcome.text);
 * ```
 * @throws the reason of the host's signal, and nothing that a model or a tool does; RangeError for a limit or an output schema that
 *   is none
 */
export async function runAgent(run) {
    if (run.outputSchema !== undefined)
        requireSchema('The output schema', run.outputSchema);
    return new RunningAgent(run, limitsOf(run.limits)).run();
}
class RunningAgent {
    task;
    limits;
    transcript;
    repeatedCalls = new RepeatedCalls();
    deadlineMs;
    rounds = 0;
    misfits = 0;
    /** As the model was asked last. */
    offered = [];
    usage = { inputTokens: 0, outputTokens: 0 };
    constructor(task, limits) {
        this.task = task;
        this.limits = limits;
        this.transcript = [...task.history, { role: 'user', content: task.prompt }];
        this.deadlineMs = limits.maxMs === Infinity ? Infinity : task.host.now() + limits.maxMs;
    }
    async run() {
        for (;;) {
            const asked = await this.ask();
            if ('isLate' in asked)
                return this.lateEnd();
            if ('code' in asked)
                return this.end('model-error', asked.message, { errorCode: asked.code });
            const outcome = await this.take(asked.reply);
            if (outcome !== undefined)
                return outcome;
        }
    }
    ask() {
        const { model, host, toolbox, outputSchema } = this.task;
        const round = this.rounds + 1;
        host.report({ type: 'round', round, maxRounds: this.limits.maxRounds });
        this.offered = toolbox.tools;
        // A copy: what is recorded or sent later must not grow with the conversation.
        const messages = [...this.transcript];
        const request = { messages, tools: this.offered.map(toolDescription), ...(outputSchema !== undefined && { outputSchema }) };
        return askModel({ model, host, limits: this.limits, name: `model ${round}`, leftMs: () => this.leftMs() }, request);
    }
    async take(reply) {
        this.rounds += 1;
        const { inputTokens, outputTokens } = usageOf(reply, this.transcript);
        this.usage = { inputTokens: this.usage.inputTokens + inputTokens, outputTokens: this.usage.outputTokens + outputTokens };
        const calls = withUniqueIds(reply.toolCalls, this.transcript);
        this.transcript.push(assistantMessage(reply.content, calls));
        return calls.length === 0 ? this.takeAnswer(reply.content) : this.takeCalls(calls);
    }
    takeAnswer(answer) {
        const { outputSchema } = this.task;
        if (outputSchema === undefined)
            return this.end('answered', answer);
        const checked = answerData(answer, outputSchema);
        if ('data' in checked)
            return this.end('answered', answer, checked);
        const problem = `The answer does not fit the output schema: ${checked.problem}`;
        this.misfits += 1;
        if (this.misfits > MAX_MISFITS || this.rounds >= this.limits.maxRounds) {
            return this.end('model-error', problem, { errorCode: 'BAD_RESPONSE' });
        }
        if (this.areTokensUsedUp)
            return this.end('max-tokens', 'Max tokens reached');
        const schema = JSON.stringify(outputSchema);
        this.transcript.push({ role: 'user', content: `${problem}\nAnswer again, only with JSON that fits this schema: ${schema}` });
        return undefined;
    }
    async takeCalls(calls) {
        const { refusals, goesOn } = this.repeatedCalls.look(calls);
        if (goesOn !== undefined) {
            const text = `The model went on to call ${goesOn.function.name} with the same arguments, after an error that said not to`;
            return this.endWithoutCalls(calls, 'repeated-call', text);
        }
        if (this.areTokensUsedUp)
            return this.endWithoutCalls(calls, 'max-tokens', 'Max tokens reached');
        if (this.leftMs() <= 0)
            return this.endWithoutCalls(calls, 'max-time', 'Max time reached');
        const { toolbox, host, model } = this.task;
        const { offered: tools, limits, deadlineMs } = this;
        const results = await callTools(calls, { toolbox, tools, host, limits, deadlineMs, refusals, takesImages: model.takesImages });
        this.transcript.push(...results);
        if (this.rounds >= this.limits.maxRounds)
            return this.end('max-rounds', 'Max iterations reached');
        return undefined;
    }
    get areTokensUsedUp() {
        return this.usage.inputTokens + this.usage.outputTokens >= this.limits.maxTokens;
    }
    leftMs() {
        return this.deadlineMs === Infinity ? Infinity : this.deadlineMs - this.task.host.now();
    }
    lateEnd() {
        return this.end('max-time', 'Max time reached');
    }
    endWithoutCalls(calls, outcome, text) {
        this.transcript.push(...notCalled(calls, text));
        return this.end(outcome, text);
    }
    end(outcome, text, more = {}) {
        return { outcome, text, ...more, rounds: this.rounds, usage: this.usage, transcript: this.transcript };
    }
}
function assistantMessage(content, calls) {
    return { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) };
}
//# sourceMappingURL=run-agent.js.map