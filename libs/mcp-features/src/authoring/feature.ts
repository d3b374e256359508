import type { ClientCapability } from './client-capability.js';
import type { Prompt } from './define-prompt.js';
import type { ResourceTemplate } from './define-resource-template.js';
import type { Resource } from './define-resource.js';
import type { SessionJob } from './define-session-job.js';
import type { Tool } from './tool.js';

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

/** Anything that a module of features may export. */
export type Feature = Tool | Prompt | Resource | ResourceTemplate | SessionJob;
