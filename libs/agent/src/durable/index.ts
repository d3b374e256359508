/** Serves the agent as a feature package, with the durable tool `run-agent`. */
import { readServers } from '@longhaul/servers';
import { readSettings, readSystemPrompt } from '../settings.js';
import { runAgentTool } from './run-agent-tool.js';
import { threadsTool } from './threads-tool.js';

export type { RunAgentOptions } from './agent-input.js';
export { runAgentTool } from './run-agent-tool.js';

const settings = readSettings(process.env);
const { servers, warnings } =
  settings.servers === undefined ? { servers: [], warnings: [] } : await readServers(settings.servers, process.env);
const systemPrompt = await readSystemPrompt(settings);

/** Read by `loadFeatures`. */
export const features = [runAgentTool({ settings, servers, systemPrompt }), threadsTool(settings)];

/** Read by `loadFeatures`. */
export const notices = [
  ...warnings,
  ...(settings.models.length === 0 ? ['run-agent asks the models of its clients: LONGHAUL_AGENT_BASE_URL is not set.'] : []),
];

/** Read by `loadFeatures`: a worker needs the keys of the models. */
export const prepareWorker = async (): Promise<void> => {
  for (const { endpoint } of settings.models) void endpoint.apiKey;
};
