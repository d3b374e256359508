// Runs the installed packages, and speaks to them as a stock client.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const START_LIMIT_MS = 120_000;

/**
 * Starts a command that serves, connects to it, and ends it after use.
 *
 * @param {readonly [string, ...string[]]} command
 * @param {string} cwd
 * @param {(client: Client) => Promise<unknown>} use
 * @throws Error with what it has printed when it ends before it serves
 */
export async function whileServing([program, ...args], cwd, use) {
  const child = spawn(program, args, { cwd, env: { ...process.env, PORT: '0' }, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  try {
    const client = new Client({ name: 'stock-client', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { approved: true } }));
    await client.connect(new StreamableHTTPClientTransport(new URL(await endpointOf(child))));
    await use(client);
    await client.close();
  } finally {
    child.kill('SIGTERM');
    await closed;
  }
}

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<string>} the endpoint that it prints */
async function endpointOf(child) {
  let output = '';
  const { promise, resolve, reject } = /** @type {PromiseWithResolvers<string>} */ (Promise.withResolvers());
  const timer = setTimeout(() => reject(new Error(`it does not serve after ${START_LIMIT_MS / 1_000} s:\n${output}`)), START_LIMIT_MS);
  const onData = (/** @type {Buffer} */ data) => {
    output += data.toString();
    const [, endpoint] = /Endpoint +(\S+)[\s\S]*Ctrl-C/.exec(output) ?? [];
    if (endpoint !== undefined) resolve(endpoint);
  };
  child.stdout?.on('data', onData);
  child.stderr?.on('data', onData);
  child.once('close', () => reject(new Error(`it ended before it served:\n${output}`)));
  return promise.finally(() => clearTimeout(timer));
}

/**
 * @param {Client} client
 * @param {string} name
 * @param {Record<string, unknown>} args
 * @returns {Promise<string>} the first text of its result
 */
export async function textOfCall(client, name, args) {
  const { content } = await client.callTool({ name, arguments: args });
  const [first] = /** @type {{ text?: string }[]} */ (content);
  return first?.text ?? '';
}

/**
 * @param {unknown} actual
 * @param {unknown} expected
 * @throws Error that shows both
 */
export function requireEqual(actual, expected) {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (one !== other) throw new Error(`expected ${other}, got ${one}`);
}
