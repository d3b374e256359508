/**
 * What is attacked: a Redis, two gateways on ports that they keep, three workers. Whatever is killed is
 * started again at once, and tried again while Redis is away, as a process manager does.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AppProcess, freeze, killApp, startApp } from '../support/chaos-process.js';
import { freePort } from '../../bench/src/free-port.js';
import { ChaosRedis } from '../support/chaos-redis.js';
import { LEDGER_VARIABLE } from './features.js';

/** Prefix of all keys. */
export const PREFIX = 'chaos';

const GATEWAYS = 2;
const WORKERS = 3;
/** Starts of one process in a row; Redis is away for as long as some of them take. */
const MAX_TRIES = 30;
const FEATURES = fileURLToPath(new URL('./features.ts', import.meta.url));

/** A place for a process, and the one that is in it now. */
class Slot {
  current: AppProcess | undefined;
  frozen = false;
  #closed = false;

  constructor(
    private readonly app: 'gateway' | 'worker',
    private readonly log: string,
    private readonly env: Readonly<Record<string, string>>,
    private readonly onCrash: (text: string) => void,
  ) {}

  /** Starts processes until one is ready, as long as that may be for want of Redis. */
  async fill(): Promise<void> {
    for (let tries = 1; this.current === undefined && !this.#closed; tries++) {
      if (tries > MAX_TRIES) return this.onCrash(`${this.app} does not start: see ${this.log}`);
      const started = await startApp({ app: this.app, env: this.env, log: this.log });
      if (started === undefined) continue;
      if (this.#closed) await killApp(started);
      else this.current = started;
      started.child.once('exit', (code, signal) => {
        if (this.current === started) this.onCrash(`${this.app} ${started.pid} ended by itself: ${String(signal ?? code)}`);
      });
    }
  }

  async kill(): Promise<void> {
    const killed = this.current;
    this.current = undefined;
    if (killed !== undefined) await killApp(killed);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.kill();
  }
}

/** The processes of a run. */
export class Cluster {
  readonly crashes: string[] = [];
  readonly ledger: string;
  readonly #gateways: readonly Slot[];
  readonly #workers: readonly Slot[];
  readonly #urls: readonly string[];
  readonly #work = new Set<Promise<unknown>>();

  private constructor(
    readonly redis: ChaosRedis,
    ports: readonly number[],
  ) {
    this.ledger = join(redis.folder, 'ledger');
    const env = {
      REDIS_URL: redis.url,
      LONGHAUL_KEY_PREFIX: PREFIX,
      LONGHAUL_FEATURES: FEATURES,
      LONGHAUL_DRAIN_MS: '1000',
      [LEDGER_VARIABLE]: this.ledger,
    };
    const slot = (app: 'gateway' | 'worker', index: number, more: Readonly<Record<string, string>> = {}): Slot =>
      new Slot(app, join(redis.folder, `${app}-${index}.log`), { ...env, ...more }, (text) => this.crashes.push(text));
    this.#gateways = ports.map((port, index) => slot('gateway', index, { PORT: String(port) }));
    this.#workers = Array.from({ length: WORKERS }, (_, index) => slot('worker', index));
    this.#urls = ports.map((port) => `http://127.0.0.1:${port}/mcp`);
  }

  /** Starts everything. */
  static async start(): Promise<Cluster> {
    const ports: number[] = [];
    while (ports.length < GATEWAYS) ports.push(await freePort());
    const cluster = new Cluster(await ChaosRedis.start(), ports);
    await Promise.all([...cluster.#gateways, ...cluster.#workers].map((slot) => slot.fill()));
    if (cluster.crashes.length === 0) return cluster;
    await cluster.close({ keepFolder: true });
    throw new Error(cluster.crashes.join('\n'));
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

  /** Ends everything, also what is stopped. */
  async close(options?: { keepFolder: boolean }): Promise<void> {
    await Promise.all([...this.#gateways, ...this.#workers].map((slot) => slot.close()));
    await this.redis.close(options);
  }

  #track(work: Promise<unknown>): void {
    this.#work.add(work);
    void work.finally(() => this.#work.delete(work));
  }
}
