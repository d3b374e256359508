import { keyOf } from './question.js';
/**
 * Where a call that cannot be left puts its questions, and where the workflow beside it finds them. In a replay the workflow relays
 * what an earlier try of the call has asked before the call asks it again.
 */
export class QuestionDesk {
    entries = [];
    unseen = [];
    isClosed = false;
    change = Promise.withResolvers();
    /** Asks, unless the same has been relayed already and was asked by nobody since. */
    ask(question) {
        const relayed = this.entries.find(({ key, isAsked }) => !isAsked && key === keyOf(question));
        const entry = relayed ?? this.enter(question);
        entry.isAsked = true;
        if (relayed === undefined) {
            this.unseen.push(question);
            this.change.resolve();
        }
        return entry.answer.promise;
    }
    /** The next question that nobody has seen; nothing once the call is over. @throws the reason of the signal */
    async next(signal) {
        signal.addEventListener('abort', () => this.change.resolve(), { once: true });
        for (;;) {
            signal.throwIfAborted();
            const question = this.unseen.shift();
            if (question !== undefined || this.isClosed)
                return question;
            await this.change.promise;
            this.change = Promise.withResolvers();
        }
    }
    /** Gives the answer to who has asked, or will ask. @param answer never rejects */
    relay(question, answer) {
        const entry = this.entries.find(({ key, isRelayed }) => !isRelayed && key === keyOf(question)) ?? this.enter(question);
        entry.isRelayed = true;
        entry.answer.resolve(answer);
    }
    /** The call is over. */
    close() {
        this.isClosed = true;
        this.change.resolve();
    }
    enter(question) {
        const entry = { key: keyOf(question), answer: Promise.withResolvers(), isAsked: false, isRelayed: false };
        this.entries.push(entry);
        return entry;
    }
}
//# sourceMappingURL=question-desk.js.map