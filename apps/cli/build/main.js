import { runCli } from './cli.js';
import { commands } from './commands/commands.js';
// A closed terminal or pipe must not keep the launcher from ending what it started.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);
const exitCode = await runCli(process.argv.slice(2), commands, {
    env: process.env,
    cwd: process.cwd(),
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
});
// Everything that could still keep this process running has been asked to end.
process.exit(exitCode);
//# sourceMappingURL=main.js.map