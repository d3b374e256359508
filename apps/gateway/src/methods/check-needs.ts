import { type ClientCapability, missingCapabilities } from '@longhaul/mcp-features';
import { invalidParams } from '../errors.js';
import type { Session } from '../sessions/session.js';

/**
 * What needs more of the client than it offers is not listed to it; a request that names it anyway is told why.
 *
 * @param what the feature, as in `Tool echo`
 * @throws ProtocolError -32602
 */
export function checkNeeds(what: string, needs: readonly ClientCapability[], session: Session): void {
  if (needs.length === 0) return;
  const missing = missingCapabilities(needs, session.client().capabilities);
  if (missing.length > 0) throw invalidParams(`${what} needs capabilities that the client has not declared: ${missing.join(', ')}`);
}
