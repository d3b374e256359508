/**
 * A terminal that shows what happens and asks questions. While somebody is asked, everything else waits: what is typed must not
 * be broken up by output, and two questions must not get each other's answers. A line that was typed before a question was asked
 * does not answer it; it is kept for the next message.
 *
 * Lines and questions may hold what models and servers say: they are shown without what would act on the terminal.
 */
import { createInterface } from 'node:readline';
import { styleText } from 'node:util';
import { Semaphore } from '@longhaul/runtime/semaphore';
import { printable } from '../../printable.js';
/** Most lines that wait until the questions are over: servers may write without end while nobody answers. */
const MAX_HELD_LINES = 1_000;
/** A terminal, or pipes in its place. */
export class Dialogue {
    streams;
    /** Whether somebody can be asked. */
    canAsk;
    #readline;
    #turn = new Semaphore(1);
    #typedAhead = [];
    #answer;
    /** What is written when the questions are over; undefined when nobody is asked. */
    #held;
    #linesLeftOut = 0;
    #isClosed = false;
    #isInLine = false;
    /** @param onInterrupt called for Ctrl-C, which is no signal while lines are edited */
    constructor(streams, onInterrupt) {
        this.streams = streams;
        const { input, errors } = streams;
        this.canAsk = input.isTTY && errors.isTTY;
        if (!this.canAsk)
            return;
        this.#readline = createInterface({ input, output: errors, terminal: true });
        this.#readline.on('SIGINT', onInterrupt);
        this.#readline.on('line', (line) => {
            if (this.#answer === undefined)
                this.#typedAhead.push(line);
            else
                this.#answer(line);
        });
        this.#readline.on('close', () => {
            this.#isClosed = true;
            this.#answer?.(undefined);
        });
    }
    /** Whether answers are read on a terminal, and not kept in a file. */
    get isWatched() {
        return this.streams.output.isTTY;
    }
    /** Writes a part of an answer. */
    write(text) {
        this.#whenFree(() => {
            this.streams.output.write(text);
            if (text !== '')
                this.#isInLine = !text.endsWith('\n');
        });
    }
    /** Writes a line about what happens. */
    say(line) {
        if ((this.#held?.length ?? 0) >= MAX_HELD_LINES)
            this.#linesLeftOut += 1;
        else
            this.#whenFree(() => this.#sayNow(styleText('dim', printable(line), { stream: this.streams.errors })));
    }
    /** The next message for the agent; undefined at the end of the input. @throws the reason of the signal */
    message(prompt, signal) {
        return this.#inTurn(signal, () => {
            const typed = this.#typedAhead.shift();
            return typed === undefined ? this.#ask(prompt, signal) : Promise.resolve(typed);
        });
    }
    /** Asks questions that belong together. @throws the reason of the signal */
    questions(signal, body) {
        const person = {
            say: (line) => this.#sayNow(printable(line)),
            ask: (prompt) => this.#ask(printable(prompt), signal),
        };
        return this.#inTurn(signal, () => body(person));
    }
    /** Ends what was begun to be shown, and gives the terminal back. */
    close() {
        this.#endLine();
        this.#readline?.close();
    }
    async #inTurn(signal, body) {
        const leave = await this.#turn.enter();
        try {
            signal.throwIfAborted();
            this.#held = [];
            return await body();
        }
        finally {
            const held = this.#held ?? [];
            this.#held = undefined;
            for (const write of held)
                write();
            if (this.#linesLeftOut > 0)
                this.say(`… and ${this.#linesLeftOut} more lines`);
            this.#linesLeftOut = 0;
            leave();
        }
    }
    async #ask(prompt, signal) {
        const readline = this.#readline;
        signal.throwIfAborted();
        if (readline === undefined || this.#isClosed)
            return undefined;
        this.#endLine();
        const { promise, resolve, reject } = Promise.withResolvers();
        const onAbort = () => reject(signal.reason);
        signal.addEventListener('abort', onAbort);
        this.#answer = resolve;
        readline.setPrompt(prompt);
        readline.prompt();
        try {
            return await promise;
        }
        finally {
            this.#answer = undefined;
            signal.removeEventListener('abort', onAbort);
            if (signal.aborted)
                this.#forgetLine(readline);
        }
    }
    /** What was begun to be typed belongs to a question that is over. */
    #forgetLine(readline) {
        if (!this.#isClosed)
            readline.write(null, { ctrl: true, name: 'u' });
        this.streams.errors.write('\n');
    }
    #sayNow(line) {
        this.#endLine();
        this.streams.errors.write(`${line}\n`);
    }
    /** Answers and the rest may be on one screen. */
    #endLine() {
        if (this.#isInLine && this.streams.output.isTTY)
            this.streams.output.write('\n');
        this.#isInLine = false;
    }
    #whenFree(write) {
        if (this.#held === undefined)
            write();
        else
            this.#held.push(write);
    }
}
//# sourceMappingURL=dialogue.js.map