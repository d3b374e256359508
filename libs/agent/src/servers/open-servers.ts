import {
  type ApprovalPolicy,
  askBefore,
  type ConnectedServers,
  connectServers,
  type ServerConfig,
  type ServerHandlers,
} from '@longhaul/servers';
import { mergedToolbox } from '../tools/merged-toolbox.js';
import type { AgentTool, Toolbox } from '../tools/toolbox.js';
import { serverToolbox } from './server-toolbox.js';

/** Servers that are connected, as an agent uses them. */
export interface OpenServers extends ConnectedServers {
  /** Their tools, under names that are unique and fit for a model; to be wrapped by `withApproval`. */
  readonly toolbox: Toolbox;
  /** When a person must approve a call of this tool. */
  policyOf(tool: AgentTool): ApprovalPolicy;
}

/** Connects servers and merges their tools. @throws as `connectServers` */
export async function openServers(configs: readonly ServerConfig[], handlers: ServerHandlers = {}): Promise<OpenServers> {
  const connected = await connectServers(configs, handlers);
  return {
    ...connected,
    toolbox: mergedToolbox(connected.servers.map((server) => serverToolbox(server))),
    policyOf: ({ server, listed }) => askBefore(listed.name, configs.find(({ name }) => name === server) ?? { ask: 'always' }),
  };
}
