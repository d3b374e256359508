import { EXIT_CODES, exitCodeOf } from './exit-code.js';
import { showEvents } from './show-events.js';
import { Cancelled } from './terminal/interrupts.js';
/**
 * Asks one question.
 *
 * @param writeJson takes the outcome in place of the terminal
 * @returns the exit code
 */
export async function askOnce({ session, dialogue, interrupts, approvals }, question, writeJson) {
    const show = showEvents(dialogue, writeJson === undefined && dialogue.isWatched);
    try {
        const outcome = await interrupts.during((signal) => session.ask(question, signal, (event) => show.report(event)));
        if (writeJson === undefined)
            show.end(outcome);
        else
            writeJson(outcome);
        return exitCodeOf(outcome, approvals.takeRefused());
    }
    catch (error) {
        if (!(error instanceof Cancelled))
            throw error;
        dialogue.say('Cancelled.');
        return EXIT_CODES.cancelled;
    }
}
/** Asks what the user types, until the end of the input or Ctrl-C while nothing runs. @returns the exit code */
export async function converse({ session, dialogue, interrupts }) {
    while (!interrupts.leaving.aborted) {
        try {
            const question = await dialogue.message('> ', interrupts.leaving);
            if (question === undefined)
                break;
            if (question.trim() === '')
                continue;
            const show = showEvents(dialogue, dialogue.isWatched);
            show.end(await interrupts.during((signal) => session.ask(question, signal, (event) => show.report(event))));
        }
        catch (error) {
            if (!(error instanceof Cancelled))
                throw error;
            if (!interrupts.leaving.aborted)
                dialogue.say('Cancelled.');
        }
    }
    return EXIT_CODES.answered;
}
//# sourceMappingURL=talk.js.map