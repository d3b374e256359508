import type { ClientCapability } from '@longhaul/tasks';

/** The client lacks a capability that a feature needs. Each generation of the protocol has its own code for that. */
export class CapabilitiesMissing extends Error {
  override readonly name = 'CapabilitiesMissing';

  /** @param what names the feature, as in `Tool echo` */
  constructor(
    what: string,
    readonly missing: readonly ClientCapability[],
  ) {
    super(`${what} needs capabilities that the client has not declared: ${missing.join(', ')}`);
  }
}
