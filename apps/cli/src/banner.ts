/** In place of a Redis. */
export const EPHEMERAL =
  'none found: ephemeral, in one process, tasks are lost when it ends (to keep them, install redis-server or set REDIS_URL)';

/** What the user needs to know once it serves. */
export interface Banner {
  readonly version: string;
  /** The MCP endpoint. */
  readonly url: string;
  /** Which Redis, in words. */
  readonly redis: string;
}

/** The lines that `longhaul start` prints. */
export function bannerLines({ version, url, redis }: Banner): string[] {
  const config = { mcpServers: { longhaul: { type: 'http', url } } };
  return [
    `Longhaul ${version} serves MCP.`,
    '',
    `  Endpoint     ${url}`,
    `  Redis        ${redis}`,
    `  Claude Code  claude mcp add --transport http longhaul ${url}`,
    `  JSON config  ${JSON.stringify(config)}`,
    '',
    'Ctrl-C ends it all.',
  ];
}
