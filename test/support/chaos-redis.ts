/** Starts a Redis for one test, which may kill it. It uses AOF with `appendfsync always`, so that nothing acknowledged is lost. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@longhaul/bench/free-port';
import { type Child, followChild } from 'longhaul/testing';
import { findRedisServer, startRedisGuard } from '@longhaul/redis/testing';
import { Redis } from 'ioredis';
import { waitUntil } from './wait-until.js';

/** A server in a folder of its own. */
export class ChaosRedis {
  #server: Child | undefined;
  #client: Redis | undefined;

  private constructor(
    private readonly program: string,
    readonly folder: string,
    readonly port: number,
    private readonly settings: readonly string[],
  ) {}

  /** Starts a server, with further settings if there are any. @throws Error when there is no program for it */
  static async start(fsync: 'always' | 'everysec' = 'always', settings: readonly string[] = []): Promise<ChaosRedis> {
    const program = await findRedisServer();
    if (program === undefined) throw new Error('This test starts its own Redis: put redis-server or valkey-server (7 or newer) on PATH.');
    const folder = await mkdtemp(join(tmpdir(), 'longhaul-chaos-'));
    const redis = new ChaosRedis(program.path, folder, await freePort(), [...settings, '--appendonly', 'yes', '--appendfsync', fsync]);
    await redis.up();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** The server's process. */
  get pid(): number {
    const pid = this.#server?.pid;
    if (pid === undefined) throw new Error('Redis does not run.');
    return pid;
  }

  /** A connection of the test's own; it connects again by itself. */
  get client(): Redis {
    if (this.#client !== undefined) return this.#client;
    this.#client = new Redis(this.url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
    this.#client.on('error', () => undefined);
    return this.#client;
  }

  /**
   * Starts the server on its port with what it had written, and waits until it serves.
   *
   * @param settings in place of those that it has, for this start
   */
  async up(settings: readonly string[] = []): Promise<void> {
    const at = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.folder, '--save', ''];
    const child = spawn(this.program, [...at, ...this.settings, '--maxmemory-policy', 'noeviction', ...settings], { stdio: 'ignore' });
    this.#server = followChild('redis', child);
    startRedisGuard(this.#server);
    await waitUntil(() => this.#serves(), { description: 'Redis serves' });
  }

  /** Ends the server without a chance to write anything. */
  async kill(): Promise<void> {
    this.#server?.kill();
    await this.#server?.ended;
  }

  /** Ends everything and removes the folder, unless it is wanted. */
  async close({ keepFolder = false } = {}): Promise<void> {
    this.#client?.disconnect();
    await this.kill();
    if (!keepFolder) await rm(this.folder, { recursive: true, force: true });
  }

  async #serves(): Promise<boolean> {
    const probe = new Redis(this.url, { lazyConnect: true, retryStrategy: () => null });
    probe.on('error', () => undefined);
    try {
      await probe.connect();
      return (await probe.ping()) === 'PONG'; // An error while it still loads its log.
    } catch {
      return false;
    } finally {
      probe.disconnect();
    }
  }
}
