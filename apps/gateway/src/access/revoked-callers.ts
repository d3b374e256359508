/**
 * Knows the revoked callers, and notifies their open streams. It reads them once a second, so that no request waits for it; while the store
 * is unreachable it uses the last known ones.
 */
import type { Principal } from '@longhaul/sessions/gateway';
import type { Withholding } from '../sessions/sessions.js';
import { callerOfOwner, RevocationIndex, type Revocations, REVOKED_WITHIN_MS } from '@longhaul/sessions';

const LOOK_MS = 1_000;

/** The parts of it. */
export interface RevokedCallersOptions {
  readonly revocations: Pick<Revocations, 'all'>;
  readonly onError: (error: unknown) => void;
}

export class RevokedCallers implements Withholding {
  #index = new RevocationIndex([]);
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  readonly #open = new Map<() => void, Principal>();

  constructor(private readonly options: RevokedCallersOptions) {}

  /** Reads them for the first time. @throws TaskError `STORE_UNAVAILABLE` */
  async start(): Promise<void> {
    await this.#look();
    this.#again();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Whether the token is revoked. A token without an issue time counts as issued before. */
  isRevoked(principal: Principal): boolean {
    return this.#index
      .of(principal)
      .some(({ issuedBefore }) => issuedBefore === undefined || (principal.issuedAt ?? -Infinity) < issuedBefore);
  }

  withheldUntil(owner: string): number | undefined {
    if (this.#index.isEmpty) return undefined;
    const caller = callerOfOwner(owner);
    const found = caller === undefined ? [] : this.#index.of(caller);
    return found.length === 0 ? undefined : Math.max(...found.map(({ at }) => at)) + REVOKED_WITHIN_MS;
  }

  /** Calls the listener when the caller is revoked. @returns a function that removes it */
  watch(principal: Principal, listener: () => void): () => void {
    this.#open.set(listener, principal);
    return () => this.#open.delete(listener);
  }

  async #look(): Promise<void> {
    this.#index = new RevocationIndex(await this.options.revocations.all());
    if (this.#index.isEmpty) return;
    for (const [listener, principal] of this.#open)
      if (this.isRevoked(principal)) {
        this.#open.delete(listener);
        listener();
      }
  }

  #again(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      void this.#look()
        .catch(this.options.onError)
        .finally(() => this.#again());
    }, LOOK_MS).unref();
  }
}
