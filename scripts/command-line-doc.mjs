// `npm run docs:commands`: writes docs/command-line.md from the commands of the built command line. With `--print` it only prints it.
import { writeFileSync } from 'node:fs';
import { commands } from 'longhaul/testing';
import { format, resolveConfig } from 'prettier';
import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { root } from './root.mjs';

/** @typedef {(typeof commands)[number]} Command */
/** @typedef {NonNullable<Command['flags']>[number]} Flag */

requireNode();

/** Each command for operators has them. */
const OUTPUT_FLAGS = new Set(['json', 'jsonl']);

const path = `${root}docs/command-line.md`;
const ofOperators = commands.filter(({ isForOperators }) => isForOperators === true);
const others = commands.filter(({ isForOperators }) => isForOperators !== true);
const markdown = [
  '# Command line',
  'This page has every command and flag. Write `npx` and `longhaul` before each command. `--help` after a command prints the same, and `--version` the version. Settings are [environment variables](configuration.md).',
  '`npm run docs:commands` writes this page from the commands; a test fails when it is not up to date.',
  '## Serve and use',
  ...others.map((command) => sectionOf(command, command.flags ?? [])),
  '## Operate',
  'These commands work on the data folder or the Redis of the environment, or on the operator API in `LONGHAUL_OPS_URL`, with `LONGHAUL_OPS_TOKEN`. [Operate a deployment](operating.md) shows how to use them, and has the exit codes. `--json` prints the answer of the API as one JSON value, and `--jsonl` one entry a line.',
  ...ofOperators.map((command) =>
    sectionOf(
      command,
      (command.flags ?? []).filter(({ name }) => !OUTPUT_FLAGS.has(name)),
    ),
  ),
].join('\n\n');
const text = await format(markdown, { ...(await resolveConfig(path)), parser: 'markdown' });
if (process.argv.includes('--print')) process.stdout.write(text);
else writeFileSync(path, text);

/** @param {Command} command @param {readonly Flag[]} flags those that are shown */
function sectionOf({ usage, summary }, flags) {
  return [`### \`${usage}\``, sentence(summary), ...(flags.length > 0 ? [tableOf(flags)] : [])].join('\n\n');
}

/** @param {readonly Flag[]} flags */
function tableOf(flags) {
  const rows = flags.map(({ name, value, summary, choices }) => [
    `\`--${name}${value === undefined ? '' : ` ${value}`}\``,
    `${summary}${choices === undefined ? '' : `: ${choices.map((choice) => `\`${choice}\``).join(', ')}`}`,
  ]);
  return [['Flag', 'Meaning'], ['---', '---'], ...rows].map((cells) => `| ${cells.map(escaped).join(' | ')} |`).join('\n');
}

/** @param {string} text */
function sentence(text) {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

/** @param {string} text of a cell */
function escaped(text) {
  return text.replaceAll('|', String.raw`\|`);
}
