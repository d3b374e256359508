/** Runs a command for operators: finds it, reads its flags, connects, and prints. */
import { parseArgs } from 'node:util';
import { listenForStopSignals } from '../processes/stop-signals.js';
import { UserError } from '../user-error.js';
import { connect } from './api/connect.js';
import { EXIT } from './api/exit-codes.js';
import { OUTPUT_FLAGS } from './command-line/flags.js';
import { helpOf, usageOf } from './command-line/help.js';
import { Output } from './output/output.js';
import { parseOptionsOf } from './command-line/verb.js';
import { verbs } from './verbs/table.js';
/**
 * @param first the first word, such as `tasks`
 * @param args what stands after it
 * @returns the exit code
 * @throws UserError
 */
export async function runVerb(first, args, terminal) {
    const candidates = verbs.filter(({ words }) => words[0] === first);
    // Of `queue` and `queue pause` the one with more words.
    const fitting = candidates.filter(({ words }) => words.slice(1).every((word, at) => args[at] === word));
    const verb = fitting.toSorted((a, b) => b.words.length - a.words.length)[0];
    if (args.includes('--help') || args.includes('-h')) {
        terminal.out(helpOf(verb === undefined ? candidates : [verb]));
        return EXIT.ok;
    }
    if (verb === undefined)
        throw new UserError(`there is: ${candidates.map(({ words }) => words.join(' ')).join(', ')} (see longhaul ${first} --help)`, EXIT.usage);
    const given = parsed(verb, args.slice(verb.words.length - 1));
    if (given.has('json') && given.has('jsonl'))
        throw new UserError('--json or --jsonl, not both', EXIT.usage);
    const form = given.has('json') ? 'json' : given.has('jsonl') ? 'jsonl' : 'text';
    const stop = listenForStopSignals(() => process.exit(EXIT.error));
    const output = new Output(terminal, form, process.stdout.isTTY);
    const context = { given, output, terminal, signal: stop.signal };
    let api;
    try {
        if ('runLocally' in verb)
            return await verb.runLocally(context);
        api = await connect(terminal, given.value('features'));
        return await verb.run({ ...context, api });
    }
    catch (error) {
        // What the user has ended is no failure.
        if (stop.signal.aborted && !(error instanceof UserError))
            return EXIT.ok;
        throw error;
    }
    finally {
        await api?.close();
        stop.dispose();
    }
}
function parsed(verb, args) {
    const flags = [...verb.flags, ...OUTPUT_FLAGS];
    try {
        const { values, positionals } = parseArgs({ args: [...args], options: parseOptionsOf(flags), allowPositionals: true, strict: true });
        const valuesOf = (name) => {
            const found = values[name];
            return Array.isArray(found) ? found.map(String) : [];
        };
        if (verb.takes === undefined && positionals.length > 0)
            throw new TypeError(`what is ${JSON.stringify(positionals[0])}?`);
        return { words: positionals, values: valuesOf, value: (name) => valuesOf(name).at(-1), has: (name) => values[name] === true };
    }
    catch (error) {
        throw new UserError(`${error instanceof Error ? error.message : String(error)} (usage: ${usageOf(verb)})`, EXIT.usage);
    }
}
//# sourceMappingURL=run-verb.js.map