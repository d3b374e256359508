import type { ServerConfig, ServerHealth } from '@longhaul/servers';
import type { Snapshot } from './snapshot.js';

/** A server of the catalogue. */
export interface ServerStatus {
  readonly config: ServerConfig;
  /** Absent in a process that keeps no server connected, and while the server is off. */
  readonly health: ServerHealth | undefined;
  /** Its offers, or its last ones while it is away. */
  readonly snapshot: Snapshot | undefined;
}

/** A catalogue as those see it who turn servers off and on. */
export interface SteeredCatalogue {
  readonly servers: readonly ServerStatus[];
  /** Has the lists show what is off and on now. A server that is off is not connected. */
  switched(): void;
  /** Connects a server again. */
  restart(name: string): void;
}
