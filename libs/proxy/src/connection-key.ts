/** Distinguishes callers from each other, for connections that no two of them share. */
import type { DurableContext, RequestContext } from '@longhaul/mcp-features';
import type { ServerConfig } from '@longhaul/servers';

const SHARED = 'shared';

/** The key of a connection for a request or a task of the caller; nothing for a connection of its own. */
export function connectionKey(
  { sessions = 'perSession' }: Pick<ServerConfig, 'sessions'>,
  { caller }: Pick<DurableContext | RequestContext, 'caller'>,
): string | undefined {
  if (sessions === 'shared') return SHARED;
  return sessions === 'perSession' ? caller.key : undefined;
}
