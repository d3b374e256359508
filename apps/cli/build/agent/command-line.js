/** What is typed after `longhaul agent`. */
import { parseArgs } from 'node:util';
import { UserError } from '../user-error.js';
/** How `longhaul agent` is called. */
export const USAGE = 'usage: longhaul agent [QUESTION] [--server NAME|URL|COMMAND]… [--root FOLDER]… [--model NAME] [--max-rounds N] [--json] [--yes]';
const MOST_ROUNDS = 1_000;
const OPTIONS = {
    server: { type: 'string', multiple: true, default: [] },
    root: { type: 'string', multiple: true, default: [] },
    model: { type: 'string' },
    'max-rounds': { type: 'string' },
    json: { type: 'boolean', default: false },
    yes: { type: 'boolean', default: false },
};
/** @throws UserError with exit code 2 for what is not understood */
export function parseCommandLine(args) {
    const { values, positionals } = parsed(args);
    const question = positionals.join(' ').trim();
    return {
        question: positionals.length === 0 ? undefined : required('QUESTION', question),
        servers: values.server.map((server) => required('--server', server.trim())),
        roots: values.root.map((root) => required('--root', root)),
        model: values.model === undefined ? undefined : required('--model', values.model),
        maxRounds: values['max-rounds'] === undefined ? undefined : rounds(values['max-rounds']),
        json: values.json,
        yes: values.yes,
    };
}
function parsed(args) {
    try {
        return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
    }
    catch (error) {
        // The first sentence says what is wrong, the rest how to quote an argument that begins with a dash.
        const [problem = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
        throw new UserError(`${problem.replace(/\.$/, '')}\n${USAGE}`, 2);
    }
}
function required(name, value) {
    if (value === '')
        throw new UserError(`${name} is empty\n${USAGE}`, 2);
    return value;
}
function rounds(text) {
    const value = /^\d{1,4}$/.test(text) ? Number(text) : 0;
    if (value < 1 || value > MOST_ROUNDS)
        throw new UserError(`--max-rounds ${text}: it must be a whole number from 1 to ${MOST_ROUNDS}`, 2);
    return value;
}
//# sourceMappingURL=command-line.js.map