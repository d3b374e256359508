import { resolve } from 'node:path';
import type { SharedConfig } from '@longhaul/runtime/environment';
import type * as store from '@longhaul/store';
import type { Given } from '../command-line/command.js';
import { readSettings } from '../settings.js';
import { UserError } from '../user-error.js';
import type { Terminal } from '../terminal.js';

/**
 * `longhaul backup FILE`: copies the data file and its large values to a file, while the deployment runs, and checks the copy.
 *
 * @throws UserError when there is nothing to copy, the file is there already, or it cannot be written
 */
export function backup({ words: [file = ''] }: Given, terminal: Terminal): Promise<number> {
  const to = resolve(terminal.cwd, file);
  return reported(terminal, `${to} has`, (opened, config) => opened.backUpStore(config, to));
}

/**
 * `longhaul restore FILE`: makes a backup the data file of a deployment that does not run.
 *
 * @throws UserError when the file is no sound backup, processes run, or there is a data file and no `--force`
 */
export function restore({ words: [file = ''], has }: Given, terminal: Terminal): Promise<number> {
  const from = resolve(terminal.cwd, file);
  return reported(terminal, `Restored from ${from}:`, (opened, config) => opened.restoreStore(config, from, has('force')));
}

async function reported(
  terminal: Terminal,
  begin: string,
  act: (opened: typeof store, config: SharedConfig) => ReturnType<typeof store.backUpStore>,
): Promise<number> {
  const settings = readSettings(terminal.env, terminal.cwd);
  try {
    // Loaded only here, like everything that help and the other commands do without.
    const { tasks, events, values } = await act(await import('@longhaul/store'), settings.gateway);
    terminal.out(`${begin} ${tasks} tasks, ${events} events, ${values} parts of large values. It was read again and is sound.`);
    return 0;
  } catch (error) {
    throw new UserError(error instanceof Error ? error.message : String(error));
  }
}
