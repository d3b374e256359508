/**
 * What holds for each tenant in this process: what operators have said of it, then what the configuration says of it, then what that
 * says of all. What operators say is read when a message says that it has changed, and every few seconds should that be missed; so
 * nobody who asks waits for the store. While the store is away, what was known last holds.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { settingsOfTenant, type TenantsConfig, type TenantSettings, tenantSettings } from '@longhaul/runtime/tenant-settings';
import { remembered, tenantOf, type TenantOverrides, type Unsubscribe } from '@longhaul/tasks';

/** How often is looked: a change holds everywhere after this time, in practice at once. */
const LOOK_MS = 3_000;
const REMEMBERED_TENANTS = 1_000;

/** What tenants are known by. */
export interface TenantsOptions {
  readonly config: TenantsConfig;
  readonly overrides: TenantOverrides;
  /** Called with what keeps it from being known; what was known holds on. */
  readonly onError: (error: unknown) => void;
}

/** The tenants of a process. */
export class Tenants {
  readonly #stopped = new AbortController();
  readonly #listeners = new Set<() => void>();
  #overrides: ReadonlyMap<string, TenantSettings> = new Map();
  #change: number | undefined;
  #of = this.#remembering();
  #unsubscribe: Unsubscribe | undefined;
  #looking: Promise<void> | undefined;

  constructor(private readonly options: TenantsOptions) {}

  /** Resolves when it is known what operators have said. @throws TaskError `STORE_UNAVAILABLE` */
  async start(): Promise<void> {
    this.#unsubscribe = await this.options.overrides.onChange(() => void this.#look());
    await this.#read();
    void this.#keepLooking();
  }

  stop(): void {
    this.#stopped.abort();
    this.#unsubscribe?.();
  }

  /** What holds for a tenant. */
  named(name: string): TenantSettings {
    return this.#of(name);
  }

  /** What holds for the tenant of an owner. */
  ofOwner(owner: string): TenantSettings {
    return this.#of(tenantOf(owner));
  }

  /** Of whom something is said. All others are treated as `named('')`. */
  get names(): readonly string[] {
    return [...new Set([...Object.keys(this.options.config.tenants), ...this.#overrides.keys()])];
  }

  /** What operators have said. */
  get overrides(): ReadonlyMap<string, TenantSettings> {
    return this.#overrides;
  }

  /** Calls `listener` whenever something else holds than before. */
  onChange(listener: () => void): Unsubscribe {
    const call = (): void => listener();
    this.#listeners.add(call);
    return () => this.#listeners.delete(call);
  }

  /** Reads what operators have said, if that has changed. @throws TaskError `STORE_UNAVAILABLE` */
  async refresh(): Promise<void> {
    // One that was under way may have read before the change; what it found, it says to who began it.
    await this.#looking?.catch(() => undefined);
    await (this.#looking ??= this.#read().finally(() => (this.#looking = undefined)));
  }

  /** The same, where nobody waits for it. */
  async #look(): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    try {
      await this.refresh();
    } catch (error) {
      this.options.onError(error);
    }
  }

  async #read(): Promise<void> {
    const read = await this.options.overrides.read(this.#change);
    if (read === undefined) return;
    const overrides = new Map<string, TenantSettings>();
    for (const [name, kept] of read.tenants) {
      const { success, data, error } = tenantSettings.safeParse(kept);
      if (success) overrides.set(name, data);
      // Written by another version, which knows other settings.
      else
        this.options.onError(
          new Error(`What operators have said of tenant ${name} cannot be read, and does not hold here.`, { cause: error }),
        );
    }
    this.#change = read.change;
    this.#overrides = overrides;
    this.#of = this.#remembering();
    for (const call of this.#listeners) call();
  }

  #remembering(): (name: string) => TenantSettings {
    return remembered(REMEMBERED_TENANTS, (name) => settingsOfTenant(this.options.config, name, this.#overrides.get(name)));
  }

  async #keepLooking(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      await wait(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
      await this.#look();
    }
  }
}
