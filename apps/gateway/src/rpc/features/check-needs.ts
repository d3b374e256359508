import type { Requester } from '@longhaul/sessions/gateway';
import { type ClientCapability, missingCapabilities } from '@longhaul/tasks';
import { CapabilitiesMissing } from '../capabilities-missing.js';

/**
 * Refuses a feature that needs more capabilities than the client has; lists do not show it to that client, and a request that names it
 * anyway gets an error with the reason.
 *
 * @param what names the feature, as in `Tool echo`
 * @throws CapabilitiesMissing
 */
export function checkNeeds(what: string, needs: readonly ClientCapability[], requester: Requester): void {
  if (needs.length === 0) return;
  const missing = missingCapabilities(needs, requester.client().capabilities);
  if (missing.length > 0) throw new CapabilitiesMissing(what, missing);
}
