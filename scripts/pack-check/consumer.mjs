// Makes the folder of a user who has only the packages: a tool in TypeScript, the first examples of all packages, and each entry.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { quietly } from '../packages/npm.mjs';
import { requireEqual, textOfCall, whileServing } from './serving.mjs';

/** @typedef {import('../packages/pack.mjs').Package} Package */
/** @typedef {import('./installers.mjs').Installer} Installer */

/** The dependencies of the consumer: these, and the packages that it imports. */
export const OTHERS = { zod: '^4.0.0', typescript: '7.0.2', '@types/node': '^24.0.0' };

const TOOLS = `import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

interface Order { readonly item: string }

const place = async ({ item }: Order): Promise<string> => \`placed \${item}\`;

export const features = [
  defineTool({
    name: 'order',
    description: 'Asks, and orders in two steps.',
    input: z.object({ item: z.string() }),
    task: 'optional',
    async run(order, context) {
      const found = await context.step('find', () => order.item.toUpperCase());
      const answer = await context.elicit(z.object({ approved: z.boolean() }), \`Order \${found}?\`);
      if (answer.action !== 'accept' || !answer.content.approved) return 'not ordered';
      return context.step('place', () => place({ item: found }));
    },
  }),
];
`;

const APPLICATION = `import { createStarter } from '@longhaul/mcp-features/start';
import { features } from './tools.ts';

const starter = await createStarter({ dataFile: '.longhaul/longhaul.db', tools: features });
const options = { idempotencyKey: 'bread' };
const tasks = [await starter.start('order', { item: 'bread' }, options), await starter.start('order', { item: 'bread' }, options)];
process.stdout.write(JSON.stringify([tasks[0] === tasks[1], await starter.cancel(tasks[0])]));
await starter.close();
`;

/** @param {Package} packed @returns {string[]} its entries, as they are imported */
function entriesOf({ name, folder }) {
  const { exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.keys(exports)
    .filter((entry) => entry !== './package.json')
    .map((entry) => name + entry.slice(1));
}

/**
 * Writes what the consumer has.
 *
 * @param {string} folder
 * @param {readonly Package[]} packages those that it has installed
 */
export function writeConsumer(folder, packages) {
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'src/tools.ts'), TOOLS);
  writeFileSync(join(folder, 'src/application.mjs'), APPLICATION);
  const imports = packages.flatMap(entriesOf).map((entry) => `await import('${entry}');\n`);
  writeFileSync(join(folder, 'src/entries.mjs'), `${imports.join('')}process.stdout.write('all of them');\nprocess.exit(0);\n`);
  for (const [index, { folder: packed }] of packages.entries()) {
    const readme = readFileSync(join(packed, 'README.md'), 'utf8');
    for (const [block, [, code = '']] of [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].entries())
      writeFileSync(join(folder, `src/example-${index}-${block}.ts`), code);
  }
}

/**
 * Compiles all of it against the types of the packages.
 *
 * @param {string} folder
 * @param {'nodenext' | 'bundler'} resolution
 */
export async function compile(folder, resolution) {
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2024', 'dom'],
    module: resolution === 'nodenext' ? 'nodenext' : 'esnext',
    moduleResolution: resolution,
    types: ['node'],
    strict: true,
    noEmit: true,
    skipLibCheck: false,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src/*.ts'] }));
  await quietly(process.execPath, [join(folder, 'node_modules/typescript/bin/tsc')], folder);
}

/**
 * Imports every entry of every package, with what that loads.
 *
 * @param {string} folder
 * @param {Installer} installer
 */
export async function importEntries(folder, { node: [program, ...args] }) {
  requireEqual(await quietly(program, [...args, 'src/entries.mjs'], folder), 'all of them');
}

/**
 * Serves the tool, calls it with a stock client, and starts it from an application.
 *
 * @param {string} folder
 * @param {Installer} installer
 */
export async function callOwnTool(folder, { runner, node: [program, ...args] }) {
  await whileServing([...runner, 'longhaul', 'start', './src/tools.ts'], folder, async (client) => {
    const { tools } = await client.listTools();
    // The client does not follow tasks, so it is listed the tools that stand in for them, too.
    requireEqual(
      tools.map(({ name }) => name).filter((name) => !name.startsWith('task_')),
      ['order'],
    );
    requireEqual(await textOfCall(client, 'order', { item: 'bread' }), 'placed BREAD');
    requireEqual(await quietly(program, [...args, 'src/application.mjs'], folder), '[true,true]');
  });
}

/**
 * Serves what is served when nothing is named, with a package that is named, and calls it.
 *
 * @param {string} folder
 * @param {Installer} installer
 */
export async function callBuiltInTools(folder, { runner }) {
  await whileServing(
    [...runner, 'longhaul', 'start', '@longhaul/everything', '@longhaul/reference-servers/time'],
    folder,
    async (client) => {
      requireEqual(await textOfCall(client, 'echo', { message: 'hello' }), 'Echo: hello');
      const time = JSON.parse(await textOfCall(client, 'get_current_time', { timezone: 'Asia/Tokyo' }));
      requireEqual(time.timezone, 'Asia/Tokyo');
    },
  );
}
