import { parseArgs } from 'node:util';
import { UserError } from '../user-error.js';
/**
 * Reads `[--watch] [MODULE…]`.
 *
 * @param mayWatch whether the command knows `--watch`
 * @throws UserError with exit code 2 for anything else
 */
export function readFeatureArguments(command, args, env, mayWatch) {
    const { values, positionals, tokens } = parseArgs({
        args: [...args],
        options: { watch: { type: 'boolean', default: false } },
        allowPositionals: true,
        strict: false,
        tokens: true,
    });
    const unknown = tokens.find((token) => token.kind === 'option' && !(mayWatch && token.name === 'watch' && token.value === undefined));
    if (unknown?.kind === 'option') {
        const known = mayWatch ? 'only --watch and ' : '';
        throw new UserError(`${command} takes ${known}modules of features, got "${unknown.rawName}" (settings are environment variables)`, 2);
    }
    const comma = positionals.find((name) => name.includes(','));
    if (comma !== undefined)
        throw new UserError(`a module cannot have a comma in its name, got "${comma}"`, 2);
    return {
        env: positionals.length === 0 ? env : { ...env, LONGHAUL_FEATURES: positionals.join(',') },
        watches: values.watch === true,
    };
}
//# sourceMappingURL=feature-arguments.js.map