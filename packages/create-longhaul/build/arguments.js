import { parseArgs } from 'node:util';
import { UsageError } from './usage-error.js';
export const USAGE = 'Usage: npm create longhaul@latest [FOLDER] -- [--yes]';
/** @throws UsageError for an option that is not known, or two folders */
export function readArguments(args) {
    try {
        const options = {
            yes: { type: 'boolean', short: 'y', default: false },
            help: { type: 'boolean', short: 'h', default: false },
        };
        const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
        if (positionals.length > 1)
            throw new UsageError(`one folder, not "${positionals.join(' ')}". ${USAGE}`);
        return { folder: positionals[0], asksNothing: values.yes, isHelp: values.help };
    }
    catch (error) {
        if (error instanceof UsageError || !(error instanceof TypeError))
            throw error;
        throw new UsageError(`${error.message.replace(/\.? To specify .*/s, '')}. ${USAGE}`);
    }
}
//# sourceMappingURL=arguments.js.map