/** Clients of `longhaul stdio`: the SDK's, and one that sends and gets lines. */
import { fileURLToPath } from 'node:url';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';

import { waitUntil } from '../../support/wait-until.js';
import { ENTRY, type Launcher, type Workplace } from './launcher.js';
import { INHERITED_ENV } from '../../support/inherited-env.js';

/** The features that every process of these tests has. */
const FEATURES = fileURLToPath(new URL('features.ts', import.meta.url));

/** The settings of the processes unless a test names others. */
const SETTINGS = {
  LONGHAUL_DATA_DIR: '.longhaul',
  LONGHAUL_FEATURES: `@longhaul/everything,${FEATURES}`,
  LONGHAUL_RESEARCH_STAGE_MS: '20',
};

/** All that an undisturbed process writes to standard error: one line that says where tasks are kept. */
export const GREETING = /^Longhaul \S+ serves MCP on standard input and output; data: .*\n/;

/** How a client is set up. */
export interface StdioClientOptions {
  /** The program and its arguments. Default: the built command line. */
  readonly command?: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  readonly capabilities?: ClientCapabilities;
  readonly prepare?: (client: Client) => void;
}

/** A client of the SDK, connected to a process of its own. */
export interface StdioClient {
  readonly client: Client;
  readonly pid: number;
  /** What was written to standard output without being a message, among others. */
  readonly errors: readonly Error[];
  stderr(): string;
  /** Asks the process to end as the SDK does: by the end of its input first. */
  close(): Promise<void>;
}

/** Starts the process and connects. */
export async function connectStdio(place: Workplace, options: StdioClientOptions = {}): Promise<StdioClient> {
  const {
    command: [command, ...args] = [process.execPath, ENTRY, 'stdio'],
    env = {},
    capabilities = {},
    prepare = () => undefined,
  } = options;
  const transport = new StdioClientTransport({
    command,
    args,
    cwd: place.folder,
    env: { ...INHERITED_ENV, HOME: place.folder, TMPDIR: place.folder, ...SETTINGS, ...env },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const errors: Error[] = [];
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  client.onerror = (error) => errors.push(error);
  prepare(client);
  await client.connect(transport);
  const pid = transport.pid ?? -1;
  place.family({ pid });
  return { client, pid, errors, stderr: () => stderr, close: () => client.close() };
}

/** A message, as far as tests look into it. */
export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** `longhaul stdio` to a test that sends lines itself. */
export class StdioLines {
  readonly launcher: Launcher;

  constructor(place: Workplace, env: NodeJS.ProcessEnv = {}) {
    this.launcher = place.runWithInput(['stdio'], { TMPDIR: place.folder, ...SETTINGS, ...env });
  }

  send(...messages: readonly unknown[]): void {
    for (const message of messages) this.launcher.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  /** Begins a session. */
  async open(protocolVersion = '2025-11-25', capabilities: object = {}): Promise<void> {
    const params = { protocolVersion, capabilities, clientInfo: { name: 'test', version: '1' } };
    this.send({ jsonrpc: '2.0', id: 'init', method: 'initialize', params }, { jsonrpc: '2.0', method: 'notifications/initialized' });
    await this.answer('init');
  }

  /** What has come so far. @throws SyntaxError when something else than JSON has come */
  received(): readonly Message[] {
    return this.launcher
      .stdout()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Message);
  }

  /** The first message for which the condition holds, when it comes. */
  message(condition: (message: Message) => boolean, description: string): Promise<Message> {
    return waitUntil(() => this.received().find(condition), { description });
  }

  /** The answer to a request, when it comes. */
  answer(id: unknown): Promise<Message> {
    return this.message((message) => message.id === id && message.method === undefined, `${JSON.stringify(id)} is answered`);
  }

  /** Sends a request, and waits for its answer. */
  call(id: unknown, method: string, params: object = {}): Promise<Message> {
    this.send({ jsonrpc: '2.0', id, method, params });
    return this.answer(id);
  }
}
