/** Makes the tools of the operator's agents: one for each of the list, and `run-agent` for the agent without a name. */
import type { DurableTool } from '@longhaul/mcp-features';
import type { NamedAgent } from '../named-agents.js';
import type { RunAgentOptions } from './agent-input.js';
import { runAgentTool } from './run-agent-tool.js';

/** The operator's options for all agents. */
export type AgentToolsOptions = Omit<RunAgentOptions, 'agent' | 'handoffs' | 'agents'> & { readonly agents: readonly NamedAgent[] };

/** `run-agent` may call each agent of the list; one of the list may call those that its entry names. */
export function agentTools(options: AgentToolsOptions): readonly DurableTool[] {
  return [runAgentTool(options), ...options.agents.map((agent) => runAgentTool(optionsOf(agent, options)))];
}

/** The part of the options that an agent of the list has. */
function optionsOf(agent: NamedAgent, { settings, servers, agents, memory, telemetry }: AgentToolsOptions): RunAgentOptions {
  const { model, limits, instructions } = agent;
  const named = (names: readonly string[]): readonly NamedAgent[] => agents.filter(({ name }) => names.includes(name));
  return {
    settings: {
      ...settings,
      models: model === undefined ? settings.models : settings.models.filter(({ name }) => name === model),
      limits: { ...settings.limits, ...limits },
    },
    servers: servers.filter(({ name }) => agent.servers?.includes(name) ?? true),
    systemPrompt: instructions,
    agents: named(agent.agents),
    handoffs: named(agent.handoffs),
    memory,
    telemetry,
    agent,
  };
}
