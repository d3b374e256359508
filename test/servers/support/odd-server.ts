/** A server on standard input and output that speaks the older version by hand, and is odd in one way. */

/** What is odd: JavaScript that the server runs. `say(message)` writes a message, `write(text)` anything else. */
export interface Oddity {
  /** Runs before anything is read. */
  readonly first?: string;
  /** The body of a function of `method`, `params`, `id` and `count`, the number of requests of this method: a result, or nothing for the usual one. */
  readonly answers?: string;
  /** The ends of lines. @defaultValue a newline */
  readonly lineEnd?: '\n' | '\r\n';
}

/** The server as an entry of a file of servers. */
export function oddServer({ first = '', answers = '', lineEnd = '\n' }: Oddity, more: object = {}): object {
  const code = `
    const write = (text) => process.stdout.write(text);
    const say = (message) => write(JSON.stringify({ jsonrpc: '2.0', ...message }) + ${JSON.stringify(lineEnd)});
    const tool = (name) => ({ name, inputSchema: { type: 'object' } });
    const usual = {
      initialize: { protocolVersion: '2025-11-25', capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'odd', version: '1' } },
      'tools/list': { tools: [tool('work')] },
      'tools/call': { content: [{ type: 'text', text: 'done' }] },
      ping: {},
    };
    const counts = {};
    const odd = (method, params, id, count) => { ${answers} };
    ${first}
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      if (method === undefined) return;
      counts[method] = (counts[method] ?? 0) + 1;
      const result = odd(method, params, id, counts[method]) ?? usual[method];
      if (id === undefined || result === 'none') return;
      if (result?.error !== undefined) say({ id, ...result });
      else say(result === undefined ? { id, error: { code: -32601, message: 'Method not found' } } : { id, result });
    });`;
  return { command: process.execPath, args: ['-e', code], ...more };
}
