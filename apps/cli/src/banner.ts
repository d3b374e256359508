/** The message to the user once it serves. */
export interface Banner {
  readonly version: string;
  /** The MCP endpoint, at the address that is listened on. */
  readonly url: string;
  /** Whether clients have to show a token. */
  readonly needsToken: boolean;
  /** Where everything is kept, in words. */
  readonly data: string;
  /** The operator API, if it is served. */
  readonly operator?: { readonly url: string; readonly tokenFile?: string } | undefined;
}

/** The lines that `longhaul start` prints. */
export function bannerLines({ version, url: boundUrl, needsToken, data, operator }: Banner): string[] {
  const url = reachable(boundUrl);
  const headers = needsToken ? { headers: { Authorization: `Bearer ${TOKEN}` } } : {};
  const config = { mcpServers: { longhaul: { type: 'http', url, ...headers } } };
  return [
    `Longhaul ${version} serves MCP.`,
    '',
    `  Endpoint     ${url}${url === boundUrl ? '' : ' (and at every other address of this machine)'}`,
    `  Auth         ${needsToken ? 'tokens' : 'anonymous'}`,
    `  Data         ${data}`,
    ...(operator === undefined
      ? []
      : [`  Operators    ${operator.url}${operator.tokenFile === undefined ? '' : ` (token in ${operator.tokenFile})`}`]),
    `  Claude Code  claude mcp add --transport http longhaul ${url}${needsToken ? ` --header "Authorization: Bearer ${TOKEN}"` : ''}`,
    `  JSON config  ${JSON.stringify(config)}`,
    '',
    'Press Ctrl-C to stop.',
  ];
}

/** To be replaced by the reader: no token is printed. */
const TOKEN = '<token>';

/** Where clients of this machine reach what listens on all of its addresses, which are no address to connect to. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
