import type { FeatureRegistry } from '@longhaul/mcp-features';
import type { Telemetry } from '@longhaul/runtime/telemetry';
import type { Store } from '@longhaul/sessions';
import type { TaskService } from '@longhaul/tasks';
import type { Logger } from 'pino';
import type { GatewayConfig } from './config.js';
import type { ListenAt } from './http/listen.js';
import type { Authenticate } from './rpc/caller.js';

/** What a gateway is made of. What was opened for it stays its caller's to close. */
export interface GatewayParts {
  readonly store: Store;
  readonly config: GatewayConfig;
  readonly features: FeatureRegistry;
  readonly logger: Logger;
  /** What the features say of how to use them, unless the configuration says something else. */
  readonly instructions?: string | undefined;
  /** Where it listens. @defaultValue the address of the configuration */
  readonly at?: ListenAt;
  /** Who makes a request. @defaultValue whom the tokens and issuers of the configuration name; without any, everyone is let in */
  readonly authenticate?: Authenticate;
  /** Where traces and metrics go. Absent: nowhere. */
  readonly telemetry?: Telemetry | undefined;
  /** Whether the worker that is kept beside it ends again and again. Absent: nothing is known of workers. */
  readonly isWorkerFailing?: (() => boolean) | undefined;
  /** Taken as they are. @defaultValue those of the store, under the limits of the configuration, with traces in what they ask */
  readonly tasks?: TaskService;
}
