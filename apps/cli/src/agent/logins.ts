/** The log-ins of the user of this machine to servers, in the folder of the user's data. */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { type LoginKeys, LoginFolder, Logins } from '@longhaul/servers';
import { createKeyRing, readKeys } from '@longhaul/runtime/keys';
import { readSettings } from '../settings.js';
import type { Terminal } from '../terminal.js';
import { userDataFolder } from '../user-data-folder.js';

export interface LoginsOfUser {
  /** Shows a line to the user. Absent: there is nobody who could log in. */
  readonly say: ((line: string) => void) | undefined;
  readonly signal: AbortSignal;
}

/** Nothing is read before a server needs it. */
export function loginsOf({ env, cwd }: Terminal, { say, signal }: LoginsOfUser): Logins {
  const folder = resolve(cwd, env['LONGHAUL_DATA_DIR'] || userDataFolder(env), 'logins');
  let keys: Promise<LoginKeys | undefined> | undefined;
  return new Logins({
    folder: new LoginFolder(folder, () => (keys ??= keysOf(env, cwd))),
    visit:
      say &&
      ((server, address) => {
        say(`Log in to ${server} in your browser: ${address}`);
        openBrowser(address, env);
      }),
    signal,
  });
}

/** @throws UserError, ConfigError for wrong settings, and keys that cannot be read */
async function keysOf(env: NodeJS.ProcessEnv, cwd: string): Promise<LoginKeys | undefined> {
  const { atRest } = (env['LONGHAUL_KEYS'] ?? '') === '' ? {} : readSettings(env, cwd).gateway;
  if (atRest === undefined) return undefined;
  const [first, ...others] = await readKeys(atRest.keys);
  return first && { ring: createKeyRing(first, others), writes: atRest.writes };
}

/** Without a shell, so that an address is never more than an argument. The user has the address in any case. */
function openBrowser(address: string, env: NodeJS.ProcessEnv): void {
  const [program, ...args] = browserOf(env);
  if (program === undefined) return;
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true, windowsHide: true });
  child.on('error', () => undefined);
  child.unref();
}

function browserOf({ BROWSER: chosen = '', DISPLAY: x11 = '', WAYLAND_DISPLAY: wayland = '' }: NodeJS.ProcessEnv): readonly string[] {
  if (chosen !== '') return chosen === 'none' ? [] : [chosen];
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return x11 + wayland === '' ? [] : ['xdg-open'];
}
