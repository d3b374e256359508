import type { ClientCapability } from '@longhaul/tasks';
import { checkedScopes } from '@longhaul/runtime/scopes';

/** The needs of a feature. If they are not met, the feature is neither listed nor run. */
export interface Needs {
  /** Capabilities of the client. Default: none. */
  readonly needs?: readonly ClientCapability[] | undefined;
  /** Whether it needs a session, which there is none of in stateless mode. Default: false. */
  readonly needsSession?: boolean | undefined;
  /** Scopes that the caller's token must have, all of them. They mean nothing where tokens have none. Default: none. */
  readonly scopes?: readonly string[] | undefined;
}

/** The same, with nothing left open. */
export interface StatedNeeds {
  readonly needs: readonly ClientCapability[];
  readonly needsSession: boolean;
  readonly scopes: readonly string[];
}

/** The needs with their defaults. @throws TypeError for what is no scope */
export function statedNeeds({ needs = [], needsSession = false, scopes = [] }: Needs): StatedNeeds {
  return { needs, needsSession, scopes: checkedScopes(scopes) };
}
