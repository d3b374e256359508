/** The lines that `longhaul start` prints. */
export function bannerLines({ version, url: boundUrl, needsToken, data, operator }) {
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
        'Ctrl-C ends it all.',
    ];
}
/** To be replaced by the reader: no token is printed. */
const TOKEN = '<token>';
/** Where clients of this machine reach what listens on all of its addresses, which are no address to connect to. */
function reachable(url) {
    return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
//# sourceMappingURL=banner.js.map