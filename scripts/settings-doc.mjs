// `npm run docs:settings`: writes the section "Variables" of docs/configuration.md, and the names that misspelt variables are compared
// with, from the declarations of settings in the code (libs/runtime/src/settings.ts). With `--print` it only prints the page.
import { readFileSync, writeFileSync } from 'node:fs';
import { environment as gateway } from '@longhaul/gateway/config';
import { environment as operator } from '@longhaul/operator/config';
import { declaredSettings } from '@longhaul/runtime/settings';
import { environment as worker } from '@longhaul/worker/config';
import { format, resolveConfig } from 'prettier';
import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { root } from './root.mjs';
// These declare settings when they are loaded.
import 'longhaul/testing';
import '@longhaul/agent/feature';
import '@longhaul/everything';
import '@longhaul/reference-servers/fetch';
import '@longhaul/reference-servers/git';
import '@longhaul/reference-servers/memory';
import '@longhaul/reference-servers/time';

/** @import { DeclaredSetting, SettingGroup } from '@longhaul/runtime/settings' */
/**
 * @typedef {object} Schema the parts of a zod schema that are looked at
 * @property {() => Readonly<Record<string, unknown>> | undefined} meta
 * @property {{ def: object }} _zod
 */

requireNode();

const PAGE = `${root}docs/configuration.md`;
const NAMES = `${root}libs/runtime/src/variable-names.ts`;
/** A row is looked up, not read. */
const MOST_WORDS = 35;
const APPS = Object.entries({ gateway, worker, operator });
/** Feature packages are loaded by both. */
const OF_FEATURES = 'gateway, worker';

/** The heading of each group, and a sentence below it. @type {Readonly<Record<SettingGroup, readonly [string, string?]>>} */
const GROUPS = {
  data: ['Where data is kept', 'Set the same in all processes of your deployment.'],
  served: ['What you serve', 'Set the same in all processes of your deployment.'],
  listening: ['Listening and the reverse proxy'],
  callers: ['Callers'],
  waiting: ['How clients wait', 'See [in your client](clients.md) and [how long clients wait](client-limits.md).'],
  requests: ['Limits of requests and sessions'],
  tasks: ['Tasks and workers'],
  logs: ['Logs', 'Traces have the [variables of OpenTelemetry](observability.md#traces).'],
  operators: ['Operators', 'See [operate a deployment](operating.md).'],
  agent: ['Variables of the agent', 'See [the agent](agent.md). On the command line, it reads the variables of a worker.'],
  tools: ['Built-in tools', 'See [features](features.md) and [the reference servers](reference-servers.md).'],
};

const declared = declaredSettings().toSorted((a, b) => (a.name < b.name ? -1 : 1));
for (const [index, { name }] of declared.entries()) if (declared[index + 1]?.name === name) throw new Error(`${name} is declared twice.`);

const section = [
  '## Variables',
  '<!-- `npm run docs:settings` writes this section from the code. To change or add a row, change the declaration: settings(…) beside the process that reads it. -->',
  '`all` are gateways, workers and operator processes.',
  ...Object.entries(GROUPS).flatMap(([group, [title, intro = '']]) => [
    `### ${title}`,
    intro,
    tableOf(declared.filter((setting) => setting.group === group)),
  ]),
].join('\n\n');
const old = readFileSync(PAGE, 'utf8');
const start = old.indexOf('## Variables\n');
const page = `${old.slice(0, start)}${section}\n\n${old.slice(old.indexOf('\n## ', start) + 1)}`;
const text = await formatted(PAGE, page);
if (process.argv.includes('--print')) process.stdout.write(text);
else {
  writeFileSync(PAGE, text);
  const names = declared.map(({ name }) => name).filter((name) => name.startsWith('LONGHAUL_'));
  const source = `/** Every variable of Longhaul, written by \`npm run docs:settings\`: a process may also be given the variables of other processes. */
export const VARIABLE_NAMES: readonly string[] = ${JSON.stringify(names)};`;
  writeFileSync(NAMES, await formatted(NAMES, source));
}

/** @param {string} path @param {string} source */
async function formatted(path, source) {
  return format(source, { ...(await resolveConfig(path)), filepath: path });
}

/** @param {readonly DeclaredSetting[]} settings */
function tableOf(settings) {
  const rows = settings.map(({ name, schema }) => [
    `\`${name}\``,
    fallbackOf(schema),
    allowedOf(name, schema),
    readersOf(name, schema),
    wordsOf(name, schema),
  ]);
  return [['Variable', 'Default', 'Allowed', 'Read by', 'What it does'], Array(5).fill('---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`)
    .join('\n');
}

/** @param {DeclaredSetting['schema']} schema @returns what the schema makes of a variable that is not set, as one would set it */
function fallbackOf(schema) {
  const value = schema.parse(undefined);
  if (typeof value === 'boolean') return value ? '`1`' : '`0`';
  const text = Array.isArray(value) ? value.join(',') : value;
  return (typeof text === 'string' && text !== '') || typeof text === 'number' ? `\`${text}\`` : '';
}

/** @param {string} name @param {Schema} schema @returns {string} */
function allowedOf(name, schema) {
  const { entries, innerType, in: input } = /** @type {{ innerType?: Schema, in?: Schema, entries?: object }} */ (schema._zod.def);
  const allowed = schema.meta()?.['allowed'];
  if (typeof allowed === 'string') return allowed;
  if (entries !== undefined)
    return Object.keys(entries)
      .map((entry) => `\`${entry}\``)
      .join(', ');
  const inner = innerType ?? input;
  if (inner === undefined) throw new Error(`${name}: say what is allowed, by .meta({ allowed: '…' }) in its declaration.`);
  return allowedOf(name, inner);
}

/** @param {string} name @param {DeclaredSetting['schema']} schema */
function readersOf(name, schema) {
  const named = schema.meta()?.['readBy'];
  if (typeof named === 'string') return named;
  const readers = APPS.filter(([, { shape }]) => name in shape).map(([app]) => app);
  if (readers.length === APPS.length) return 'all';
  return readers.length > 0 ? readers.join(', ') : OF_FEATURES;
}

/** @param {string} name @param {DeclaredSetting['schema']} schema */
function wordsOf(name, { description = '' }) {
  const words = description.split(' ').length;
  if (description === '') throw new Error(`${name}: say what it does, by .describe('…') in its declaration.`);
  if (words > MOST_WORDS) throw new Error(`${name}: its sentence has ${words} words, and may have ${MOST_WORDS}.`);
  return description;
}
