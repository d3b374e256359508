/**
 * The resources whose changes clients want to know. No server is asked about more than fit on a connection. So that nobody can fill them with
 * URIs of its own, whichever tenant has most of them loses its oldest.
 */
import { tenantOf } from '@longhaul/tasks';

/** As many as one connection follows. */
const MAX_WATCHED = 1_000;

export class WatchedResources {
  /** By tenant, the oldest first. */
  readonly #of = new Map<string, Set<string>>();
  #count = 0;

  constructor(private readonly most = MAX_WATCHED) {}

  get uris(): readonly string[] {
    const all = new Set<string>();
    for (const uris of this.#of.values()) for (const uri of uris) all.add(uri);
    return [...all];
  }

  /** @param account of the client @returns a resource that is not watched any more, if another one had to go */
  add(uri: string, account: string): string | undefined {
    const tenant = tenantOf(account);
    const uris = this.#of.get(tenant) ?? new Set();
    this.#of.set(tenant, uris);
    this.#count += uris.delete(uri) ? 0 : 1;
    uris.add(uri);
    if (this.#count <= this.most) return undefined;
    const gone = this.#removeOldest();
    return gone !== undefined && this.#has(gone) ? undefined : gone;
  }

  #removeOldest(): string | undefined {
    let [heaviest, most]: readonly [string, ReadonlySet<string>] = ['', new Set()];
    for (const [tenant, uris] of this.#of) if (uris.size > most.size) [heaviest, most] = [tenant, uris];
    const [oldest] = most;
    if (oldest === undefined) return undefined;
    this.#count -= 1;
    this.#of.get(heaviest)?.delete(oldest);
    if (most.size === 0) this.#of.delete(heaviest);
    return oldest;
  }

  #has(uri: string): boolean {
    for (const uris of this.#of.values()) if (uris.has(uri)) return true;
    return false;
  }
}
