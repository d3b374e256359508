import type { Requester } from '@longhaul/sessions/gateway';
import { type ClientCapability, missingCapabilities } from '@longhaul/tasks';
import { CapabilitiesMissing } from '../capabilities-missing.js';

/**
 * What needs more of the client than it offers is not listed to it; a request that names it anyway gets an error with the reason.
 *
 * @param what the feature, as in `Tool echo`
 * @throws CapabilitiesMissing
 */
export function checkNeeds(what: string, needs: readonly ClientCapability[], requester: Requester): void {
  if (needs.length === 0) return;
  const missing = missingCapabilities(needs, requester.client().capabilities);
  if (missing.length > 0) throw new CapabilitiesMissing(what, missing);
}
