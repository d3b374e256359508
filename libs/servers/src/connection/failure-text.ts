import { ConnectionLostError } from '@longhaul/client';
import type { ConnectedServer } from './connected-server.js';

/** The message for a call that has failed: what happened, and whether the call may have been carried out. */
export function failureText(error: unknown, server: Pick<ConnectedServer, 'name' | 'endedByItself'>): string {
  const text = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ConnectionLostError)) return text;
  const what = server.endedByItself === undefined ? `cannot be reached (${text})` : `is gone: its process ${server.endedByItself}`;
  const effect = error.effect === 'none' ? 'The call was not made.' : 'Nobody knows whether the call was carried out.';
  return `The server "${server.name}" ${what}. ${effect}`;
}
