import type { DurableContext } from '@longhaul/mcp-features';
import { Semaphore } from '@longhaul/runtime/semaphore';
import type { AgentTool, Toolbox } from '../tools/toolbox.js';
import type { PassConnections } from '@longhaul/servers/durable';
import { RemoteCall } from '@longhaul/servers/durable';
import type { ListedServer } from '@longhaul/servers/durable';
import { ServerStates } from '@longhaul/servers/durable';
import type { StatusLine } from '@longhaul/servers/durable';
import { callResourceTool } from '../servers/resource-tools.js';
import { durableResources } from './durable-resources.js';

/** Questions of servers that are before the client at the same time: fewer than a task may ask at once. */
const RELAYED_AT_ONCE = 24;

/** The parts that calls of a task's tools need. */
export interface DurableToolboxOptions {
  readonly context: DurableContext;
  readonly status: StatusLine;
  readonly connections: PassConnections;
  readonly servers: readonly ListedServer[];
  /** Under the names that the model knows. */
  readonly tools: readonly AgentTool[];
  /** The server of the agent's own tools. */
  readonly own: string;
}

/** The tools of servers, as a task calls them: what acts is recorded, and what is not known after a crash is not repeated. */
export function createDurableToolbox({ context, status, connections, servers, tools, own }: DurableToolboxOptions): Toolbox {
  const states = new ServerStates();
  const relays = new Semaphore(RELAYED_AT_ONCE);
  let calls = 0;
  const reader = durableResources(context, connections, servers);
  return {
    tools,
    call: (request, options) => {
      if (request.tool.server === own) return callResourceTool(reader, request, options);
      const listed = servers.find(({ name }) => name === request.tool.server);
      const config = connections.servers.get(request.tool.server);
      if (listed === undefined || config === undefined)
        throw new Error(`The server "${request.tool.server}" is not on the operator's list any more.`);
      calls += 1;
      const { generation } = listed;
      return new RemoteCall({ context, status, connections, states, relays, config, generation, number: calls, request, options }).run();
    },
  };
}
