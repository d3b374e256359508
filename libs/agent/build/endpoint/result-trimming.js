/** Attempts in which only some results are left out; then all are. */
const PARTIAL_TRIMS = 4;
/** Counts of tokens are rough, and the answer needs room too. */
const SAFETY = 0.9;
const SHARE_IF_UNKNOWN = 0.5;
const NOTE_CHARACTERS = 160;
function lengthOf({ content }) {
    return typeof content === 'string' ? content.length : JSON.stringify(content).length;
}
function noteOf(message) {
    return `[This result of ${lengthOf(message)} characters was left out, as the conversation is too long. Ask for less if you need it again.]`;
}
/** Where results are that are longer than the note that stands for them. */
function trimmable(messages) {
    return messages.flatMap((message, at) => (message.role === 'tool' && lengthOf(message) > NOTE_CHARACTERS ? [at] : []));
}
/** The conversation with a note in place of so many results. */
function withoutOldestResults(messages, count) {
    const left = new Set(trimmable(messages).slice(0, count));
    return messages.map((message, at) => (message.role === 'tool' && left.has(at) ? { ...message, content: noteOf(message) } : message));
}
/** Decides how many results to leave out of a conversation, after it was refused with fewer left out. */
export class ResultTrimming {
    messages;
    #count = 0;
    #trims = 0;
    constructor(messages) {
        this.messages = messages;
    }
    /** Results that are left out. */
    get count() {
        return this.#count;
    }
    /** What to send. */
    get trimmed() {
        return withoutOldestResults(this.messages, this.#count);
    }
    /**
     * Leaves out more. @param share of what was sent that fits, if that is known
     * @returns false when there is nothing more to leave out
     */
    trim(share = SHARE_IF_UNKNOWN) {
        const all = trimmable(this.messages);
        if (this.#count >= all.length)
            return false;
        this.#trims += 1;
        const sent = this.trimmed.reduce((sum, message) => sum + lengthOf(message), 0);
        let excess = sent * (1 - share * SAFETY);
        do {
            const at = all[this.#count];
            const result = at === undefined ? undefined : this.messages[at];
            if (result !== undefined)
                excess -= lengthOf(result) - noteOf(result).length;
            this.#count += 1;
        } while (this.#count < all.length && (excess > 0 || this.#trims > PARTIAL_TRIMS));
        return true;
    }
}
//# sourceMappingURL=result-trimming.js.map