/**
 * Finds the settings of each tenant in this process: first the operators' settings, then the configuration of the tenant, then the
 * configuration for all. The operators' settings are read after each change message, and every few seconds in case a message was missed; so
 * no caller waits for the store. While the store is away, the last known settings hold.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { settingsOfTenant, type TenantsConfig, type TenantSettings, tenantSettings } from '@longhaul/runtime/tenant-settings';
import { remembered, tenantOf, type TenantOverrides, type Unsubscribe } from '@longhaul/tasks';

/** How often settings are read: a change holds everywhere after this time, in practice at once. */
const LOOK_MS = 3_000;
const REMEMBERED_TENANTS = 1_000;

/** Dependencies of the tenants. */
export interface TenantsOptions {
  readonly config: TenantsConfig;
  readonly overrides: TenantOverrides;
  /** Called with an error of reading; the last known settings still hold. */
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

  /** Resolves when the operators' settings are known. @throws TaskError `STORE_UNAVAILABLE` */
  async start(): Promise<void> {
    this.#unsubscribe = await this.options.overrides.onChange(() => void this.#look());
    await this.#read();
    void this.#keepLooking();
  }

  stop(): void {
    this.#stopped.abort();
    this.#unsubscribe?.();
  }

  /** The settings of a tenant. */
  named(name: string): TenantSettings {
    return this.#of(name);
  }

  /** The settings of an owner's tenant. */
  ofOwner(owner: string): TenantSettings {
    return this.#of(tenantOf(owner));
  }

  /** The tenants with settings. All others are treated as `named('')`. */
  get names(): readonly string[] {
    return [...new Set([...Object.keys(this.options.config.tenants), ...this.#overrides.keys()])];
  }

  /** The operators' settings. */
  get overrides(): ReadonlyMap<string, TenantSettings> {
    return this.#overrides;
  }

  /** Calls `listener` whenever settings have changed. */
  onChange(listener: () => void): Unsubscribe {
    const call = (): void => listener();
    this.#listeners.add(call);
    return () => this.#listeners.delete(call);
  }

  /** Reads the operators' settings, if they have changed. @throws TaskError `STORE_UNAVAILABLE` */
  async refresh(): Promise<void> {
    // A read that was under way may have begun before the change; it reports its result to its own caller.
    await this.#looking?.catch(() => undefined);
    await (this.#looking ??= this.#read().finally(() => (this.#looking = undefined)));
  }

  /** The same, if no caller waits for it. */
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
      // Another version, which knows other settings, may have written it.
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
