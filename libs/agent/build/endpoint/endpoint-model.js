import { toolModes } from '../tool-modes/tool-modes.js';
import { requestCompletion } from './chat-completions.js';
import { endpointFetch } from './endpoint-fetch.js';
import { memoryKey } from './endpoint-memory.js';
import { ignoresTools, mayIgnoreTools } from './ignored-tools.js';
import { LiveText } from './live-text.js';
import { ModelError } from '../model/model-error.js';
import { redaction } from './redaction.js';
import { EndpointRefusal } from './refusal.js';
import { requestBody } from './request-body.js';
import { ResultTrimming } from './result-trimming.js';
import { wayAround } from './way-around.js';
const DEFAULT_TIMEOUTS = { firstByteMs: 300_000, idleMs: 60_000, totalMs: 900_000 };
/** A model at an endpoint. Nothing is sent yet. @throws Error that says what is wrong with the URL or the key, without the key */
export function createEndpointModel(options) {
    return new EndpointModel(options, connectionOf(options));
}
function connectionOf({ baseUrl, apiKey, headers = {}, fetch = endpointFetch, timeouts }) {
    const url = URL.parse(baseUrl);
    if (url === null || !/^https?:$/.test(url.protocol))
        throw new Error('The base URL of the model has to begin with http:// or https://.');
    if (url.username !== '' || url.password !== '')
        throw new Error('The base URL of the model may have no user name or password.');
    const key = apiKey?.trim() || undefined;
    if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
        throw new Error('The API key of the model has spaces or characters beyond ASCII.');
    for (const [name, value] of Object.entries(headers)) {
        if (!/^[\x20-\x7e]*$/.test(value))
            throw new Error(`The header ${name} of the model has characters beyond ASCII.`);
    }
    // A server may repeat a part of a header, such as what comes after the scheme.
    const values = Object.values(headers);
    const secrets = [
        ...(key === undefined ? [] : [key]),
        ...values,
        ...values.flatMap((value) => value.split(' ')),
        ...url.searchParams.values(),
    ];
    return { baseUrl: url, apiKey: key, headers, fetch, timeouts: { ...DEFAULT_TIMEOUTS, ...timeouts }, redact: redaction(secrets) };
}
class EndpointModel {
    options;
    connection;
    name;
    takesImages;
    #memory;
    #memoryKey;
    constructor(options, connection) {
        this.options = options;
        this.connection = connection;
        this.name = options.model;
        this.takesImages = options.takesImages ?? false;
        this.#memory = options.memory ?? {};
        this.#memoryKey = memoryKey(connection.baseUrl, options.model);
    }
    async complete(request, options) {
        const trimming = new ResultTrimming(request.messages);
        let facts = this.#memory[this.#memoryKey] ?? {};
        for (;;) {
            const attempt = this.#attempt({ ...request, messages: trimming.trimmed }, facts);
            try {
                const completion = await requestCompletion(this.connection, attempt.body, this.#watched(attempt, options));
                const found = await this.#modeFound(attempt, completion, options.signal);
                facts = this.#learn(facts, found);
                if (found.mode !== undefined && found.mode !== attempt.mode)
                    continue;
                const reply = this.#read(attempt, completion, options);
                return { ...reply, ...(trimming.count > 0 && { trimmedResults: trimming.count }) };
            }
            catch (error) {
                if (!(error instanceof EndpointRefusal))
                    throw error;
                const { obstacle, fits, modelError } = error;
                if (obstacle === undefined)
                    throw modelError;
                if (obstacle === 'context') {
                    if (!trimming.trim(fits))
                        throw modelError;
                    continue;
                }
                const found = wayAround(obstacle, attempt.body, { facts, isAuto: this.#isAuto });
                if (found === undefined)
                    throw modelError;
                // That one schema is refused says nothing of others.
                facts = obstacle === 'schema' ? { ...facts, ...found } : this.#learn(facts, found);
            }
        }
    }
    get #isAuto() {
        return (this.options.mode ?? 'auto') === 'auto';
    }
    #attempt(request, facts) {
        const { mode: wanted = 'auto', isStreamed = true } = this.options;
        const mode = wanted === 'auto' ? (facts.mode ?? 'native') : wanted;
        const { name: model, takesImages } = this;
        const body = requestBody(toolModes[mode].request(request), { model, takesImages, isStreamed, maxTokens: request.maxTokens, facts });
        return { request, mode, body, live: new LiveText(), isUndecided: wanted === 'auto' && facts.mode === undefined };
    }
    /** Shows what arrives, but no calls. */
    #watched({ mode, live }, { signal, onDelta }) {
        return {
            signal,
            onDelta: (delta) => {
                if (delta.text === undefined)
                    onDelta?.(delta);
                else if (mode !== 'schema')
                    for (const shown of live.push(delta.text))
                        onDelta?.(shown);
            },
        };
    }
    /** What an answer says of how the endpoint takes tools, where that is not known yet. */
    async #modeFound({ request, body, mode, isUndecided }, completion, signal) {
        if (!isUndecided || request.tools.length === 0)
            return {};
        if (completion.toolCalls.length > 0)
            return { mode };
        const { usage } = completion;
        if (usage === undefined || !mayIgnoreTools(request, usage))
            return {};
        const { inputTokens } = usage;
        return { mode: (await ignoresTools(this.connection, body, { inputTokens, signal })) ? 'textual' : mode };
    }
    #read({ request, mode, live }, completion, { onDelta }) {
        const { content, reasoning, toolCalls, usage } = completion;
        const { problem, ...reply } = toolModes[mode].reply({ content, toolCalls, ...(reasoning !== '' && { reasoning }) }, request);
        if (problem !== undefined)
            this.options.onProblem?.(problem);
        if (reply.toolCalls.length === 0) {
            if (reply.content.trim() === '')
                throw new ModelError('BAD_RESPONSE', 'No content and no tool calls');
            for (const shown of mode === 'schema' ? [{ text: reply.content }] : live.rest())
                onDelta?.(shown);
        }
        return { ...reply, ...(usage && { usage }), mode };
    }
    #learn(facts, found) {
        if (Object.keys(found).length === 0)
            return facts;
        this.#memory[this.#memoryKey] = { ...this.#memory[this.#memoryKey], ...found };
        return { ...facts, ...found };
    }
}
//# sourceMappingURL=endpoint-model.js.map