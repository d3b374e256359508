import type { Principal } from '@longhaul/sessions/gateway';

/** Node's timers cannot run longer. Nothing stays open that long. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const NOTHING_TO_END = (): void => undefined;

/** Calls the listener when the token of the caller expires, or was revoked. @returns a function that removes it */
export function whenExpired(auth: Principal | undefined, listener: () => void): () => void {
  const unwatch = auth?.whenRevoked?.(listener);
  if (auth?.expiresAt === undefined) return unwatch ?? NOTHING_TO_END;
  const timer = setTimeout(listener, Math.min(Math.max(auth.expiresAt - Date.now(), 0), LONGEST_TIMER_MS)).unref();
  return () => {
    clearTimeout(timer);
    unwatch?.();
  };
}
