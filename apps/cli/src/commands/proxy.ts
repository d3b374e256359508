import { existsSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { ConfigError } from '@longhaul/runtime/environment';
import { readServers } from '@longhaul/servers';
import type { Given } from '../command-line/command.js';
import type { Terminal } from '../terminal.js';
import { UserError } from '../user-error.js';
import { start } from './start.js';

/** Serves nothing but other servers. */
export const PROXY = '@longhaul/proxy/feature';
const FILE = /\.jsonc?$/i;
/** What a command needs of the shell to reach the network, as to download the server. Other variables may be secret. */
const OF_THE_NETWORK = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
];

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
  const isUrl = args.length === 0 && /^https?:/i.test(first);
  if (!isUrl && !isProgram(first, { env, cwd })) throw new UserError(`${first}: there is no such file, and no such command`);
  const given = OF_THE_NETWORK.filter((name) => (env[name] ?? '') !== '');
  const passedOn = Object.fromEntries(given.map((name) => [name, `\${${name}:-}`]));
  const entry = isUrl ? { url: first } : { command: first, args, env: passedOn };
  return JSON.stringify({ mcpServers: { server: entry } });
}

/** Whether a shell would find it. */
function isProgram(name: string, { env, cwd }: Pick<Terminal, 'env' | 'cwd'>): boolean {
  // There, programs have endings that nobody writes.
  if (process.platform === 'win32') return true;
  if (name.includes('/')) return existsSync(resolve(cwd, name));
  return (env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(resolve(cwd, folder, name)));
}
