/**
 * Puts a chat completion together, from the chunks of a stream or from one object. Servers differ: calls come in fragments or
 * whole, with or without an index, and some repeat the id or the index.
 */
import { isJsonObject } from '@longhaul/tasks';
/** Takes the pieces of one completion. */
export class CompletionBuilder {
    onDelta;
    #calls = [];
    #callByIndex = new Map();
    #callById = new Map();
    #content = '';
    #reasoning = '';
    #usage;
    #finishReason;
    #hasChoice = false;
    /** @param onDelta is called with what is added to the content and to the reasoning */
    constructor(onDelta = () => { }) {
        this.onDelta = onDelta;
    }
    /** Adds a chunk, or a whole completion. What is no part of one is passed over. */
    add(piece) {
        if (!isJsonObject(piece))
            return;
        this.#usage = usageOf(piece['usage']) ?? this.#usage;
        const choices = piece['choices'];
        if (!Array.isArray(choices))
            return;
        for (const choice of choices) {
            if (isJsonObject(choice) && (choice['index'] ?? 0) === 0)
                this.#addChoice(choice);
        }
    }
    /** What has come, when nothing more comes. */
    finish() {
        return {
            content: this.#content,
            reasoning: this.#reasoning,
            toolCalls: this.#calls.map(({ id, name, text }) => ({
                id,
                type: 'function',
                function: { name, arguments: text === '' ? '{}' : text },
            })),
            usage: this.#usage,
            finishReason: this.#finishReason,
            hasChoice: this.#hasChoice,
        };
    }
    #addChoice(choice) {
        this.#hasChoice = true;
        if (typeof choice['finish_reason'] === 'string')
            this.#finishReason = choice['finish_reason'];
        const message = choice['delta'] ?? choice['message'];
        if (!isJsonObject(message))
            return;
        // Both names may stand for the same text.
        const reasoning = textOf(message['reasoning_content']) || textOf(message['reasoning']);
        if (reasoning !== '')
            this.onDelta({ reasoning });
        this.#reasoning += reasoning;
        const text = textOf(message['content']) || textOf(message['refusal']);
        if (text !== '')
            this.onDelta({ text });
        this.#content += text;
        const calls = message['tool_calls'];
        if (Array.isArray(calls))
            for (const call of calls)
                if (isJsonObject(call))
                    this.#addCall(call);
    }
    #addCall(piece) {
        const called = isJsonObject(piece['function']) ? piece['function'] : {};
        const id = typeof piece['id'] === 'string' ? piece['id'] : '';
        const name = typeof called['name'] === 'string' ? called['name'] : '';
        const call = this.#callOf(piece['index'], id, name);
        call.id ||= id;
        if (!this.#callById.has(call.id))
            this.#callById.set(call.id, call);
        call.name ||= name;
        const text = called['arguments'];
        if (typeof text === 'string')
            call.text += text;
        else if (isJsonObject(text))
            call.text = JSON.stringify(text);
    }
    /** The call that a piece belongs to: by its index, unless another id stands there; else by its id; else the latest. */
    #callOf(index, id, name) {
        const atIndex = typeof index === 'number' ? this.#callByIndex.get(index) : undefined;
        if (atIndex !== undefined && (id === '' || id === atIndex.id))
            return atIndex;
        const same = typeof index === 'number' ? undefined : this.#withoutIndex(id, name);
        if (same !== undefined)
            return same;
        const call = { id: '', name: '', text: '' };
        this.#calls.push(call);
        if (typeof index === 'number')
            this.#callByIndex.set(index, call);
        return call;
    }
    #withoutIndex(id, name) {
        if (id !== '')
            return this.#callById.get(id);
        return name === '' ? this.#calls.at(-1) : undefined;
    }
}
function textOf(content) {
    if (typeof content === 'string')
        return content;
    if (!Array.isArray(content))
        return '';
    return content.map((part) => (isJsonObject(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('');
}
/** A count that is none would let a run go beyond its limits: then it is estimated. */
function usageOf(usage) {
    if (!isJsonObject(usage))
        return undefined;
    const { prompt_tokens: inputTokens, completion_tokens } = usage;
    const outputTokens = completion_tokens ?? 0;
    return isCount(inputTokens) && isCount(outputTokens) ? { inputTokens, outputTokens } : undefined;
}
function isCount(value) {
    return Number.isSafeInteger(value) && Number(value) >= 0;
}
//# sourceMappingURL=completion.js.map