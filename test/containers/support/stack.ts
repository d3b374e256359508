/** Redis, gateways, workers and the proxy on a network of their own, like in docker-compose.yml, published on 127.0.0.1. */
import { randomBytes } from 'node:crypto';
import { freePort } from '@longhaul/bench/free-port';
import { Redis } from 'ioredis';
import { getContainerRuntimeClient, Wait } from 'testcontainers';
import { waitUntil } from '../../support/wait-until.js';
import { LEDGER_MARK, type LedgerLine } from '../features.js';
import { gatewayImage, NGINX_MOUNTS, repository, runId, runLabels, secret, workerImage } from './run.js';
import { type Docker, type DockerNetwork, LockedContainer, Service } from './service.js';

/** How many there are, and their settings beside those of every stack. */
export interface StackOptions {
  readonly gateways?: number;
  readonly workers?: number;
  /** What each worker may take, bytes. @defaultValue as much as there is */
  readonly workerMemoryBytes?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** A gateway, and where this machine reaches it. */
export interface Gateway {
  readonly service: Service;
  readonly url: string;
}

/** An event as it lies in the task's stream. */
export interface StoryEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const FEATURES = '/app/features/features.ts';

/** A deployment. */
export class Stack {
  readonly gateways: Gateway[] = [];
  readonly workers: Service[] = [];
  #services: Service[] = [];
  #redis: Service | undefined;
  #reader: Redis | undefined;
  #proxyUrl = '';

  private constructor(
    readonly network: DockerNetwork,
    private readonly name: string,
    private readonly redisPort: number,
    private readonly env: Readonly<Record<string, string>>,
    private readonly workerMemoryBytes: number | undefined,
  ) {}

  /** Starts everything. Nothing is left when that fails. */
  static async start({ gateways = 2, workers = 2, env = {}, workerMemoryBytes }: StackOptions = {}): Promise<Stack> {
    const docker = await engine();
    const name = `longhaul-${runId()}-${randomBytes(3).toString('hex')}`;
    const network = await docker.createNetwork({ Name: name, Labels: runLabels() });
    await docker.createVolume({ Name: name, Labels: runLabels() });
    const stack = new Stack(network, name, await freePort(), env, workerMemoryBytes);
    try {
      await stack.startRedis();
      await Promise.all([...times(gateways, () => stack.#addGateway()), ...times(workers, () => stack.addWorker())]);
      await stack.#startProxy();
      return stack;
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  /** The endpoint behind the proxy. */
  get proxyUrl(): string {
    return this.#proxyUrl;
  }

  get redis(): Service {
    if (this.#redis === undefined) throw new Error('Redis does not run.');
    return this.#redis;
  }

  /** A connection to Redis that outlives every outage. */
  get reader(): Redis {
    if (this.#reader === undefined) throw new Error('Redis has not been started.');
    return this.#reader;
  }

  /** A Redis on the stack's volume. The one before must have been removed. */
  async startRedis(): Promise<void> {
    const container = new LockedContainer('redis:8-alpine')
      .withUser('redis')
      .withCommand(['redis-server', '--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction'])
      .withBindMounts([{ source: this.name, target: '/data' }])
      .withLoopbackPort(6379, this.redisPort)
      .withNetworkMode(this.name)
      .withNetworkAliases('redis')
      .withWaitStrategy(Wait.forLogMessage('Ready to accept connections'));
    this.#redis = await this.#keep(await container.start(), () => this.#redisAnswers());
    this.#reader ??= new Redis(this.redisPort, '127.0.0.1', { retryStrategy: () => 100, maxRetriesPerRequest: null });
    // What it reports is what the tests do to Redis.
    this.#reader.on('error', () => undefined);
    await this.#redisAnswers();
  }

  async #redisAnswers(): Promise<void> {
    await waitUntil(async () => (await this.reader.ping()) === 'PONG', { description: 'Redis answers' });
  }

  async #addGateway(): Promise<void> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/mcp`;
    const container = this.#app(gatewayImage)
      .withEnvironment({ LONGHAUL_ALLOW_ANONYMOUS: '1', LONGHAUL_SECRET: secret })
      .withLoopbackPort(3000, port)
      .withNetworkAliases('gateway')
      .withWaitStrategy(Wait.forHttp('/readyz', 3000).forStatusCode(200));
    const isReady = (): Promise<boolean> =>
      fetch(new URL('/readyz', url)).then(
        ({ ok }) => ok,
        () => false,
      );
    const ready = async (): Promise<void> => void (await waitUntil(isReady, { description: 'the gateway is ready' }));
    this.gateways.push({ service: await this.#keep(await container.start(), ready), url });
  }

  /** One more worker. */
  async addWorker(): Promise<Service> {
    const container = this.#app(workerImage).withWaitStrategy(Wait.forLogMessage('taking jobs'));
    if (this.workerMemoryBytes !== undefined) container.withMemoryLimit(this.workerMemoryBytes);
    const worker = await this.#keep(await container.start(), async (service) => {
      const startedAt = Date.parse((await service.inspect()).State.StartedAt);
      const isOfThisStart = (line: string): boolean => (JSON.parse(line) as { time: number }).time > startedAt;
      const takesJobs = async (): Promise<boolean> =>
        (await service.log()).split('\n').some((line) => line.includes('"taking jobs"') && isOfThisStart(line));
      await waitUntil(takesJobs, { description: 'the worker takes jobs' });
    });
    this.workers.push(worker);
    return worker;
  }

  #app(image: string): LockedContainer {
    return new LockedContainer(image)
      .withNetworkMode(this.name)
      .withBindMounts([{ source: `${repository}/test/containers/features.ts`, target: FEATURES, mode: 'ro' }])
      .withEnvironment({ REDIS_URL: 'redis://redis:6379', LONGHAUL_FEATURES: `@longhaul/everything,${FEATURES}`, ...this.env });
  }

  async #startProxy(): Promise<void> {
    const port = await freePort();
    const container = new LockedContainer('nginx:stable-alpine')
      .withUser('nginx')
      .withTmpFs({ '/tmp': 'mode=1777' })
      .withBindMounts(NGINX_MOUNTS)
      .withLoopbackPort(8080, port)
      .withNetworkMode(this.name)
      .withWaitStrategy(Wait.forHttp('/nginx-health', 8080).forStatusCode(204));
    await this.#keep(await container.start(), () => Promise.resolve());
    this.#proxyUrl = `http://127.0.0.1:${port}/mcp`;
  }

  async #keep(...of: Parameters<typeof Service.of>): Promise<Service> {
    const service = await Service.of(...of);
    this.#services.push(service);
    return service;
  }

  /** The stream of a task, read from Redis. */
  async story(taskId: string): Promise<readonly StoryEvent[]> {
    const entries = await this.reader.xrange(`lh:{${taskId}}:events`, '-', '+');
    return entries.map(([, fields]) => ({ type: fields[1] ?? '', data: JSON.parse(fields[3] ?? '{}') as StoryEvent['data'] }));
  }

  /** What the steps of a task wrote to the logs of all workers. */
  async ledger(taskId: string): Promise<readonly LedgerLine[]> {
    const logs = await Promise.all(this.workers.map((worker) => worker.log()));
    return logs
      .flatMap((log) => log.split('\n'))
      .filter((line) => line.startsWith(LEDGER_MARK))
      .map((line) => JSON.parse(line.slice(LEDGER_MARK.length)) as LedgerLine)
      .filter((line) => line.taskId === taskId);
  }

  /** Removes everything. */
  async stop(): Promise<void> {
    this.#reader?.disconnect();
    const docker = await engine();
    const filters = { label: [`longhaul.test-run=${runId()}`], network: [this.name] };
    const halfStarted = await docker.listContainers({ all: true, filters });
    const ids = new Set([...this.#services.map(({ container }) => container.getId()), ...halfStarted.map(({ Id }) => Id)]);
    await Promise.all([...ids].map((id) => docker.getContainer(id).remove({ force: true, v: true }).catch(ignoreMissing)));
    await this.network.remove();
    await docker.getVolume(this.name).remove();
  }
}

async function engine(): Promise<Docker> {
  return (await getContainerRuntimeClient()).container.dockerode;
}

/** A test may have removed a container itself. */
function ignoreMissing(error: unknown): void {
  if ((error as { statusCode?: number }).statusCode !== 404) throw error;
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}
