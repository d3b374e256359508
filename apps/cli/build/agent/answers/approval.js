import { printableLine } from '../../printable.js';
import { choose } from './choose.js';
const JSON_INDENT = 2;
const MAX_NAME_CHARACTERS = 200;
/** @param approvesAll whether nobody is asked because everything is allowed; otherwise, with nobody to ask, nothing is */
export function approvalsOf(dialogue, approvesAll) {
    let wasRefused = false;
    const ask = async ({ tool, arguments: args }, signal) => {
        if (approvesAll)
            return 'once';
        if (!dialogue.canAsk) {
            dialogue.say(`${tool.name} is not allowed: there is no terminal to ask at (--yes allows every call)`);
            return 'no';
        }
        return dialogue.questions(signal, async (person) => {
            // On one line: a server may give a tool a name that looks like a question about another one.
            person.say(`The model wants to call ${printableLine(tool.listed.name, MAX_NAME_CHARACTERS)} of ${tool.server}:`);
            // In full: what is not seen cannot be allowed.
            person.say(JSON.stringify(args, undefined, JSON_INDENT).replaceAll(/^/gm, '  '));
            return ANSWERS[(await choose(person, 'Allow it?', ['yes', 'always', 'no'])) ?? 'no'];
        });
    };
    return {
        async ask(request, signal) {
            const approval = await ask(request, signal);
            if (approval === 'no')
                wasRefused = true;
            return approval;
        },
        takeRefused() {
            const taken = wasRefused;
            wasRefused = false;
            return taken;
        },
    };
}
const ANSWERS = { yes: 'once', always: 'always', no: 'no' };
//# sourceMappingURL=approval.js.map