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

/** A flag that so many commands for operators have, with one meaning, is explained once for all of them. */
const SHARED_BY = 4;

const path = `${root}docs/command-line.md`;
const ofOperators = commands.filter(({ isForOperators }) => isForOperators === true);
const others = commands.filter(({ isForOperators }) => isForOperators !== true);
const byMeaning = Map.groupBy(ofOperators.flatMap(flagsOf), meaningOf);
const shared = [...byMeaning.values()].filter(({ length }) => length >= SHARED_BY).flatMap(([flag]) => flag ?? []);
const sharedMeanings = new Set(shared.map(meaningOf));
const markdown = [
  '# Command line',
  '<!-- `npm run docs:commands` writes this page from the commands. -->',
  'Here you look up every command and flag. Write `npx` and `longhaul` before each command. With `--help` after a command you see the same. Settings are [environment variables](configuration.md).',
  '## Serve and use',
  ...others.map((command) => sectionOf(command, command.flags ?? [])),
  '## Operate',
  'These commands work on your data folder or Redis, or on the operator API in `LONGHAUL_OPS_URL`, with your token in `LONGHAUL_OPS_TOKEN`. [Operate a deployment](operating.md) shows how you use them, and has the exit codes. `--json` prints the answer of the API as one JSON value, and `--jsonl` one entry a line.',
  'Several commands have these flags. Each command names the ones that it has:',
  tableOf(shared),
  ...ofOperators.map((command) => sectionOf(command, flagsOf(command))),
].join('\n\n');
const text = await format(markdown, { ...(await resolveConfig(path)), parser: 'markdown' });
if (process.argv.includes('--print')) process.stdout.write(text);
else writeFileSync(path, text);

/** @param {Command} command */
function flagsOf({ flags = [] }) {
  return flags.filter(({ name }) => !OUTPUT_FLAGS.has(name));
}

/** @param {Command} command @param {readonly Flag[]} flags those that are shown */
function sectionOf({ usage, summary, isForOperators }, flags) {
  const isShared = (/** @type {Flag} */ flag) => isForOperators === true && sharedMeanings.has(meaningOf(flag));
  const own = flags.filter((flag) => !isShared(flag));
  const others = flags.filter(isShared).map(({ name }) => `\`--${name}\``);
  return [
    `### \`${usage}\``,
    sentence(summary),
    ...(others.length > 0 ? [`With ${others.join(', ')}.`] : []),
    ...(own.length > 0 ? [tableOf(own)] : []),
  ].join('\n\n');
}

/** @param {readonly Flag[]} flags */
function tableOf(flags) {
  return [['Flag', 'Meaning'], ['---', '---'], ...flags.map(rowOf)].map((cells) => `| ${cells.map(escaped).join(' | ')} |`).join('\n');
}

/** @param {Flag} flag */
function meaningOf(flag) {
  return rowOf(flag).join(' ');
}

/** @param {Flag} flag */
function rowOf({ name, value, summary, choices }) {
  return [
    `\`--${name}${value === undefined ? '' : ` ${value}`}\``,
    `${summary}${choices === undefined ? '' : `: ${choices.map((choice) => `\`${choice}\``).join(', ')}`}`,
  ];
}

/** @param {string} text */
function sentence(text) {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

/** @param {string} text of a cell */
function escaped(text) {
  return text.replaceAll('|', String.raw`\|`);
}
