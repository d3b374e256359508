import { printable } from './printable.js';
import { UserError } from './user-error.js';
import { version } from './version.js';
function help(commands) {
    const width = Math.max(...commands.map((command) => command.name.length));
    return [
        'Usage: longhaul [command]',
        '',
        ...commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`),
        '',
        '  --help, --version',
        '',
        'Environment: PORT (3000), HOST (127.0.0.1), REDIS_URL, LONGHAUL_DATA_DIR (.longhaul), LOG_LEVEL (warn).',
    ].join('\n');
}
/**
 * Runs one command line.
 *
 * @param args what stands after `longhaul`; without a command the first one of the list runs
 * @returns the exit code: 0, 1 for a failure, 2 for a command line that is not understood, or one of the command
 */
export async function runCli(args, commands, terminal) {
    const [word = commands[0]?.name ?? '--help', ...rest] = args;
    if (word === '--version' || word === '-v') {
        terminal.out(version());
        return 0;
    }
    const command = commands.find(({ name }) => name === word);
    if (word === '--help' || word === '-h' || word === 'help' || (rest.includes('--help') && command?.hasHelp !== true)) {
        terminal.out(help(commands));
        return 0;
    }
    try {
        if (command !== undefined)
            return await command.run(rest, terminal);
        throw new UserError(`unknown command "${word}"; there is: ${commands.map(({ name }) => name).join(', ')} (see longhaul --help)`, 2);
    }
    catch (error) {
        if (error instanceof UserError) {
            // Errors name tools, keys and fields, which others have named.
            for (const line of printable(error.message).split('\n'))
                terminal.err(`longhaul: ${line}`);
            return error.exitCode;
        }
        terminal.err(`longhaul: ${printable(error instanceof Error ? (error.stack ?? error.message) : String(error))}`);
        return 1;
    }
}
//# sourceMappingURL=cli.js.map