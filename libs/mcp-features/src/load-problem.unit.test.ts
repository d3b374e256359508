import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileFunction, constants } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadProblem } from './load-problem.js';

const DECORATED = `function McpTool(spec: object) {
  return () => undefined;
}
export class Shop {
  @McpTool({ description: 'Sells.' })
  sell(): string { return 'sold'; }
}
`;

const COMPILE = 'compile it (tsc, esbuild or swc) and name the compiled file';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-load-'));
  await writeFile(join(folder, 'shop.ts'), DECORATED);
  await writeFile(join(folder, 'imports-shop.ts'), "import './shop.ts';\n");
});

afterAll(() => rm(folder, { recursive: true }));

/** By Node itself: what Vitest imports it transforms before. */
const nodeImport = compileFunction('return import(specifier)', ['specifier'], {
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
}) as (specifier: string) => Promise<unknown>;

async function problemOf(module: string, specifier: string): Promise<string> {
  const error: unknown = await nodeImport(specifier).catch((reason: unknown) => reason);
  return loadProblem(module, specifier, error);
}

const urlOf = (file: string): string => pathToFileURL(join(folder, file)).href;

describe('why a module could not be loaded', () => {
  it('names the line of a decorator, and says to compile it', async () => {
    const problem = await problemOf('./shop.ts', urlOf('shop.ts'));
    expect(problem).toBe(`Invalid or unexpected token. Line 5 has a decorator (@McpTool), which no Node reads: ${COMPILE}`);
  });

  it('says that decorators may be why where another file has them', async () => {
    const problem = await problemOf('./imports-shop.ts', urlOf('imports-shop.ts'));
    expect(problem).toBe(`Invalid or unexpected token. If it, or a file that it imports, has decorators, which no Node reads: ${COMPILE}`);
  });

  it('says so too of what is no file', async () => {
    const problem = await problemOf('data:text/javascript,@a', 'data:text/javascript,@a');
    expect(problem).toContain('Invalid or unexpected token. If it, or a file that it imports, has decorators');
  });

  it.each(['docs/no-such-module.ts', 'tools.mjs'])('says how a path begins, of a path without it: %s', async (module) => {
    expect(await problemOf(module, module)).toBe(`no package is called "${module}". A path begins with "./" or "/"`);
  });

  it('says what the path of a file would be that is there', async () => {
    const module = relative(process.cwd(), 'libs/mcp-features/src/load-problem.ts');
    expect(await problemOf(module, module)).toBe(`no package is called "${module}". A path begins with "./" or "/": "./${module}"`);
  });

  it('says what Node says of a package that is not there, and of a missing file', async () => {
    expect(await problemOf('@longhaul/none', '@longhaul/none')).toContain("Cannot find package '@longhaul/none'");
    expect(await problemOf('./none.mjs', urlOf('none.mjs'))).toContain('Cannot find module');
  });

  it('says which Node runs TypeScript, where this one does not', () => {
    const error = Object.assign(new TypeError('Unknown file extension ".ts" for /a.ts'), { code: 'ERR_UNKNOWN_FILE_EXTENSION' });
    expect(loadProblem('./a.ts', 'file:///a.ts', error)).toBe(
      `Unknown file extension ".ts" for /a.ts: TypeScript takes Node 22.18 or newer, and this is ${process.version}; or ${COMPILE}`,
    );
  });
});
