import { authErrorIn } from '../auth/auth-errors.js';
import { authorizedFetch } from '../auth/authorized-fetch.js';
import { type Credentials, ownCredentials } from '../auth/credentials.js';
import { connect, type ConnectOptions, type SessionKeeper, type TaskClient } from '@longhaul/client';
import { within } from '@longhaul/runtime/within';
import { SdkHttpError } from '@modelcontextprotocol/client';
import { ConnectedServer } from './connected-server.js';
import type { ServerConfig } from '../config/server-config.js';
import { capabilitiesOf, inputHandlersFor, type ServerHandlers } from './server-handlers.js';
import { shownText, withStderr } from './shown-text.js';
import { linkTo, type ServerLink } from '../transports/server-link.js';

const CLIENT_INFO = { name: 'longhaul', title: 'Longhaul', version: '0.1.0' };
/** How long a process may say nothing before it is spoken to in the older version. */
const MAX_PROBE_MS = 30_000;
/** Offered one after the other to a server that refuses a version. */
const OLDER_VERSIONS = ['2025-06-18', '2025-03-26', '2024-11-05'];

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

/** The link for a process or a connection of its own. Nothing is started or connected yet. */
export function ownLink(config: ServerConfig): ServerLink {
  return linkTo(config, authorizedFetch);
}

/** The same for a URL, with the credentials of a caller. */
export function linkWith(config: ServerConfig, credentials: Credentials): ServerLink {
  return linkTo(config, (of, input, init) => authorizedFetch(of, input, init, credentials));
}

/** The same with the credentials that we have for ourselves: for lists, and no call of a caller. */
export function listingLink(config: ServerConfig): ServerLink {
  return config.kind === 'url' ? linkWith(config, ownCredentials(config)) : ownLink(config);
}

/** How a server is reached. */
export interface ServerWay {
  /** @defaultValue `ownLink` */
  readonly link?: ServerLink;
  /** Shares the session of a URL with other processes. */
  readonly sessions?: SessionKeeper | undefined;
}

/**
 * Starts a server, or connects to its URL, and lists its tools. A person logs in to a URL that wants it, which is then connected again.
 *
 * @throws ServerStartError, or ServerAuthError when it does not accept who we are; nothing of the server is left then
 */
export async function connectServer(config: ServerConfig, handlers: ServerHandlers = {}, way: ServerWay = {}): Promise<ConnectedServer> {
  const { logins } = handlers;
  if (logins === undefined || way.link !== undefined || !logins.take(config)) return connectOnce(config, handlers, way);
  const connectLoggedIn = (): Promise<ConnectedServer> =>
    connectOnce(config, handlers, { ...way, link: linkWith(config, logins.credentials(config)) });
  try {
    return await connectLoggedIn();
  } catch (error) {
    const refused = authErrorIn(error);
    if (refused === undefined) throw error;
    // A person may take longer than a server that starts.
    await logins.logIn(config, refused);
    return connectLoggedIn();
  }
}

async function connectOnce(config: ServerConfig, handlers: ServerHandlers, way: ServerWay): Promise<ConnectedServer> {
  const { link = ownLink(config), sessions } = way;
  const { name, startTimeoutMs } = config;
  try {
    return await within(startTimeoutMs, openServer({ link, sessions }, config, handlers), () => {
      throw new Error(`no answer came within ${startTimeoutMs} ms`);
    });
  } catch (error) {
    await link.end();
    const refused = authErrorIn(error);
    if (refused !== undefined) throw refused;
    const reason = link.endedByItself ?? reasonOf(error);
    const line = `The server "${name}" did not start: ${config.shown}: ${reason}`;
    throw new ServerStartError(name, shownText(withStderr(line, link.stderr), config), { cause: error });
  }
}

type KnownWay = Pick<Required<ServerWay>, 'link'> & Pick<ServerWay, 'sessions'>;

async function openServer(way: KnownWay, config: ServerConfig, handlers: ServerHandlers): Promise<ConnectedServer> {
  const server = new ConnectedServer({ client: await clientOn(way, config, handlers), config, handlers, link: way.link });
  await server.open();
  return server;
}

/**
 * Finds the transport and the version that the server knows. A process that ends at the probe for the newer version is started again without
 * it; a URL that knows no POST has the older transport; and a server that refuses a version, in place of naming its own, is offered older
 * ones.
 */
async function clientOn({ link, sessions }: KnownWay, config: ServerConfig, handlers: ServerHandlers): Promise<TaskClient> {
  const { name, protocolVersion, startTimeoutMs } = config;
  const options = {
    clientInfo: CLIENT_INFO,
    capabilities: capabilitiesOf(handlers),
    onInput: inputHandlersFor(handlers, { server: name }),
    // No two callers share a connection whose questions are answered.
    isOneUser: true,
    // A language model is shown what is known.
    keepsUnknown: (handlers.lists ?? 'tools-for-models') !== 'tools-for-models',
    onWarning: (message: string) => handlers.report?.({ type: 'warning', server: name, message }),
    // A process that says nothing may know the older version only, which needs time as well. A URL has to answer in any case.
    probeTimeoutMs: config.kind === 'stdio' ? Math.min(startTimeoutMs / 2, MAX_PROBE_MS) : 2 * startTimeoutMs,
    // A package may have to be installed before the server starts. Ended before that, the installation begins again the next time.
    connectTimeoutMs: startTimeoutMs,
    ...(link.transport !== undefined && { transport: link.transport }),
    ...(sessions !== undefined && { sessions }),
  };
  const older = (more: ConnectOptions = {}): Promise<TaskClient> => connect(link.target, { ...options, generation: '2025-11-25', ...more });
  try {
    if (config.kind === 'url' && config.transport === 'sse') return await older();
    return await connect(link.target, { ...options, ...(protocolVersion !== undefined && { generation: protocolVersion }) });
  } catch (error) {
    if (protocolVersion === '2026-07-28') throw error;
    if (link.endedByItself !== undefined && protocolVersion === undefined) return await older();
    const versions = refusesVersion(error) ? OLDER_VERSIONS : [];
    for (const [index] of versions.entries()) {
      const client = await older({ legacyVersions: versions.slice(index) }).catch(() => undefined);
      if (client !== undefined) return client;
    }
    const client = knowsNoPost(error) && link.speakOlder() ? await older().catch(() => undefined) : undefined;
    if (client === undefined) throw error;
    return client;
  }
}

/** Whether a URL has answered a message as one that only knows the transport of 2024-11-05 does. */
function knowsNoPost(error: unknown): boolean {
  return errorsIn(error).some((each) => each instanceof SdkHttpError && [400, 404, 405].includes(each.status));
}

function refusesVersion(error: unknown): boolean {
  return errorsIn(error).some((each) =>
    /protocol.?version/i.test(`${each.message} ${each instanceof SdkHttpError ? String(each.data['text']) : ''}`),
  );
}

/** The error and its causes. */
function errorsIn(error: unknown): readonly Error[] {
  return error instanceof Error ? [error, ...errorsIn(error.cause)] : [];
}

/** The message of an error, with its cause in brackets, such as a refused connection. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  let root: unknown = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  if (root instanceof AggregateError) [root] = root.errors as unknown[];
  const origin = root instanceof Error ? root.message : String(root);
  return origin === '' || error.message.includes(origin) ? error.message : `${error.message.replace(/\.$/, '')} (${origin})`;
}
