import { mergedToolbox } from '../tools/merged-toolbox.js';
import type { AgentTool, Toolbox } from '../tools/toolbox.js';
import type { ApprovalPolicy } from '../tools/approval.js';
import { connectServer } from './connect-server.js';
import type { ConnectedServer } from './connected-server.js';
import { askBefore, type ServerConfig } from './server-config.js';
import type { ServerHandlers } from './server-handlers.js';
import { serverToolbox } from './server-toolbox.js';

/** Servers that are connected. */
export interface OpenServers {
  readonly servers: readonly ConnectedServer[];
  /** Their tools, under names that are unique and fit for a model; to be wrapped by `withApproval`. */
  readonly toolbox: Toolbox;
  /** When a person must approve a call of this tool. */
  policyOf(tool: AgentTool): ApprovalPolicy;
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
export async function openServers(configs: readonly ServerConfig[], handlers: ServerHandlers = {}): Promise<OpenServers> {
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
    toolbox: mergedToolbox(servers.map((server) => serverToolbox(server))),
    policyOf: ({ server, listed }) => askBefore(listed.name, configs.find(({ name }) => name === server) ?? { ask: 'always' }),
    failures,
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}
