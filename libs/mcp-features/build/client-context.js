/**
 * What a feature can do towards the client that called it. It reads the same in a feature that answers
 * within the request and in a durable tool, where every one of these operations is recorded.
 */
import { hasCapability, mapOperation } from '@longhaul/tasks';
import { formAnswerOf, formSchemaOf, withAnswerChecked } from './form-schema.js';
const DEFAULT_MAX_TOKENS = 1_000;
/** Extends a context by its conveniences; everything else in the context stays as it is. */
export function withClientContext(operations) {
    const { client, log } = operations;
    const logAt = (level) => (data, logger) => log(level, data, logger);
    const conveniences = {
        elicitEnabled: hasCapability(client.capabilities, 'elicitation.form'),
        sampleEnabled: hasCapability(client.capabilities, 'sampling'),
        rootsEnabled: hasCapability(client.capabilities, 'roots'),
        elicit: elicitBy(operations),
        sample: (asked, options) => operations.sample(typeof asked === 'string' ? promptParams(asked, options) : asked),
        roots: () => operations.listRoots(),
        progress: (report) => operations.progress(typeof report === 'number' ? { progress: report, total: 100 } : report),
        debug: logAt('debug'),
        info: logAt('info'),
        notice: logAt('notice'),
        warning: logAt('warning'),
        warn: logAt('warning'),
        error: logAt('error'),
        critical: logAt('critical'),
        alert: logAt('alert'),
        emergency: logAt('emergency'),
    };
    const context = Object.assign(new WithSignal(operations), conveniences);
    for (const name of Object.keys(operations))
        if (!(name in context))
            context[name] = operations[name];
    return context;
}
/** Not by the operations as its prototype: an engine prepares each object for that anew, which takes longer than all the rest. */
class WithSignal {
    #operations;
    constructor(operations) {
        this.#operations = operations;
    }
    /** Most features never look at it, and it is made when somebody does. */
    get signal() {
        return this.#operations.signal;
    }
}
function promptParams(text, options = {}) {
    return { maxTokens: DEFAULT_MAX_TOKENS, ...options, messages: [{ role: 'user', content: { type: 'text', text } }] };
}
function elicitBy(operations) {
    function elicit(asked, message) {
        if (!('safeParse' in asked))
            return withAnswerChecked(asked, () => operations.elicit(asked));
        try {
            const requestedSchema = formSchemaOf(asked);
            const text = message ?? asked.description ?? 'Please fill in this form.';
            // Not by `await`: a task notices when the author forgets to await what is returned here.
            return mapOperation(operations.elicit({ mode: 'form', message: text, requestedSchema }), (answer) => formAnswerOf(asked, answer));
        }
        catch (error) {
            return Promise.reject(error);
        }
    }
    return elicit;
}
//# sourceMappingURL=client-context.js.map