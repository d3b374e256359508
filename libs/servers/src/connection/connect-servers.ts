import type { ServerConfig } from '../config/server-config.js';
import { connectServer } from './connect-server.js';
import type { ConnectedServer } from './connected-server.js';
import type { ServerHandlers } from './server-handlers.js';

/** Servers that are connected. */
export interface ConnectedServers {
  readonly servers: readonly ConnectedServer[];
  /** Those that could not be connected. */
  readonly failures: readonly Error[];
  /** Disconnects all. Resolves when no process is left. */
  close(): Promise<void>;
}

/**
 * Connects servers, all at the same time. One that cannot be connected is left out, and reported as a warning.
 *
 * @throws ServerStartError if no server can be connected, AggregateError if there are several
 */
export async function connectServers(configs: readonly ServerConfig[], handlers: ServerHandlers = {}): Promise<ConnectedServers> {
  const outcomes = await Promise.allSettled(configs.map((config) => connectServer(config, handlers)));
  const servers = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error] : []));
  const [first] = failures;
  if (first !== undefined && servers.length === 0)
    throw failures.length === 1 ? first : new AggregateError(failures, failures.map(({ message }) => message).join('\n'));
  for (const [index, outcome] of outcomes.entries())
    if (outcome.status === 'rejected')
      handlers.report?.({ type: 'warning', server: configs[index]?.name ?? '', message: (outcome.reason as Error).message });
  return {
    servers,
    failures,
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}
