/** Distinguishes callers from each other, for connections that no two of them share. */
import type { DurableContext, RequestContext } from '@longhaul/mcp-features';
import type { LeaseRequest, ServerConfig } from '@longhaul/servers';

const SHARED = 'shared';

/** For whom a request or a task of the caller needs a connection. */
export function connectionKey(
  { sessions = 'perSession' }: Pick<ServerConfig, 'sessions'>,
  { caller }: Pick<DurableContext | RequestContext, 'caller'>,
): Pick<LeaseRequest, 'key' | 'account'> {
  if (sessions === 'shared') return { key: SHARED };
  return { key: sessions === 'perSession' ? caller.key : undefined, account: caller.account };
}
