/** Finds the servers that a command line names, or else the servers of the list. */
import { firstCharacters } from '@longhaul/tasks/text';
import { basename } from 'node:path';
import { parseServers, type ServerConfig, type ServersFile } from '@longhaul/servers';
import { UserError } from '../../user-error.js';
import { splitWords } from './split-words.js';

/** With a number behind it, a name is still short enough for a list of servers. */
const MAX_NAME_CHARACTERS = 60;

/** The content of a file of servers. */
export type ListedServers = Pick<ServersFile, 'servers' | 'refused'>;

/**
 * @param wanted names of the list, URLs, or commands; empty for all servers of the list
 * @throws UserError with exit code 2 for an unknown name; UserError for a server of the list that cannot be used
 */
export function wantedServers(wanted: readonly string[], { servers: listed, refused }: ListedServers): readonly ServerConfig[] {
  if (wanted.length === 0) return listed;
  const servers = new Map<string, ServerConfig>();
  for (const text of wanted) {
    const why = refused.get(text);
    if (why !== undefined) throw new UserError(why);
    const known = listed.find(({ name }) => name === text);
    const server = known ?? given(text, (name) => servers.has(name) || listed.some((one) => one.name === name));
    servers.set(server.name, server);
  }
  return [...servers.values()];
}

function given(text: string, isTaken: (name: string) => boolean): ServerConfig {
  const entry = /^https?:\/\//i.test(text) ? { url: text } : commandOf(text);
  const plain = firstCharacters('url' in entry ? hostOf(entry.url) : basename(entry.command), MAX_NAME_CHARACTERS);
  let name = plain;
  for (let number = 2; isTaken(name); number += 1) name = `${plain}-${number}`;
  const [server] = parseServers(JSON.stringify({ mcpServers: { [name]: entry } }), { from: '--server', env: {} }).servers;
  if (server === undefined) throw new Error(`--server ${text}: nothing has been read.`);
  return server;
}

function commandOf(text: string): { readonly command: string; readonly args: readonly string[] } {
  const [command, ...args] = splitWords(text) ?? [];
  if (command === undefined || command === '') throw new UserError(`--server ${text}: a quote or a backslash is left open`, 2);
  return { command, args };
}

function hostOf(url: string): string {
  const host = URL.parse(url)?.hostname;
  if (host === undefined) throw new UserError(`--server ${url}: it is no URL`, 2);
  return host;
}
