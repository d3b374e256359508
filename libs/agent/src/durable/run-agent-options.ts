import type { ServerConfig } from '../servers/server-config.js';
import type { AgentSettings } from '../settings.js';

/** The operator's options for the agent. */
export interface RunAgentOptions {
  readonly settings: Pick<AgentSettings, 'models' | 'limits'>;
  readonly servers: readonly ServerConfig[];
  readonly systemPrompt?: string | undefined;
}
