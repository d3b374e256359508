import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Finds the folder for a user's data on each system. */
const PLACES: Readonly<Partial<Record<NodeJS.Platform, (env: NodeJS.ProcessEnv, home: string) => string>>> = {
  darwin: (_env, home) => join(home, 'Library', 'Application Support'),
  win32: (env, home) => env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'),
};

/**
 * The folder for a user's data, absolute if the home folder is.
 *
 * @param home of the user; the system knows it also without a variable
 */
export function userDataFolder(env: NodeJS.ProcessEnv, platform = process.platform, home = env['HOME'] || homedir()): string {
  const place = PLACES[platform] ?? (() => env['XDG_DATA_HOME'] || join(home, '.local', 'share'));
  return join(place(env, home), 'longhaul');
}

/**
 * The environment with a data folder for `longhaul stdio`. Desktop clients start it in arbitrary folders, and some cannot be written. So it
 * takes the data folder of the working folder if it exists, as `longhaul start` makes it, and otherwise a folder of the user. A configured
 * folder stays.
 */
export function withDataOfUser(env: NodeJS.ProcessEnv, cwd: string): NodeJS.ProcessEnv {
  if ((env['LONGHAUL_DATA_DIR'] ?? '') !== '' || existsSync(join(cwd, '.longhaul'))) return env;
  return { ...env, LONGHAUL_DATA_DIR: userDataFolder(env) };
}
