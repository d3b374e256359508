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

/** A Redis URL, several of a cluster, or the path of a socket, that may be shown: without a password. */
export function withoutPassword(url: string): string {
  if (!URL.canParse(url))
    return url
      .split(/,(?=rediss?:)/)
      .map((item) => item.replace(/(:\/\/[^:@]*:).*@/, '$1***@'))
      .join(',');
  const parsed = new URL(url);
  if (parsed.password !== '') parsed.password = '***';
  return parsed.href;
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
