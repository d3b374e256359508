/** Distinguishes the sessions of callers from each other, for connections that no two of them share. */
import { randomUUID } from 'node:crypto';
import type { DurableContext, RequestContext } from '@longhaul/mcp-features';
import type { ServerConfig } from '@longhaul/servers';

/** The value of the session that holds the key: nobody can guess it, and it ends with the session. */
const NAME = 'longhaul/servers';
const SHARED = 'shared';

/** The key of a connection for a request; nothing for a connection of its own. */
export async function keyOfRequest({ sessions = 'perSession' }: ServerConfig, context: RequestContext): Promise<string | undefined> {
  if (sessions !== 'perSession') return sessions === 'shared' ? SHARED : undefined;
  const { session, auth, owner } = context;
  if (session !== undefined) return keyIn(session, randomUUID);
  // Without authentication, everybody at an address is one owner.
  return auth === undefined ? undefined : owner?.key;
}

/** The same for a task. One of a caller of whom nothing is known has a connection of its own. */
export async function keyOfTask({ sessions = 'perSession' }: ServerConfig, context: DurableContext): Promise<string | undefined> {
  if (sessions !== 'perSession') return sessions === 'shared' ? SHARED : undefined;
  return keyIn(context.session, () => context.randomUUID());
}

async function keyIn(session: Pick<DurableContext['session'], 'get' | 'set'>, newKey: () => string): Promise<string> {
  const known = await session.get(NAME);
  if (typeof known === 'string') return known;
  const key = newKey();
  await session.set(NAME, key);
  return key;
}
