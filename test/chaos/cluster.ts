/**
 * What is attacked: a Redis or a data file, two gateways on ports that they keep, three workers. What is killed is
 * started again at once, and tried again while a Redis is away, as a process manager does.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@longhaul/bench/free-port';
import { type AppProcess, freeze, killApp, startApp } from '../support/chaos-process.js';
import type { ChaosRedis } from '../support/chaos-redis.js';
import { OwnStore } from '../support/stores/own-store.js';
import type { TestStore } from '../support/stores/test-store.js';
import { TestFolder } from '../support/test-folder.js';
import { LEDGER_VARIABLE } from './features.js';

const GATEWAYS = 2;
const WORKERS = 3;
/** Starts of one process in a row; a Redis is away for as long as some of them take. */
const MAX_TRIES = 30;
const FEATURES = fileURLToPath(new URL('./features.ts', import.meta.url));

/** How a run differs from the usual one. */
export interface ClusterOptions {
  /** Settings of all processes. */
  readonly env?: Readonly<Record<string, string>>;
  /** Settings of the workers alone. */
  readonly workerEnv?: Readonly<Record<string, string>>;
  /** Modules of features beside those of this folder. */
  readonly features?: readonly string[];
  /** Arguments of the server of Redis. */
  readonly redis?: readonly string[];
  /** Whether workers may end by themselves, and are started again then. */
  readonly isSupervised?: boolean;
}

/** A place for a process, and the one that is in it now. */
class Slot {
  current: AppProcess | undefined;
  frozen = false;
  /** Settings of the next process. */
  env: Readonly<Record<string, string>>;
  #closed = false;

  constructor(
    private readonly app: 'gateway' | 'worker',
    private readonly log: string,
    env: Readonly<Record<string, string>>,
    private readonly on: { crash(text: string): void; death(text: string): boolean },
  ) {
    this.env = env;
  }

  /** Starts processes until one is ready, as long as that may be for want of a Redis. */
  async fill(): Promise<void> {
    for (let tries = 1; this.current === undefined && !this.#closed; tries++) {
      if (tries > MAX_TRIES) return this.on.crash(`${this.app} does not start: see ${this.log}`);
      const started = await startApp({ app: this.app, env: this.env, log: this.log });
      if (started === undefined) continue;
      if (this.#closed) await killApp(started);
      else this.current = started;
      started.child.once('exit', (code, signal) => {
        if (this.current !== started) return;
        if (!this.on.death(`${this.app} ${started.pid} ended by itself: ${String(signal ?? code)}`)) return;
        this.current = undefined;
        void this.fill();
      });
    }
  }

  async kill(): Promise<void> {
    const killed = this.current;
    this.current = undefined;
    if (killed !== undefined) await killApp(killed);
  }

  /** Has the process end as it does in a deployment. */
  async stop(): Promise<void> {
    const stopped = this.current;
    this.current = undefined;
    stopped?.child.kill('SIGTERM');
    await stopped?.exited;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.kill();
  }
}

/** The processes of a run. */
export class Cluster {
  /** Processes that ended by themselves and should not have. */
  readonly crashes: string[] = [];
  /** Workers that ended by themselves under their supervisor. */
  readonly deaths: string[] = [];
  /** Logs, and the ledger. */
  readonly folder = new TestFolder();
  readonly ledger: string;
  readonly #gateways: readonly Slot[];
  readonly #workers: readonly Slot[];
  readonly #urls: readonly string[];
  readonly #work = new Set<Promise<unknown>>();

  private constructor(
    private readonly own: OwnStore,
    ports: readonly number[],
    { env: all = {}, workerEnv = {}, features = [], isSupervised = false }: ClusterOptions,
  ) {
    this.ledger = join(this.folder.path, 'ledger');
    const env = {
      ...own.store.env,
      LONGHAUL_FEATURES: [FEATURES, ...features].join(','),
      LONGHAUL_DRAIN_MS: '1000',
      LONGHAUL_MAX_SESSIONS_PER_HOUR: '1000000',
      LONGHAUL_MAX_OPEN_SESSIONS: '1000000',
      LONGHAUL_MAX_REQUESTS_PER_SECOND: '1000000',
      LONGHAUL_MAX_REQUEST_BURST: '1000000',
      [LEDGER_VARIABLE]: this.ledger,
      LONGHAUL_PUBLIC_URL: `http://127.0.0.1:${ports[0]}/mcp`,
      ...all,
    };
    const slot = (app: 'gateway' | 'worker', index: number, more: Readonly<Record<string, string>> = {}): Slot =>
      new Slot(
        app,
        join(this.folder.path, `${app}-${index}.log`),
        { ...env, ...more },
        {
          crash: (text) => void this.crashes.push(text),
          death: (text) => {
            const mayEnd = isSupervised && app === 'worker';
            (mayEnd ? this.deaths : this.crashes).push(text);
            return mayEnd;
          },
        },
      );
    this.#gateways = ports.map((port, index) => slot('gateway', index, { PORT: String(port) }));
    this.#workers = Array.from({ length: WORKERS }, (_, index) => slot('worker', index, workerEnv));
    this.#urls = ports.map((port) => `http://127.0.0.1:${port}/mcp`);
  }

  /** Starts everything. */
  static async start(options: ClusterOptions = {}): Promise<Cluster> {
    const ports: number[] = [];
    while (ports.length < GATEWAYS) ports.push(await freePort());
    const cluster = new Cluster(await OwnStore.start('always', options.redis), ports, options);
    await Promise.all([...cluster.#gateways, ...cluster.#workers].map((slot) => slot.fill()));
    if (cluster.crashes.length === 0) return cluster;
    await cluster.close({ keepFolder: true });
    throw new Error(cluster.crashes.join('\n'));
  }

  get store(): TestStore {
    return this.own.store;
  }

  get hasRedis(): boolean {
    return this.own.hasRedis;
  }

  /** @throws Error on a data file */
  get redis(): ChaosRedis {
    return this.own.redis;
  }

  /** The endpoints, whether their gateways are alive at the moment or not. */
  get urls(): readonly string[] {
    return this.#urls;
  }

  /** The slots whose process may be killed or stopped now. */
  targets(app: 'gateway' | 'worker'): readonly Slot[] {
    return (app === 'gateway' ? this.#gateways : this.#workers).filter((slot) => slot.current !== undefined && !slot.frozen);
  }

  /** Kills the process of a slot and starts another one. @returns the process id of the killed one */
  killAndReplace(slot: Slot): number {
    const pid = slot.current?.pid ?? 0;
    this.#track(slot.kill().then(() => slot.fill()));
    return pid;
  }

  /** Ends the process of a slot in an orderly way, and starts one with further settings in its place. */
  async roll(slot: Slot, env: Readonly<Record<string, string>>): Promise<number> {
    const pid = slot.current?.pid ?? 0;
    await slot.stop();
    slot.env = { ...slot.env, ...env };
    await slot.fill();
    return pid;
  }

  /** Stops the process of a slot for a time. @returns its process id */
  freeze(slot: Slot, seconds: number): number {
    const { current } = slot;
    if (current === undefined) return 0;
    slot.frozen = true;
    this.#track(
      freeze(current, seconds).finally(() => {
        slot.frozen = false;
      }),
    );
    return current.pid;
  }

  /** Resolves when everything that was killed or stopped is there again. */
  async whole(): Promise<void> {
    while (this.#work.size > 0) await Promise.all(this.#work);
  }

  /** Ends everything, also what is stopped. @param keepFolder leaves the logs, and what is stored */
  async close({ keepFolder = false } = {}): Promise<void> {
    await Promise.all([...this.#gateways, ...this.#workers].map((slot) => slot.close()));
    await this.own.close(keepFolder);
    if (!keepFolder) this.folder.remove();
  }

  #track(work: Promise<unknown>): void {
    this.#work.add(work);
    void work.finally(() => this.#work.delete(work));
  }
}
