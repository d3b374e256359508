import type { Command, CommandForm } from './command.js';

/** The usage of a command. */
export function usageOf({ usage, flags = [] }: CommandForm): string {
  return `longhaul ${usage}${flags.length > 0 ? ' [flags]' : ''}`;
}

/** The output of `--help` after the words that these commands begin with. */
export function helpOf(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => [
    usageOf(command),
    `  ${command.summary}`,
    ...aligned((command.flags ?? []).map(({ name, value, summary }) => [`--${name}${value === undefined ? '' : ` ${value}`}`, summary])),
    '',
  ]);
  const ofOperators = [
    'These commands use the operator API in LONGHAUL_OPS_URL, with your token in LONGHAUL_OPS_TOKEN. Without it they use your data folder or Redis.',
    'Exit codes: 0 done, 1 failed, 2 wrong command line, 3 no such task, 4 not allowed, 5 already ended, 6 not reachable.',
  ];
  return [...lines, ...(commands[0]?.isForOperators === true ? ofOperators : ['Settings are environment variables.'])].join('\n');
}

/** The output of `longhaul --help`. */
export function overviewOf(commands: readonly Command[]): string {
  const shown = (isForOperators: boolean): readonly string[] =>
    aligned(commands.filter((one) => (one.isForOperators ?? false) === isForOperators).map(({ usage, summary }) => [usage, summary]));
  return [
    'Usage: longhaul [command]. For the flags of a command: longhaul COMMAND --help',
    '',
    ...shown(false),
    '',
    'For operators:',
    ...shown(true),
    '',
    '  --help, --version',
    '',
    'Environment: PORT (3000), HOST (127.0.0.1), REDIS_URL, LONGHAUL_DATA_DIR (.longhaul), LOG_LEVEL (warn).',
  ].join('\n');
}

function aligned(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
}
