import { keyOf } from './question.js';
/** Answers that are known before they are asked for, by their questions. A question that is asked twice has two answers. */
export class AnswerBook {
    answers = new Map();
    add(question, answer) {
        const key = keyOf(question);
        this.answers.set(key, [...(this.answers.get(key) ?? []), answer]);
    }
    /** Forgets the first answer to each of these: it has been given. */
    drop(keys) {
        for (const key of keys)
            this.answers.get(key)?.shift();
    }
    /** Forgets all answers. */
    clear() {
        this.answers.clear();
    }
    /** For one try: it is asked everything again, so it is given the answers from the first one on. */
    open() {
        return new OpenBook(this.answers);
    }
}
/** The answers, as one try is given them. */
export class OpenBook {
    answers;
    /** The keys of the questions that were answered, in their order. */
    given = [];
    constructor(answers) {
        this.answers = answers;
    }
    /** The next answer to this question. */
    find(question) {
        const key = keyOf(question);
        const answer = this.answers.get(key)?.[this.given.filter((each) => each === key).length];
        if (answer !== undefined)
            this.given.push(key);
        return answer;
    }
}
//# sourceMappingURL=answer-book.js.map