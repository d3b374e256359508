/** Distinguishes callers from each other, for connections that no two of them share. */
import type { DurableContext, RequestContext } from '@longhaul/mcp-features';
import { callerTokenOf } from '@longhaul/mcp-features/caller-token';
import { type CallerTokens, exchangesTokens, type LeaseRequest, type ServerConfig, tokenMissing } from '@longhaul/servers';
import { createHash } from 'node:crypto';

const SHARED = 'shared';

/** For whom a request or a task of the caller needs a connection. */
export function connectionKey(
  { sessions = 'perSession' }: Pick<ServerConfig, 'sessions'>,
  { caller }: Pick<DurableContext | RequestContext, 'caller'>,
): Pick<LeaseRequest, 'key' | 'account'> {
  if (sessions === 'shared') return { key: SHARED };
  return { key: sessions === 'perSession' ? caller.key : undefined, account: caller.account };
}

/**
 * The same within a request, with the caller's credentials if the server has such: then callers with other rights have other connections,
 * also in one session.
 *
 * @throws ServerAuthError for a caller without a token
 */
export function requestConnection(
  config: ServerConfig,
  context: RequestContext,
  tokens: CallerTokens,
): Pick<LeaseRequest, 'key' | 'account' | 'credentials'> {
  const shared = connectionKey(config, context);
  if (!exchangesTokens(config)) return shared;
  const token = callerTokenOf(context);
  if (token === undefined) throw tokenMissing(config.name);
  const caller = createHash('sha256')
    .update(JSON.stringify([context.caller.key, context.caller.account, context.auth]))
    .digest('base64url');
  return { ...shared, ...(shared.key !== undefined && { key: caller }), credentials: tokens.of(config, caller, token) };
}
