import { printable, printableLine, printableParts } from '../printable.js';
const MAX_SHOWN = 200;
const MS_PER_SECOND = 1_000;
/** @param streams whether parts of what the model says are shown as they come */
export function showEvents(dialogue, streams) {
    /** What was shown of the round. */
    let shown = '';
    let readable = printableParts();
    const report = (event) => {
        if (event.type === 'round') {
            shown = '';
            readable = printableParts();
        }
        if (event.type === 'delta') {
            if (!streams || event.text === undefined)
                return;
            shown += event.text;
            dialogue.write(readable(event.text));
        }
        else {
            const line = lineOf(event);
            if (line !== undefined)
                dialogue.say(line);
        }
    };
    return {
        report,
        end({ outcome, text }) {
            if (outcome !== 'answered')
                return dialogue.say(`The agent has no answer (${outcome}): ${text}`);
            const all = dialogue.isWatched ? printable(text) : text;
            const rest = shown.trim() === '' ? all : shown.trim() === text.trim() ? '' : `\n${all}`;
            dialogue.write(`${rest}\n`);
        },
    };
}
function lineOf(event) {
    switch (event.type) {
        case 'round':
            return undefined;
        case 'retry':
            return `… asks the model again in ${duration(event.afterMs)}: ${printableLine(event.reason, MAX_SHOWN)}`;
        case 'tool-call':
            return `→ ${printableLine(event.tool, MAX_SHOWN)} ${printableLine(event.arguments, MAX_SHOWN)}`;
        case 'tool-progress':
            return `  ${printableLine(event.message, MAX_SHOWN)}`;
        case 'tool-result':
            return `${event.isError ? '✗' : '←'} ${printableLine(event.tool, MAX_SHOWN)}, ${duration(event.ms)}: ${printableLine(event.text, MAX_SHOWN)}`;
    }
}
function duration(ms) {
    return ms < MS_PER_SECOND ? `${Math.round(ms)} ms` : `${(ms / MS_PER_SECOND).toFixed(1)} s`;
}
//# sourceMappingURL=show-events.js.map