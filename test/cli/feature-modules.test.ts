/**
 * Tests what counts as a module of features, in a folder with only an installed Longhaul. `longhaul start` is tested once with a good and
 * once with a bad module; one process loads the rest.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { forAllTests } from '../support/for-all-tests.js';
import { INHERITED_ENV } from '../support/inherited-env.js';
import { Workplace } from './support/launcher.js';

let place: Workplace;

beforeEach(() => {
  place = new Workplace();
  place.install('@longhaul/mcp-features', 'zod');
});
afterEach(() => place.close());

/** TypeScript that Node cannot run without leaving something out. */
const toolNamed = (name: string): string => `
  import { defineTool } from '@longhaul/mcp-features';
  import { z } from 'zod';
  interface Input { readonly who: string }
  const run = ({ who }: Input): string => \`Hello, \${who}\`;
  export const features = [defineTool({ name: '${name}', description: 'Greets.', input: z.object({ who: z.string() }), run })];`;

async function toolsOfStart(...modules: string[]): Promise<string[]> {
  const url = await place.run(['start', ...modules], { PORT: '0' }).endpoint();
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(url));
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

async function refusalOfStart(module: string): Promise<string> {
  const { code, stderr } = await place.run(['start', module], { PORT: '0' }).ended;
  expect(code).toBe(1);
  return stderr;
}

const loader = forAllTests(
  async () => fork(fileURLToPath(new URL('support/load-features.mjs', import.meta.url)), { env: { ...INHERITED_ENV }, execArgv: [] }),
  async (child) => void child.kill(),
);

async function load(...modules: string[]): Promise<{ readonly tools?: string[]; readonly refusal?: string }> {
  const answer = once(loader, 'message');
  loader.send({ folder: place.folder, modules });
  const [loaded] = (await answer) as [{ readonly tools?: string[]; readonly refusal?: string }];
  return loaded;
}
const toolsOf = async (...modules: string[]): Promise<string[] | undefined> => (await load(...modules)).tools;
const loadFailureOf = async (module: string): Promise<string | undefined> => (await load(module)).refusal;

describe('a module of features may be', () => {
  test('a TypeScript file, with ./ or without, and the built-in features are off', async () => {
    place.write('src/tools.ts', toolNamed('greet'));
    place.write('docs/more.ts', toolNamed('salute'));

    expect(await toolsOfStart('./src/tools.ts', 'docs/more.ts')).toEqual(['greet', 'salute']);
  });

  test('a folder: all of its modules that export features, and neither tests nor helping modules', async () => {
    place.write('tools/one.ts', toolNamed('one'));
    place.write('tools/two.ts', toolNamed('two'));
    place.write('tools/helps.ts', 'export const help = 1;');
    place.write('tools/one.test.ts', 'throw new Error("a test is no module of features");');

    expect(await toolsOf('./tools')).toEqual(['one', 'two']);
  });

  test('a folder with an index module: that one', async () => {
    place.write('tools/one.ts', toolNamed('one'));
    place.write('tools/two.ts', toolNamed('two'));
    place.write('tools/index.ts', `export { features } from './two.ts';`);

    expect(await toolsOf('tools')).toEqual(['two']);
  });

  test('a folder of a package, by what it exports', async () => {
    place.write('mine/package.json', '{"name":"mine","type":"module","exports":{"import":"./lib/main.ts"}}');
    place.write('mine/lib/main.ts', toolNamed('exported'));

    expect(await toolsOf('./mine')).toEqual(['exported']);
  });

  test('a package that is installed in the working folder, or with Longhaul', async () => {
    place.write('node_modules/mine/package.json', '{"name":"mine","type":"module","exports":{"import":"./main.js"}}');
    place.write('node_modules/mine/main.js', toolNamed('installed').replace(/interface.*|: (Input|string)/g, ''));

    expect(await toolsOf('mine', '@longhaul/reference-servers/time')).toEqual(['installed', 'get_current_time', 'convert_time']);
  });
});

describe('a module that cannot be loaded is refused in one line, because', () => {
  test('it has a decorator, which is named with its place', async () => {
    place.write('src/tools.ts', `import { Notes } from './notes.ts';\nexport const features = [Notes];`);
    place.write('src/notes.ts', `const mark = () => () => {};\nexport class Notes {\n  @mark()\n  note(): void {}\n}\n`);

    expect(await refusalOfStart('./src/tools.ts')).toBe(
      'longhaul: Feature module "./src/tools.ts" cannot be loaded: src/notes.ts:3 has a decorator, which Node cannot read. ' +
        'Compile the module (tsc, esbuild, swc) and name the result, or use the define functions\n',
    );
  });

  test('it has TypeScript that is more than types', async () => {
    place.write('src/tools.ts', `export { features } from './colours.ts';`);
    place.write('src/colours.ts', '\nenum Colour { Red }\nexport const features = [Colour.Red];');

    expect(await loadFailureOf('./src/tools.ts')).toMatch(
      /^Feature module .*enum is not supported.* \(src\/colours\.ts:2\)\. .*: compile the module.*$/,
    );
  });

  test('a module that it imports throws, which is named with the line', async () => {
    place.write('src/tools.ts', `export { features } from './bank.ts';`);
    place.write(
      'src/bank.ts',
      `\nfunction open(): never {\n  throw new Error('no key for the bank');\n}\nexport const features = [open()];`,
    );

    expect(await loadFailureOf('./src/tools.ts')).toBe(
      'Feature module "./src/tools.ts" cannot be loaded: no key for the bank (src/bank.ts:3)',
    );
  });

  test('a module that it imports is no JavaScript, which is named with the line', async () => {
    place.write('src/tools.mjs', `export { features } from './bank.mjs';`);
    place.write('src/bank.mjs', `\nexport const features = [;`);

    expect(await loadFailureOf('./src/tools.mjs')).toBe(
      `Feature module "./src/tools.mjs" cannot be loaded: Unexpected token ';' (src/bank.mjs:2)`,
    );
  });

  test('there is no such file', async () => {
    expect(await loadFailureOf('./src/tools.ts')).toBe('Feature module "./src/tools.ts" cannot be loaded: there is no file src/tools.ts');
  });

  test('there is neither a file nor a package of that name', async () => {
    expect(await loadFailureOf('docs/x.ts')).toMatch(
      /^Feature module "docs\/x.ts" cannot be loaded: there is no file of that path and no package of that name in \/.*$/,
    );
  });

  test('no module of the folder exports features', async () => {
    place.write('tools/helps.ts', 'export const help = 1;');

    expect(await loadFailureOf('./tools')).toBe('Feature module "./tools" is a folder without a module that exports "features".');
  });

  test('a package that it imports is not installed, which is named', async () => {
    place.write('src/tools.ts', `import 'not-installed';\nexport const features = [];`);

    expect(await loadFailureOf('./src/tools.ts')).toMatch(/^Feature module .* Cannot find package 'not-installed' imported from .*$/);
  });
});
