/** Servers of an agent for tests, and what they say. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openServers, type OpenServers } from '@longhaul/agent';
import { type ConnectedServer, parseServers, type ServerConfig, type ServerEvent, type ServerHandlers } from '@longhaul/servers';
import { waitUntil } from '../../support/wait-until.js';

/** The entry file of the server that tests have for this. */
const STDIO_SERVER = fileURLToPath(new URL('stdio-server.ts', import.meta.url));

/** The servers of a file with this content. */
function configs(mcpServers: Readonly<Record<string, object>>, env: NodeJS.ProcessEnv = {}): readonly ServerConfig[] {
  return parseServers(JSON.stringify({ mcpServers }), { from: 'servers.json', env }).servers;
}

/** A place where servers are opened, and disconnected at the end of the test. */
export class ServersPlace {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul-servers-')));
  readonly events: ServerEvent[] = [];
  readonly #open: OpenServers[] = [];

  async open(mcpServers: Readonly<Record<string, object>>, handlers: ServerHandlers = {}): Promise<OpenServers> {
    const opened = await openServers(configs(mcpServers), { report: (event) => void this.events.push(event), ...handlers });
    this.#open.push(opened);
    return opened;
  }

  /** One server. */
  async one(entry: object, handlers: ServerHandlers = {}): Promise<ConnectedServer> {
    const [server] = (await this.open({ tested: entry }, handlers)).servers;
    if (server === undefined) throw new Error('No server is open.');
    return server;
  }

  /** The server that tests have for this, as an entry of a file. */
  stdio({ env = {}, ...more }: Readonly<Record<string, unknown>> = {}): object {
    return { command: process.execPath, args: [STDIO_SERVER], ...more, env: { NOTES: this.#notes, ...(env as object) } };
  }

  /** Waits until the server has noted this. */
  async noted(line: string): Promise<void> {
    await waitUntil(() => this.#read().includes(`${line}\n`), { description: `the server notes "${line}"` });
  }

  /** Those of one type, oldest first. */
  reported<T extends ServerEvent['type']>(type: T): Extract<ServerEvent, { type: T }>[] {
    return this.events.filter((event): event is Extract<ServerEvent, { type: T }> => event.type === type);
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.map((opened) => opened.close()));
    rmSync(this.folder, { recursive: true, force: true });
  }

  get #notes(): string {
    return join(this.folder, 'notes');
  }

  #read(): string {
    try {
      return readFileSync(this.#notes, 'utf8');
    } catch {
      return '';
    }
  }
}
