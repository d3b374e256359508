import { type ClientCapability, missingCapabilities } from '@longhaul/mcp-features';
import type { Requester } from '../requester.js';

/** The client lacks what a feature needs. Each generation of the protocol has a code of its own for that. */
export class CapabilitiesMissing extends Error {
  override readonly name = 'CapabilitiesMissing';

  /** @param what the feature, as in `Tool echo` */
  constructor(
    what: string,
    readonly missing: readonly ClientCapability[],
  ) {
    super(`${what} needs capabilities that the client has not declared: ${missing.join(', ')}`);
  }
}

/**
 * What needs more of the client than it offers is not listed to it; a request that names it anyway is told why.
 *
 * @param what the feature, as in `Tool echo`
 * @throws CapabilitiesMissing
 */
export function checkNeeds(what: string, needs: readonly ClientCapability[], requester: Requester): void {
  if (needs.length === 0) return;
  const missing = missingCapabilities(needs, requester.client().capabilities);
  if (missing.length > 0) throw new CapabilitiesMissing(what, missing);
}
