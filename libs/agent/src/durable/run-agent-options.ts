import type { ServerConfig } from '../servers/server-config.js';
import type { AgentSettings } from '../settings.js';

/** What the agent is given by its operator. */
export interface RunAgentOptions {
  readonly settings: Pick<AgentSettings, 'models' | 'limits'>;
  readonly servers: readonly ServerConfig[];
  readonly systemPrompt?: string | undefined;
}
