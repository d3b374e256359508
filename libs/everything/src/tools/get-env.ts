import { z } from 'zod';
import { defineTool } from '@longhaul/mcp-features';
import { maskedEnvironment } from './masked-environment.js';

/**
 * Shows the environment variables of the process, except values that look like secrets. Still, they show much of where the process runs: a
 * server has this tool only when a setting allows it.
 */
export function getEnv(env: NodeJS.ProcessEnv) {
  return defineTool({
    name: 'get-env',
    title: 'Print Environment Tool',
    description: 'Returns all environment variables, helpful for debugging MCP server configuration',
    input: z.object({}),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: () => JSON.stringify(maskedEnvironment(env), null, 2),
  });
}
