import type { ClientCapability } from '@longhaul/tasks';

/** What a feature needs; where it is not met, the feature is neither listed nor run. */
export interface Needs {
  /** Capabilities of the client. Default: none. */
  readonly needs?: readonly ClientCapability[] | undefined;
  /** Whether it needs a session, which there is none of in stateless mode. Default: false. */
  readonly needsSession?: boolean | undefined;
}

/** The same, with nothing left open. */
export interface StatedNeeds {
  readonly needs: readonly ClientCapability[];
  readonly needsSession: boolean;
}

/** The needs with their defaults. */
export function statedNeeds({ needs = [], needsSession = false }: Needs): StatedNeeds {
  return { needs, needsSession };
}
