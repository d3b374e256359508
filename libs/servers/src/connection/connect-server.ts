import { connect, type TaskClient } from '@longhaul/client';
import { within } from '@longhaul/runtime/within';
import { ConnectedServer } from './connected-server.js';
import type { ServerConfig } from '../config/server-config.js';
import { capabilitiesOf, inputHandlersFor, type ServerHandlers } from './server-handlers.js';
import { linkTo, type ServerLink } from '../transports/server-link.js';

const CLIENT_INFO = { name: 'longhaul-agent', title: 'Longhaul agent', version: '0.1.0' };
/** The end of standard error that is shown, when a server does not start. */
const STDERR_LINES = 10;

/** A server that could not be connected. The message has its name, its command or URL, and what is known of the reason. */
export class ServerStartError extends Error {
  override readonly name = 'ServerStartError';

  constructor(
    readonly server: string,
    message: string,
    options: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Starts a server, or connects to its URL, and lists its tools.
 *
 * @throws ServerStartError; nothing of the server is left then
 */
export async function connectServer(config: ServerConfig, handlers: ServerHandlers = {}): Promise<ConnectedServer> {
  const link = linkTo(config);
  const { name, startTimeoutMs } = config;
  try {
    return await within(startTimeoutMs, openServer(link, config, handlers), () => {
      throw new Error(`no answer came within ${startTimeoutMs} ms`);
    });
  } catch (error) {
    await link.end();
    const stderr = link.stderr.trim().split('\n').slice(-STDERR_LINES);
    const reason = link.endedByItself ?? reasonOf(error);
    const lines = [`The server "${name}" did not start: ${config.shown}: ${reason}`];
    if (stderr.join('') !== '') lines.push('The last lines of its standard error:', ...stderr.map((line) => `  ${line}`));
    throw new ServerStartError(name, lines.join('\n'), { cause: error });
  }
}

async function openServer(link: ServerLink, config: ServerConfig, handlers: ServerHandlers): Promise<ConnectedServer> {
  const server = new ConnectedServer({ client: await clientOn(link, config, handlers), config, handlers, link });
  await server.open();
  return server;
}

/** A process that ends at the probe for the newer protocol version, as some older servers do, is started again without it. */
async function clientOn(link: ServerLink, config: ServerConfig, handlers: ServerHandlers): Promise<TaskClient> {
  const { name, protocolVersion, startTimeoutMs } = config;
  const options = {
    clientInfo: CLIENT_INFO,
    capabilities: capabilitiesOf(handlers),
    onInput: inputHandlersFor(handlers, { server: name }),
    onWarning: (message: string) => handlers.report?.({ type: 'warning', server: name, message }),
    // A process that says nothing may know the older version only, which needs time as well. A URL has to answer in any case.
    probeTimeoutMs: config.kind === 'stdio' ? startTimeoutMs / 2 : 2 * startTimeoutMs,
    ...(link.transport !== undefined && { transport: link.transport }),
  };
  try {
    return await connect(link.target, { ...options, ...(protocolVersion !== undefined && { generation: protocolVersion }) });
  } catch (error) {
    if (link.endedByItself === undefined || protocolVersion !== undefined) throw error;
    return await connect(link.target, { ...options, generation: '2025-11-25' });
  }
}

/** The message of an error, with its cause in brackets, such as a refused connection. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  let root: unknown = error;
  while (root instanceof Error && root.cause !== undefined) root = root.cause;
  if (root instanceof AggregateError) [root] = root.errors as unknown[];
  const origin = root instanceof Error ? root.message : String(root);
  return origin === '' || error.message.includes(origin) ? error.message : `${error.message.replace(/\.$/, '')} (${origin})`;
}
