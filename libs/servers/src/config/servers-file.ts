/**
 * Reads the servers of an agent, in the format of desktop clients and editors: `{"mcpServers": {"name": {"command": …}}}`, or `servers` as
 * in VS Code, with a few members of our own. Comments and extra commas are allowed. A server that cannot be read is left out with a
 * warning, and so is an unknown member: such files also have members of other programs.
 */
import { readFile } from 'node:fs/promises';
import { ConfigError } from '@longhaul/runtime/environment';
import { placeInJson } from '@longhaul/runtime/json-place';
import { isJsonObject } from '@longhaul/tasks/json';
import stripJsonComments from 'strip-json-comments';
import { z } from 'zod';
import { type PinFile, pinFileBeside } from './pin-file.js';
import type { ServerConfig } from './server-config.js';
import { ServerEntry } from './server-entry.js';

/** The content of a file of servers. */
export interface ServersFile {
  readonly servers: readonly ServerConfig[];
  /** Servers that cannot be used, and why. */
  readonly refused: ReadonlyMap<string, string>;
  /** Lines about what was not read, also about those servers. */
  readonly warnings: readonly string[];
}

/**
 * Reads the servers from a file, or from the JSON itself, which begins with a brace.
 *
 * @param variable that holds the JSON, for messages
 * @throws ConfigError with a line for each mistake. The line names the file, the server and the field.
 */
export async function readServers(source: string, env: NodeJS.ProcessEnv, variable = 'LONGHAUL_AGENT_SERVERS'): Promise<ServersFile> {
  if (source.trimStart().startsWith('{')) return parseServers(source, { from: variable, env });
  try {
    return parseServers(decoded(await readFile(source)), { from: source, env, pinFile: pinFileBeside(source) });
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${source}: the file of servers cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
}

/** UTF-8, or UTF-16 with its mark, as PowerShell and Notepad write it. */
function decoded(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('hex');
  return new TextDecoder(mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8').decode(bytes);
}

interface Place {
  /** Where the text comes from, for messages. */
  readonly from: string;
  /** The values of variables. */
  readonly env: NodeJS.ProcessEnv;
  /** Where the hashes of approved tools are. */
  readonly pinFile?: PinFile;
}

/** The same for a text that has been read. */
export function parseServers(text: string, { from, env, pinFile }: Place): ServersFile {
  const servers: ServerConfig[] = [];
  const refused = new Map<string, string>();
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(membersOf(text, from))) {
    const entry = new ServerEntry(name, env, pinFile);
    const config = entry.read(value);
    const say = (lines: readonly string[]): string[] => lines.map((line) => `${from}: server "${name}": ${line}`);
    if (config !== undefined) servers.push(config);
    if (entry.mistakes.length > 0) refused.set(name, say(entry.mistakes).join('\n'));
    warnings.push(...say(entry.warnings));
  }
  const mistakes = [...refused.values()];
  if (servers.length === 0 && mistakes.length > 0) throw new ConfigError(mistakes.join('\n'));
  return { servers, refused, warnings: [...warnings, ...mistakes.map((line) => `${line} (it is left out)`)] };
}

// A record of zod would drop a server with the name `__proto__`, without a word.
const entries = z.custom<Record<string, unknown>>(isJsonObject);
const file = z.union([
  z.object({ mcpServers: entries }).transform(({ mcpServers }) => mcpServers),
  z.object({ servers: entries }).transform(({ servers }) => servers),
  z.object({ mcp: z.object({ servers: entries }) }).transform(({ mcp }) => mcp.servers),
]);

function membersOf(text: string, from: string): Record<string, unknown> {
  let json: unknown;
  try {
    // Some editors write a byte order mark.
    json = JSON.parse(stripJsonComments(text.replace(/^\uFEFF/, ''), { trailingCommas: true }));
  } catch (error) {
    throw new ConfigError(`${from}: must be JSON${placeInJson(error)}`);
  }
  const parsed = file.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new ConfigError(`${from}: must have a member "mcpServers" or "servers", an object with the servers by their names`);
}
