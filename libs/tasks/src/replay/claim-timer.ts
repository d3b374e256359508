import type { AskedOperations } from './asked-operations.js';

/** A function that takes longer than this before it asks for anything is claimed without waiting for it. */
const CLAIM_DELAY_MS = 25;

/** A replay may take this many delays: a claim that is recorded cannot be given back without a trace. */
const REPLAY_DELAYS = 40;

/**
 * Claims a pass even if its function neither returns nor asks for anything, but leaves a replay the time to find out
 * whether the code fits the record.
 *
 * @param over settles when the pass has ended, and nothing must be claimed any more
 */
export function claimInTime(
  operations: Pick<AskedOperations, 'hasDeliverable' | 'hasUnasked'>,
  over: Promise<unknown>,
  claim: () => void,
): void {
  let delays = 0;
  const timer = setInterval(() => {
    delays += 1;
    if (operations.hasDeliverable || (operations.hasUnasked && delays < REPLAY_DELAYS)) return;
    clearInterval(timer);
    claim();
  }, CLAIM_DELAY_MS);
  const stop = (): void => clearInterval(timer);
  void over.then(stop, stop);
}
