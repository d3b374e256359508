/** Notices that a model calls the same tool with the same arguments again and again. */
import { isJsonObject } from '@longhaul/tasks/json';
/** The call in a row that is not made; the model receives the reason. */
const REFUSED_AT = 5;
/** Counts calls in a row, of one message or of several. */
export class RepeatedCalls {
    last;
    count = 0;
    /** Whether an earlier message received the error for the calls that are counted now. */
    isRefused = false;
    /** Looks at the calls of the next message, in the model's order. */
    look(calls) {
        const refusals = new Map();
        for (const call of calls) {
            this.take(call);
            if (this.count < REFUSED_AT)
                continue;
            if (this.isRefused)
                return { refusals, goesOn: call };
            refusals.set(call, errorOf(call, this.count));
        }
        this.isRefused = this.count >= REFUSED_AT;
        return { refusals };
    }
    take(call) {
        const key = JSON.stringify([call.function.name, canonical(call.function.arguments)]);
        if (key !== this.last) {
            this.count = 0;
            this.isRefused = false;
        }
        this.last = key;
        this.count += 1;
    }
}
function errorOf(call, count) {
    return (`Not called: this was call ${count} in a row of ${call.function.name} with the same arguments. ` +
        'Use the results that you have, call it with other arguments, or answer without it. If you repeat it, the run ends.');
}
/** Arguments that differ only in spaces or in the order of members are the same. */
function canonical(text) {
    try {
        return JSON.stringify(JSON.parse(text), (_, value) => isJsonObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value);
    }
    catch {
        return text;
    }
}
//# sourceMappingURL=repeated-calls.js.map