/**
 * Keeps what a deployment on a data file serves, in its data folder. So a command in another terminal knows the deployment's tools by the
 * names that clients see, without being given the same modules and servers.
 */
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ConfigError } from '@longhaul/runtime/environment';
import { isJsonObject, type Json } from '@longhaul/tasks/json';
import type { Settings } from './settings.js';
import type { Terminal } from './terminal.js';
import { UserError } from './user-error.js';

const FILE = 'served.json';
/** What it has of the environment: the modules with features, and the servers behind the proxy. */
interface Served {
  readonly LONGHAUL_FEATURES?: string;
  readonly LONGHAUL_SERVERS?: string;
}

/**
 * Writes what a deployment serves, once its data file is there. Only its owner can read it, because servers may be given with their secrets.
 * Never rejects: commands can be told otherwise.
 */
export async function noteServed({ gateway, env }: Settings, cwd: string, log: (line: string) => void): Promise<void> {
  const { dataFile } = gateway;
  if (dataFile === undefined) return;
  const { LONGHAUL_FEATURES: modules, LONGHAUL_SERVERS: servers } = env;
  const value: Served = {
    ...(modules !== undefined && { LONGHAUL_FEATURES: pathsIn(modules, cwd) }),
    ...(servers !== undefined && { LONGHAUL_SERVERS: isJson(servers) ? servers : resolve(cwd, servers) }),
  };
  const path = join(dirname(dataFile.path), FILE);
  // A command that reads it meanwhile sees the whole of it.
  const written = `${path}.${process.pid}`;
  try {
    await writeFile(written, `${JSON.stringify(value)}\n`, { mode: 0o600 });
    await rename(written, path);
  } catch (error) {
    log(`commands in other terminals do not know what is served: ${String(error)}`);
  }
}

/**
 * The terminal with the modules and servers that the deployment of its data folder was started with, where its environment does not say
 * others. Servers that cannot be read here, such as for a variable that is not set, are left out with a message.
 *
 * @throws UserError when the file is damaged
 */
export async function withServed(terminal: Terminal): Promise<Terminal> {
  const { env, cwd } = terminal;
  if ((env['REDIS_URL'] ?? '') !== '') return terminal;
  const noted = await readNoted(join(resolve(cwd, env['LONGHAUL_DATA_DIR'] || '.longhaul'), FILE));
  const { LONGHAUL_FEATURES, LONGHAUL_SERVERS } = { ...noted, ...env };
  if (env['LONGHAUL_SERVERS'] === undefined && LONGHAUL_SERVERS !== undefined && !(await canRead(LONGHAUL_SERVERS, terminal)))
    return { ...terminal, env: { ...env, LONGHAUL_FEATURES } };
  return { ...terminal, env: { ...env, LONGHAUL_FEATURES, LONGHAUL_SERVERS } };
}

async function readNoted(path: string): Promise<Served> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new UserError(`${path} cannot be read: ${String(error)}`);
  }
  const value = parsed(text);
  if (isServed(value)) return value;
  throw new UserError(`${path} is damaged: remove it, and start the deployment again`);
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined; // It is no JSON.
  }
}

function isServed(value: Json | undefined): value is Json & Served {
  return isJsonObject(value) && Object.values(value).every((each) => typeof each === 'string');
}

async function canRead(servers: string, terminal: Terminal): Promise<boolean> {
  const { readServers } = await import('@longhaul/servers');
  try {
    const { refused } = await readServers(servers, terminal.env, 'LONGHAUL_SERVERS');
    for (const lines of refused.values()) terminal.err(`longhaul: its tools are not known here: ${lines}`);
    return true;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    terminal.err(`longhaul: the tools of servers are not known here: ${error.message}`);
    return false;
  }
}

/** Modules that are named by a path mean the same in any other folder then. A list cannot have a path with a comma. */
function pathsIn(modules: string, cwd: string): string {
  const names = modules.split(',').map((name) => name.trim());
  return names
    .map((name) => {
      const path = resolve(cwd, name);
      return (name.startsWith('.') || existsSync(path)) && name !== '' && !path.includes(',') ? path : name;
    })
    .join(',');
}

function isJson(servers: string): boolean {
  return servers.trimStart().startsWith('{');
}
