const OPEN = '<think>';
const CLOSE = '</think>';
/** With these calls begin, wherever they stand. */
const CALL_MARKS = ['<tool_call>', '<function=', '<｜tool', '[TOOL_CALLS]', '<|python_tag|>', '<|python_start|>'];
/** With these begins an answer that may be a call as a whole. */
const WHOLE_CALL = /^\s*[[{]/;
/** One text. */
export class LiveText {
    #state = 'start';
    #pending = '';
    /** What may be shown now. */
    push(text) {
        this.#pending += text;
        const shown = [];
        for (let delta = this.#next(); delta !== undefined; delta = this.#next())
            shown.push(delta);
        return shown;
    }
    /** What was held back, when nothing more comes and there was no call. */
    rest() {
        const rest = this.#take(this.#pending.length);
        if (rest === '')
            return [];
        return [this.#state === 'thinking' ? { reasoning: rest } : { text: rest }];
    }
    #next() {
        if (this.#state === 'start')
            this.#begin();
        if (this.#pending === '')
            return undefined;
        if (this.#state === 'thinking')
            return this.#nextThought();
        if (this.#state === 'answer')
            return this.#nextWords();
        return undefined;
    }
    /** Decides what begins, as soon as that can be seen. */
    #begin() {
        const text = this.#pending.trimStart();
        this.#pending = text;
        if (text.startsWith(OPEN)) {
            this.#pending = text.slice(OPEN.length);
            this.#state = 'thinking';
        }
        else if (!OPEN.startsWith(text)) {
            this.#state = WHOLE_CALL.test(text) ? 'held' : 'answer';
        }
    }
    #nextThought() {
        const end = this.#pending.indexOf(CLOSE);
        const reasoning = this.#take(end === -1 ? this.#pending.length - unfinishedLength(this.#pending, [CLOSE]) : end);
        if (end !== -1) {
            this.#take(CLOSE.length);
            this.#state = 'start';
        }
        return reasoning === '' && end === -1 ? undefined : { reasoning };
    }
    #nextWords() {
        const marks = CALL_MARKS.map((mark) => this.#pending.indexOf(mark)).filter((at) => at !== -1);
        if (marks.length > 0)
            this.#state = 'held';
        const ready = marks.length > 0 ? Math.min(...marks) : this.#pending.length - unfinishedLength(this.#pending, CALL_MARKS);
        return ready === 0 ? undefined : { text: this.#take(ready) };
    }
    #take(length) {
        const taken = this.#pending.slice(0, length);
        this.#pending = this.#pending.slice(length);
        return taken;
    }
}
/** The length of the longest end of the text with which one of the marks may begin. */
function unfinishedLength(text, marks) {
    let longest = 0;
    for (const mark of marks) {
        for (let length = Math.min(mark.length - 1, text.length); length > longest; length -= 1) {
            if (mark.startsWith(text.slice(text.length - length)))
                longest = length;
        }
    }
    return longest;
}
//# sourceMappingURL=live-text.js.map