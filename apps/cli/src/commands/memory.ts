import { readFile, unlink, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { GraphFile } from '@longhaul/reference-servers/memory/graph-file';
import type { Given } from '../command-line/command.js';
import { openCollections } from '../owner-collections.js';
import { type Cleanup, createCleanup } from '../processes/cleanup.js';
import { UserError } from '../user-error.js';
import type { Terminal } from '../terminal.js';

/**
 * `longhaul memory import|export [--owner NAME] FILE`: reads or writes the knowledge graph of a caller as a file of the reference server
 * Memory. The caller is named in `LONGHAUL_TOKENS`, or is the user of `longhaul stdio`. Lines that an import cannot take are written to
 * another file next to it.
 *
 * @throws UserError for a file that cannot be read, and when the store cannot be used
 */
export async function memory(direction: Direction, { words: [file = ''], value }: Given, terminal: Terminal): Promise<number> {
  const cleanup = createCleanup();
  try {
    terminal.out(await transfer(direction, { owner: value('owner'), path: resolve(terminal.cwd, file), terminal, cleanup }));
    return 0;
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(error instanceof Error ? error.message : String(error));
  } finally {
    for (const failure of await cleanup.run()) terminal.err(`longhaul: while ending: ${String(failure)}`);
  }
}

type Direction = 'import' | 'export';

interface Transfer {
  readonly owner: string | undefined;
  readonly path: string;
  readonly terminal: Terminal;
  readonly cleanup: Cleanup;
}

/** @returns what has been done, for people */
async function transfer(direction: Direction, { owner, path, terminal, cleanup }: Transfer): Promise<string> {
  // Loaded only here, like everything that help and the other commands do without.
  const [{ exportGraph, importGraph, readGraphFile }, { readSettings: readMemorySettings }] = await Promise.all([
    import('@longhaul/reference-servers/memory/graph-file'),
    import('@longhaul/reference-servers/memory/settings'),
  ]);
  const file = direction === 'import' ? readGraphFile(await readFile(path)) : undefined;
  if (file !== undefined) requireSomething(file, path);
  const { collections, env } = await openCollections(owner, terminal, cleanup);
  const memorySettings = readMemorySettings(env);
  if (file !== undefined) return takeOver(file, path, terminal, () => importGraph(collections, memorySettings, file));
  const lines = await exportGraph(collections, memorySettings);
  if (lines === '') throw new UserError(`there is no graph to export, so ${path} is left as it is`);
  await writeFile(path, lines);
  return `${lines.split('\n').length} entities and relations exported`;
}

/** Repairs, and parts that were set aside, that are shown one by one. */
const MAX_SHOWN = 20;

/** @throws UserError for a file that has parts, if no part is in the graph */
function requireSomething({ entities, relations, setAside }: GraphFile, path: string): void {
  const [first] = setAside;
  if (first === undefined || entities.length + relations.length > 0) return;
  throw new UserError(`nothing in ${path} is an entity or a relation; ${first.where}: ${first.reason}`);
}

/** Imports a file, after what is set aside has a file of its own. @returns what has been done */
async function takeOver(file: GraphFile, path: string, terminal: Terminal, doImport: () => Promise<number>): Promise<string> {
  const { repaired, setAside } = file;
  const aside = setAside.length === 0 ? undefined : await writeAside(path, setAside.map((part) => `${JSON.stringify(part)}\n`).join(''));
  let imported: number;
  try {
    imported = await doImport();
  } catch (error) {
    if (aside !== undefined) await unlink(aside);
    throw error;
  }
  show(
    terminal,
    'repaired',
    repaired.map(({ where, what }) => `${where}: ${what}`),
  );
  show(
    terminal,
    'set aside',
    setAside.map(({ where, reason }) => `${where}: ${reason}`),
  );
  const repairs = repaired.length === 0 ? '' : `, ${repaired.length} repaired`;
  const asides = aside === undefined ? '' : `, ${setAside.length} set aside in ${aside}`;
  return `${imported} entities and relations imported${repairs}${asides}`;
}

function show(terminal: Terminal, what: string, lines: readonly string[]): void {
  for (const line of lines.slice(0, MAX_SHOWN)) terminal.err(`${what}: ${line}`);
  if (lines.length > MAX_SHOWN) terminal.err(`${what}: ${lines.length - MAX_SHOWN} more`);
}

/** Writes a file next to another one, under an unused name. @returns its path */
async function writeAside(path: string, text: string): Promise<string> {
  for (let count = 1; ; count++) {
    const aside = `${path}.set-aside${count === 1 ? '' : `-${count}`}.jsonl`;
    try {
      await writeFile(aside, text, { flag: 'wx' });
      return aside;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}
