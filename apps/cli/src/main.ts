import { runCli } from './cli.js';
import { start } from './commands/start.js';

// A closed terminal or pipe must not keep the launcher from ending what it started.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

process.exitCode = await runCli(process.argv.slice(2), [start], {
  env: process.env,
  cwd: process.cwd(),
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
});
