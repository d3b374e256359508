// Makes docs/features.md from the definitions of the features.
import { schemaRows } from './json-schema-rows.mjs';

/** @typedef {import('@longhaul/mcp-features').Feature} Feature */
/** @typedef {import('@longhaul/mcp-features').Tool} Tool */
/** @typedef {import('@longhaul/mcp-features').Prompt} Prompt */
/** @typedef {import('@longhaul/mcp-features').Resource} Resource */
/** @typedef {import('@longhaul/mcp-features').ResourceTemplate} ResourceTemplate */
/** @typedef {import('@longhaul/mcp-features').SessionJob} SessionJob */

/**
 * An intended difference from the reference server.
 *
 * @typedef {{ readonly where: string, readonly differs: string, readonly reason: string }} Difference
 */

const FIELD_HEAD = ['Type', 'Default', 'Meaning'];

/**
 * A package after another reference server, and the variables that it reads.
 *
 * @typedef {{ readonly name: string, readonly features: readonly Feature[], readonly settings: readonly string[] }} ReferencePackage
 */

/**
 * The content of the document; some features exist only with a setting.
 *
 * @typedef {{
 *   readonly features: readonly Feature[],
 *   readonly onlyWith: ReadonlyMap<string, string>,
 *   readonly packages: readonly ReferencePackage[],
 * }} Contents
 */

/** @param {Contents} contents */
export function featuresDocument({ features, onlyWith, packages }) {
  const tools = /** @type {Tool[]} */ (ofKind(features, 'tool'));
  const prompts = /** @type {Prompt[]} */ (ofKind(features, 'prompt'));
  const resources = /** @type {Resource[]} */ (ofKind(features, 'resource'));
  const templates = /** @type {ResourceTemplate[]} */ (ofKind(features, 'resource-template'));
  const jobs = /** @type {SessionJob[]} */ (ofKind(features, 'session-job'));
  return [
    '# Features',
    '<!-- `npm run docs:features` writes this page from the definitions. -->',
    'Here you look up what is built in, after the reference server of the protocol, `@modelcontextprotocol/server-everything`. ' +
      'It is the package `@longhaul/everything`, which you serve unless you name other modules in `LONGHAUL_FEATURES`. [Some answers differ](internals/everything.md) from the reference server.',
    [
      '- [Tools](#tools)',
      `- [Prompts](#prompts): ${prompts.map(linkTo).join(', ')}`,
      '- [Resources](#resources)',
      '- [Resource templates](#resource-templates)',
      '- [Session jobs](#session-jobs)',
      '- [Other reference servers](#other-reference-servers)',
    ].join('\n'),
    '## Tools',
    'A tool that needs a capability of the client is listed only to clients that have it. [How it works](how-it-works.md) explains what a task is. A call without a task waits for its end.',
    table(
      ['Tool', 'As a task', 'Needs'],
      tools.map((tool) => [linkTo(tool), TASK_WORDS[tool.taskSupport], needsOf(tool)]),
    ),
    ...tools.flatMap((tool) => toolSection(tool, onlyWith.get(tool.name))),
    '## Prompts',
    ...prompts.flatMap(promptSection),
    '## Resources',
    table(
      ['URI', 'Type', 'What it is'],
      resources.map(({ listing }) => [`\`${listing.uri}\``, listing.mimeType ?? '', listing.description ?? listing.name]),
    ),
    '## Resource templates',
    ...templates.flatMap(templateSection),
    '## Session jobs',
    'Work that is done again and again for a session, by the workers. It continues when a gateway dies, and ends when you stop it, or with the session.',
    table(
      ['Session job', 'Every', 'What it does'],
      jobs.map(({ name, everyMs, description = '' }) => [`\`${name}\``, `${everyMs} ms`, description]),
    ),
    ...packagesSection(packages),
  ].join('\n\n');
}

/**
 * The document about where the built-in features differ from the reference server, for contributors.
 *
 * @param {readonly Difference[]} differences
 */
export function differencesDocument(differences) {
  return [
    '# Differences from the reference server Everything',
    '<!-- `npm run docs:features` writes this page from test/everything/meant-differences.ts. -->',
    'The same requests are sent to both servers, to this one with `LONGHAUL_EXPOSE_ENV=1`, and all answers are equal but for these. ' +
      '`test/everything/long/side-by-side.test.ts` fails when one is missing here, or no longer there.',
    table(
      ['Where', 'Difference', 'Why'],
      differences.map(({ where, differs, reason }) => [where, differs, reason]),
    ),
  ].join('\n\n');
}

/**
 * @param {readonly Feature[]} features
 * @param {Feature['kind']} kind
 */
function ofKind(features, kind) {
  return features.filter((feature) => feature.kind === kind);
}

/** @param {readonly ReferencePackage[]} packages */
function packagesSection(packages) {
  return [
    '## Other reference servers',
    'You serve these packages if you name them in `LONGHAUL_FEATURES`. [The reference servers](reference-servers.md) has one configuration for all of them.',
    table(
      ['Package', 'Tools', 'More features', 'Where the tools run', 'Settings'],
      packages.map((each) => [
        `[\`@longhaul/reference-servers/${each.name}\`](internals/reference-servers.md#${each.name})`,
        codes(ofKind(each.features, 'tool').map(({ name }) => name)),
        besideTools(each.features),
        whereToolsRun(/** @type {Tool[]} */ (ofKind(each.features, 'tool'))),
        codes(each.settings),
      ]),
    ),
  ];
}

/** @param {readonly string[]} names */
function codes(names) {
  return names.map((name) => `\`${name}\``).join(', ');
}

/** @param {readonly Feature[]} features */
function besideTools(features) {
  const others = features.filter(({ kind }) => kind !== 'tool');
  return others.map((other) => `the ${other.kind} \`${other.kind === 'resource' ? other.listing.uri : other.name}\``).join(', ');
}

/** @param {readonly Tool[]} tools */
function whereToolsRun(tools) {
  return tools.every(({ taskSupport }) => taskSupport === 'forbidden')
    ? 'in gateways, within the request'
    : 'on workers, as optional tasks';
}

/** @param {{ readonly name: string }} feature */
function linkTo({ name }) {
  return `[\`${name}\`](#${name.toLowerCase()})`;
}

const TASK_WORDS = { forbidden: 'no', optional: 'yes', required: 'always' };

/** The meaning of a tool's hints, when they are true and when they are false. */
const HINT_WORDS = {
  readOnlyHint: ['only reads', 'may change something'],
  destructiveHint: ['may destroy something', 'destroys nothing'],
  idempotentHint: ['a repeated call adds nothing', 'every call counts'],
  openWorldHint: ['reaches beyond this server and its client', 'stays within this server and its client'],
};

/** The hints that matter only for tools that make changes. */
const CHANGE_HINTS = new Set(['destructiveHint', 'idempotentHint']);

/** @param {Tool['listing']} listing */
function hintsOf({ annotations = {} }) {
  const given = /** @type {Record<string, unknown>} */ (annotations);
  return Object.entries(HINT_WORDS).flatMap(([hint, [yes, no]]) =>
    given[hint] === undefined || (given['readOnlyHint'] === true && CHANGE_HINTS.has(hint)) ? [] : [given[hint] === true ? yes : no],
  );
}

/**
 * @param {Tool} tool
 * @param {string | undefined} setting without which it is not there
 */
function toolSection(tool, setting) {
  const { listing } = tool;
  const hints = hintsOf(listing);
  const input = schemaRows(listing.inputSchema);
  return [
    ...heading(listing),
    [
      ...(setting === undefined ? [] : [`- **Only with** ${setting}`]),
      ...(hints.length > 0 ? [`- **Hints:** ${hints.join('; ')}`] : []),
      ...(input.length > 0 ? [] : ['- **Arguments:** none']),
    ].join('\n'),
    ...(input.length > 0 ? [table(['Argument', ...FIELD_HEAD], input)] : []),
    ...(listing.outputSchema === undefined
      ? []
      : ['Its structured content:', table(['Field', ...FIELD_HEAD], schemaRows(listing.outputSchema))]),
  ];
}

/** @param {Prompt} prompt */
function promptSection({ listing, completers, ...feature }) {
  const rows = (listing.arguments ?? []).map(({ name, required, description }) => [
    `\`${name}\``,
    required === true ? 'yes' : 'no',
    name in completers ? 'yes' : 'no',
    description ?? '',
  ]);
  return [
    ...heading(listing),
    ...(needsOf(feature) === '' ? [] : [`- **Needs:** ${needsOf(feature)}`]),
    rows.length > 0 ? table(['Argument', 'Required', 'Can be completed', 'Meaning'], rows) : '- **Arguments:** none',
  ];
}

/** @param {ResourceTemplate} template */
function templateSection({ listing, completers, uriTemplate, isListed, list, ...feature }) {
  const completed = Object.keys(completers).map((variable) => `\`${variable}\``);
  return [
    `### ${listing.name}`,
    ...(listing.description === undefined ? [] : [sentence(listing.description)]),
    [
      `- **URI template:** \`${uriTemplate}\``,
      ...(listing.mimeType === undefined ? [] : [`- **Type:** ${listing.mimeType}`]),
      ...(needsOf(feature) === '' ? [] : [`- **Needs:** ${needsOf(feature)}`]),
      `- **Can be completed:** ${completed.join(', ') || 'nothing'}`,
      ...(isListed ? [] : ['- `resources/templates/list` does not show it']),
      ...(list === undefined ? [] : ['- `resources/list` shows its resources']),
    ].join('\n'),
  ];
}

/** @param {{ readonly name: string, readonly title?: string | undefined, readonly description?: string | undefined }} listing */
function heading({ name, title, description }) {
  return [`### \`${name}\``, [title === undefined ? '' : `**${title}.**`, sentence(description ?? '')].join(' ').trim()];
}

/** @param {string} text */
function sentence(text) {
  return /[.!?]$/.test(text) || text === '' ? text : `${text}.`;
}

/** @param {{ readonly needs: readonly string[], readonly needsSession: boolean }} feature */
function needsOf({ needs, needsSession }) {
  return [...needs.map((need) => `\`${need}\``), ...(needsSession ? ['a session'] : [])].join(', ');
}

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
function table(head, rows) {
  const line = (/** @type {readonly string[]} */ cells) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
