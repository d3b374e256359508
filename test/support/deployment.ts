/** Runs gateways and workers as separate processes, on the store of the test. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { INHERITED_ENV } from './inherited-env.js';
import { readyMessage } from './ready-message.js';
import type { RedisLocation, TestRedis } from './redis.js';
import { showIfTestFails } from './server-output.js';
import { openTestStore, redisOf, type TestStore } from './stores/test-store.js';

const ROOT = new URL('../../', import.meta.url).pathname;

/** The settings of the processes, except the store's. */
export type Environment = Readonly<Record<string, string>>;

/** A started process. */
export interface Process {
  readonly child: ChildProcess;
  /** Address of the endpoint, of a gateway. */
  readonly url: string;
  /** Whether it has not ended. */
  runs(): boolean;
  /** Ends it without a chance to clean up. */
  kill(): Promise<void>;
  /** Asks it to end, and waits until it has. @returns its exit code */
  stop(): Promise<number | null>;
}

/** A set of processes that share one store. */
export class Deployment {
  readonly #processes = new Set<Process>();
  readonly #clients = new Set<Client>();

  private constructor(
    readonly store: TestStore,
    private readonly env: Environment,
  ) {}

  /** @param location of a Redis other than the test runner's */
  static create(env: Environment = {}, location?: RedisLocation): Deployment {
    return new Deployment(openTestStore(location), env);
  }

  /** For a test of what only Redis has. */
  get redis(): TestRedis {
    return redisOf(this.store);
  }

  /** @param execArgv options of Node @param root the folder of the built code */
  gateway(env: Environment = {}, execArgv: readonly string[] = [], root = ROOT): Promise<Process> {
    return this.#start(`${root}apps/gateway/dist/main.js`, { PORT: '0', ...env }, execArgv);
  }

  /** As `gateway` does. */
  worker(env: Environment = {}, execArgv: readonly string[] = [], root = ROOT): Promise<Process> {
    return this.#start(`${root}apps/worker/dist/main.js`, env, execArgv);
  }

  /** A stock client of the SDK, connected. */
  async client(url: string, capabilities: ClientCapabilities = {}, prepare: (client: Client) => void = () => undefined): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' }, { capabilities });
    prepare(client);
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    this.#clients.add(client);
    return client;
  }

  /** Disconnects the clients. */
  async closeClients(): Promise<void> {
    await Promise.all([...this.#clients].map((client) => client.close()));
    this.#clients.clear();
  }

  /** Ends everything that is left. */
  async close(): Promise<void> {
    await this.closeClients();
    await Promise.all([...this.#processes].map((process) => process.kill()));
    await this.store.close();
  }

  async #start(main: string, env: Environment, execArgv: readonly string[]): Promise<Process> {
    const child = fork(main, {
      env: {
        ...INHERITED_ENV,
        ...this.store.env,
        LOG_LEVEL: 'warn',
        ...this.env,
        ...env,
      },
      execArgv: [...execArgv],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    showIfTestFails(child);
    const exited = once(child, 'exit');
    const ready = await Promise.race([
      readyMessage(child),
      exited.then(([code]) => Promise.reject(new Error(`${main} ended with ${String(code)}.`))),
    ]);
    const end = async (signal: NodeJS.Signals): Promise<number | null> => {
      this.#processes.delete(started);
      child.kill(signal);
      await exited;
      return child.exitCode;
    };
    const started: Process = {
      child,
      url: String(ready.url),
      runs: () => child.exitCode === null && child.signalCode === null,
      kill: async () => void (await end('SIGKILL')),
      stop: () => end('SIGTERM'),
    };
    this.#processes.add(started);
    return started;
  }
}
