/** Serves the agent as a feature package, with the durable tool `run-agent`. */
import { collectionsOfDeployment, type ProcessParts } from '@longhaul/mcp-features';
import { readServers } from '@longhaul/servers';
import { EndpointMemory } from '../endpoint/endpoint-memory.js';
import { readAgents } from '../named-agents.js';
import { readSettings, readSystemPrompt } from '../settings.js';
import { agentTools } from './agent-tools.js';
import { ModelTelemetry } from './model-telemetry.js';
import { threadsTool } from './threads-tool.js';

export type { RunAgentOptions } from './agent-input.js';
export { runAgentTool } from './run-agent-tool.js';

/** Of what is known of all endpoints. */
const MAX_KEPT_BYTES = 1024 * 1024;

const settings = readSettings(process.env);
const { servers, warnings } =
  settings.servers === undefined ? { servers: [], warnings: [] } : await readServers(settings.servers, process.env);
const systemPrompt = await readSystemPrompt(settings);
const agents = settings.agents === undefined ? [] : await readAgents(settings.agents, { models: settings.models, servers });
const telemetry = new ModelTelemetry(settings.tracesContent);
let warn: ((line: string) => void) | undefined;
const memory = new EndpointMemory(undefined, (line) => warn?.(line));

/** Read by `loadFeatures`. */
export const features = [...agentTools({ settings, servers, systemPrompt, agents, memory, telemetry }), threadsTool(settings)];

/** Read by `loadFeatures`. */
export const notices = [
  ...warnings,
  ...(settings.models.length === 0 ? ['run-agent asks the models of its clients: LONGHAUL_AGENT_BASE_URL is not set.'] : []),
];

/** Read by `loadFeatures`: a worker needs the keys of the models. */
export const prepareWorker = async (): Promise<void> => {
  for (const { endpoint } of settings.models) void endpoint.apiKey;
};

/** Read by `loadFeatures`: metrics are those of the process, and what is known of endpoints is that of the deployment. */
export const prepareProcess = (parts: Pick<ProcessParts, 'metrics' | 'store' | 'warn'>): void => {
  telemetry.metrics = parts.metrics;
  memory.kept = collectionsOfDeployment(parts, 'agent').collection('endpoints', { maxBytes: MAX_KEPT_BYTES });
  warn = (line) => parts.warn(line);
};
