import { resolve } from 'node:path';
import { ConfigError } from '@longhaul/runtime/environment';
import { readServers } from '@longhaul/servers';
import type { Given } from '../command-line/command.js';
import type { Terminal } from '../terminal.js';
import { UserError } from '../user-error.js';
import { start } from './start.js';

/** Serves nothing but other servers. */
const PROXY = '@longhaul/proxy/feature';
const FILE = /\.jsonc?$/i;

/**
 * `longhaul proxy FILE`, `longhaul proxy URL`, `longhaul proxy -- COMMAND…`: serves other servers, with their slow tools as durable tasks.
 *
 * @throws UserError when there is none, or it cannot start to serve
 */
export async function proxy(given: Given, terminal: Terminal): Promise<number> {
  const servers = serversOf(given.words, terminal);
  const { servers: read, warnings } = await readServers(servers, terminal.env, 'the command').catch((error: unknown) => {
    throw error instanceof ConfigError ? new UserError(error.message) : error;
  });
  for (const line of warnings) terminal.err(`longhaul: ${line}`);
  if (read.length === 0) throw new UserError(`${given.words.join(' ')}: there is no server in it`);
  const nothing: Given = { words: [], value: () => undefined, values: () => [], has: () => false };
  return start(nothing, { ...terminal, env: { ...terminal.env, LONGHAUL_FEATURES: PROXY, LONGHAUL_SERVERS: servers } });
}

/** The value of `LONGHAUL_SERVERS` for the words of the command. @throws UserError if there are none */
function serversOf(words: readonly string[], { env, cwd }: Terminal): string {
  const [first, ...args] = words;
  if (first === undefined) {
    const { LONGHAUL_SERVERS: file = '' } = env;
    if (file !== '') return file;
    throw new UserError(
      'name a file of servers, a URL, or a command after "--": longhaul proxy -- npx -y @modelcontextprotocol/server-everything',
      2,
    );
  }
  if (args.length === 0 && FILE.test(first)) return resolve(cwd, first);
  const entry = args.length === 0 && /^https?:/i.test(first) ? { url: first } : { command: first, args };
  return JSON.stringify({ mcpServers: { server: entry } });
}
