/**
 * Bounds how many calls a server, a tool and a tenant have at once within requests. So a slow server leaves room for the calls of the
 * others. In a deployment the limit holds over all gateways. Tasks have the same limits over all workers: see `sharedLimit`.
 */
import type { ProcessParts, RequestContext } from '@longhaul/mcp-features';
import type { ServerConfig, ToolSettings } from '@longhaul/servers';
import type { AllotmentRequest } from '@longhaul/sessions';
import type { Unsubscribe } from '@longhaul/tasks';
import { NoPlace, SharedPlaces } from './shared-places.js';

/** Of a server for which the file says nothing. */
export const DEFAULT_MAX_RUNNING = 32;
/** Calls that wait for one server, or for one tool. */
const MAX_WAITING = 1_000;
/** How often each process asks for the places that it needs. */
const LOOK_MS = 500;
/** The places of a process that has died are free after this time. */
const LEASE_MS = 10_000;
/** How long a call that must be refused waits for another process to give back unused places. */
const REFUSED_AFTER_MS = 250;
const CHANNEL = 'proxied-calls';

/** As many calls run as may, and this one does not wait. It was not made. */
export class ServerBusy extends Error {
  override readonly name = 'ServerBusy';
}

/** A call, and what the file says of it. */
export interface LimitedCall {
  readonly config: ServerConfig;
  readonly tool?: string | undefined;
  readonly settings?: Pick<ToolSettings, 'maxRunning' | 'whenBusy'> | undefined;
  /** The limit of the caller's tenant, if there is one. */
  readonly tenant?: RequestContext['tenant'];
}

/** A limit, and its owner. */
interface Limited {
  /** In messages. */
  readonly name: string;
  /** Among all that have limits. */
  readonly key: string;
  readonly most: number;
}

export class CallLimits {
  readonly #places = new Map<string, SharedPlaces>();
  #deployment: ProcessParts | undefined;
  #unsubscribe: Unsubscribe | undefined;
  #looking: NodeJS.Timeout | undefined;
  #isStoreAway = false;
  #isClosed = false;

  /** @param leaseMs for how long places are had without asking again */
  constructor(private readonly leaseMs = LEASE_MS) {}

  /** Has the limits hold over all processes of the deployment. @throws TaskError `STORE_UNAVAILABLE` */
  async join(deployment: ProcessParts): Promise<void> {
    const { process, store } = deployment;
    this.#unsubscribe = await store.featureSignals.subscribe(CHANNEL, (message) => {
      const { from, key } = JSON.parse(message ?? '{}') as { readonly from?: string; readonly key?: string };
      if (from === process.id) return;
      for (const [name, places] of this.#places) if (key === undefined || key === name) void places.look(false);
    });
    this.#deployment = deployment;
  }

  /** Gives all places back. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#looking);
    this.#unsubscribe?.();
    await Promise.all([...this.#places.keys()].map((key) => this.#take(key, { limit: 0, used: 0, wanted: 0 }).catch(() => undefined)));
  }

  /** Runs it when it may. @throws ServerBusy; the reason of the signal, which ends the wait */
  async during<T>({ config, tool, settings = {}, tenant }: LimitedCall, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
    const { maxRunning = DEFAULT_MAX_RUNNING } = config;
    const whenBusy = settings.whenBusy ?? config.whenBusy ?? 'wait';
    const ofServer = { name: `The server "${config.name}"`, key: JSON.stringify([config.name]), most: maxRunning };
    const ofTool = { name: `The tool ${tool} of the server "${config.name}"`, key: JSON.stringify([config.name, tool]) };
    // A call that waits for its tenant takes nothing from other tenants, and one that waits for its tool nothing from other tools.
    const limits: readonly Limited[] = [
      ...(tenant === undefined ? [] : [{ name: 'Your tenant', key: `tenant ${tenant.key}:${tenant.maxRunning}`, most: tenant.maxRunning }]),
      ...(settings.maxRunning === undefined ? [] : [{ ...ofTool, most: settings.maxRunning }]),
      ofServer,
    ];
    const leaves: (() => void)[] = [];
    try {
      for (const limited of limits) leaves.push(await this.#enter(limited, whenBusy === 'refuse', signal));
      return await run();
    } finally {
      for (const leave of leaves) leave();
    }
  }

  async #enter({ name, key, most }: Limited, isHasty: boolean, signal: AbortSignal): Promise<() => void> {
    const places = this.#placesOf(key, most);
    const busy = (cause?: unknown): ServerBusy =>
      new ServerBusy(`${name} has ${most} calls running, which is the limit (maxRunning). The call was not made; try again later.`, {
        cause,
      });
    if (places.waiting >= MAX_WAITING) throw busy();
    try {
      return await places.enter(signal, isHasty ? this.#hastyMs : undefined);
    } catch (error) {
      throw error instanceof NoPlace ? busy(error) : error;
    }
  }

  get #hastyMs(): number {
    return this.#deployment === undefined ? 0 : REFUSED_AFTER_MS;
  }

  #placesOf(key: string, limit: number): SharedPlaces {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const made = new SharedPlaces({
      limit,
      take: (wish) => this.#take(key, wish),
      onChange: () => this.#tell(key),
      onError: (error) => this.#note(error),
    });
    this.#places.set(key, made);
    this.#looking ??= setInterval(() => this.#lookAtAll(), LOOK_MS).unref();
    return made;
  }

  async #take(key: string, wish: Pick<AllotmentRequest, 'limit' | 'used' | 'wanted'>) {
    if (this.#deployment === undefined) {
      const places = wish.wanted === 0 ? 0 : wish.limit;
      return { places, fair: places, isShort: false };
    }
    const { process, store } = this.#deployment;
    const taken = await store.allotments.take({ ...wish, name: `${CHANNEL}:${key}`, process: process.id, leaseMs: this.leaseMs });
    this.#isStoreAway = false;
    return taken;
  }

  #tell(key: string): void {
    if (this.#deployment === undefined) return;
    const { process, store } = this.#deployment;
    store.featureSignals.publish(CHANNEL, JSON.stringify({ from: process.id, key })).catch((error: unknown) => this.#note(error));
  }

  #note(error: unknown): void {
    if (this.#isStoreAway) return;
    this.#isStoreAway = true;
    this.#deployment?.warn(`Limits of calls hold in each process for itself: ${error instanceof Error ? error.message : String(error)}`);
  }

  #lookAtAll(): void {
    for (const [key, places] of this.#places) {
      if (places.isIdle) this.#places.delete(key);
      else void places.look(true);
    }
    if (this.#places.size > 0 && !this.#isClosed) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }
}
