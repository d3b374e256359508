import { readSettings } from '@longhaul/agent';
import { type Logins, readServers, type ServerConfig, ServerAuthError } from '@longhaul/servers';
import { ConfigError } from '@longhaul/runtime/environment';
import { printable } from '@longhaul/runtime/printable';
import { loginsOf } from '../agent/logins.js';
import { wantedServers } from '../agent/servers/wanted-servers.js';
import { EXIT_CODES } from '../agent/exit-code.js';
import { listenForInterrupts } from '../agent/terminal/interrupts.js';
import type { Given } from '../command-line/command.js';
import type { Terminal } from '../terminal.js';
import { UserError } from '../user-error.js';

type LoginServer = Parameters<Logins['logIn']>[0];

/**
 * `longhaul agent login SERVER`, `longhaul agent logout SERVER`: has the user log in to a server of `longhaul agent` by the browser, or
 * forgets the log-in.
 *
 * @throws UserError for a server that nobody can log in to, and a log-in that has failed
 */
export async function agentLogin(verb: 'login' | 'logout', { words: [name = ''] }: Given, terminal: Terminal): Promise<number> {
  const interrupts = listenForInterrupts(() => process.exit(EXIT_CODES.cancelled));
  try {
    const logins = loginsOf(terminal, { say: (line) => terminal.err(line), signal: interrupts.leaving });
    const server = await serverOf(name, logins, terminal);
    if (verb === 'login') {
      await logins.logIn(server);
      terminal.out(`You are logged in to ${server.name}.`);
    } else {
      const wasThere = await logins.forget(server);
      terminal.out(wasThere ? `The log-in to ${server.name} is forgotten.` : `You were not logged in to ${server.name}.`);
    }
    return 0;
  } catch (error) {
    if (interrupts.leaving.aborted) return EXIT_CODES.cancelled;
    throw error instanceof ServerAuthError || error instanceof ConfigError ? new UserError(printable(error.message)) : error;
  } finally {
    interrupts.dispose();
  }
}

/** @throws UserError for one that is a command, or has other credentials */
async function serverOf(name: string, logins: Logins, { env }: Terminal): Promise<LoginServer> {
  const { servers: source } = readSettings(env);
  const listed = source === undefined ? { servers: [], refused: new Map<string, string>() } : await readServers(source, env);
  const [server] = wantedServers([name], listed) as readonly [ServerConfig];
  if (server.kind === 'stdio') throw new UserError(`${name}: a log-in needs the URL of a server, or the name of one with a URL`, 2);
  if (!logins.take(server)) throw new UserError(`${name}: the file of servers has other credentials for it`, 2);
  return server;
}
