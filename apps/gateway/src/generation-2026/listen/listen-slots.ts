/**
 * Counts the open streams of `subscriptions/listen` in this process, by account: neither one caller nor one tenant's callers together can
 * take all slots.
 */
import { tenantOf } from '@longhaul/tasks';
import { refusalOf, tooManyListenStreams } from '../../rpc/errors.js';

/** Streams of all callers. */
const MAX_STREAMS = 1_024;
/** The share of one tenant's callers together, unless the share of a single caller is larger. */
const TENANT_SHARE = 1 / 4;

export class ListenSlots {
  readonly #ofAccounts = new Map<string, number>();
  readonly #ofTenants = new Map<string, number>();
  #all = 0;

  /** @param shareOf the number of streams of an account */
  constructor(
    private readonly shareOf: (account: string) => number,
    private readonly most = MAX_STREAMS,
  ) {}

  /**
   * Takes a slot for a stream.
   *
   * @param account a known caller, or the address of an anonymous one
   * @returns a function that gives the slot back; further calls do nothing
   * @throws Refusal 429 when the account or its tenant has its share, 503 when all slots are taken
   */
  take(account: string): () => void {
    if (this.#all >= this.most) throw refusalOf(tooManyListenStreams(this.most, 'gateway'));
    const share = this.shareOf(account);
    if ((this.#ofAccounts.get(account) ?? 0) >= share) throw refusalOf(tooManyListenStreams(share, 'owner'));
    const tenant = tenantOf(account);
    const shareOfTenant = Math.max(share, Math.floor(this.most * TENANT_SHARE));
    if ((this.#ofTenants.get(tenant) ?? 0) >= shareOfTenant) throw refusalOf(tooManyListenStreams(shareOfTenant, 'tenant'));
    this.#count(account, tenant, 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.#count(account, tenant, -1);
      isTaken = false;
    };
  }

  #count(account: string, tenant: string, by: 1 | -1): void {
    this.#all += by;
    add(this.#ofAccounts, account, by);
    add(this.#ofTenants, tenant, by);
  }
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
