import type { FeatureRegistry } from '@longhaul/mcp-features';
import type { Telemetry } from '@longhaul/runtime/telemetry';
import type { Store } from '@longhaul/sessions';
import type { TaskService } from '@longhaul/tasks';
import type { Logger } from 'pino';
import type { GatewayConfig } from './config.js';
import type { ListenAt } from './http/listen.js';
import type { Authenticate } from './rpc/caller.js';

/** The parts of a gateway. The caller closes what it opened for the gateway. */
export interface GatewayParts {
  readonly store: Store;
  readonly config: GatewayConfig;
  readonly features: FeatureRegistry;
  readonly logger: Logger;
  /** The features' instructions on how to use them, unless the configuration replaces them. */
  readonly instructions?: string | undefined;
  /** Where it listens. @defaultValue the configured address */
  readonly at?: ListenAt;
  /** Finds who makes a request. @defaultValue by the configured tokens and issuers; without any, everyone is let in */
  readonly authenticate?: Authenticate;
  /** Where traces and metrics go. Absent: nowhere. */
  readonly telemetry?: Telemetry | undefined;
  /** Whether the gateway's own worker ends again and again. Absent: nothing is known about workers. */
  readonly isWorkerFailing?: (() => boolean) | undefined;
  /** Used unchanged. @defaultValue the store's service, with the configured limits, and with traces in its questions */
  readonly tasks?: TaskService;
}
