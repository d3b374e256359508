/** Opens the tools of an agent on a terminal: the tools of its servers, or its own if there are no servers. */
import { type OpenServers, openServers } from '@longhaul/agent';
import { ServerAuthError, type ServerConfig, type ServerHandlers, ServerStartError } from '@longhaul/servers';
import { untilAborted } from '@longhaul/runtime/until-aborted';
import type { Cleanup } from '../processes/cleanup.js';
import { UserError } from '../user-error.js';
import type { Mentionable } from './mentions.js';
import { ownTools } from './own-tools.js';
import { printable } from '@longhaul/runtime/printable';

/** Tools, and when somebody is asked before they are called. */
export type Tools = Pick<OpenServers, 'toolbox' | 'policyOf'> & { readonly servers?: Mentionable };

/** How servers are opened. */
export interface OpenToolsOptions {
  readonly handlers: ServerHandlers;
  /** Has them disconnected. */
  readonly cleanup: Cleanup;
  /** Aborts when the tools are no longer wanted. */
  readonly signal: AbortSignal;
}

/** @throws UserError for a server that cannot be connected, with what it says; the reason of the signal */
export async function openTools(configs: readonly ServerConfig[], { handlers, cleanup, signal }: OpenToolsOptions): Promise<Tools> {
  if (configs.length === 0) return { toolbox: ownTools(), policyOf: () => 'writes' };
  const opening = openServers(configs, handlers);
  // Processes of servers that have not answered yet end with this one: a user who leaves does not wait for them.
  let opened: OpenServers | undefined;
  cleanup.add(() => opened?.close());
  try {
    opened = await untilAborted(opening, signal);
    return { ...opened, servers: opened };
  } catch (error) {
    const isKnown = [ServerStartError, ServerAuthError, AggregateError].some((kind) => error instanceof kind);
    throw isKnown && error instanceof Error ? new UserError(printable(error.message)) : error;
  }
}
