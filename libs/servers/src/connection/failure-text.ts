import { ConnectionLostError } from '@longhaul/client';
import type { ConnectedServer } from './connected-server.js';

/** The message for a call that has failed: what happened, and whether the call may have been carried out. */
export function failureText(error: unknown, server: Pick<ConnectedServer, 'name' | 'config' | 'endedByItself'>): string {
  const text = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ConnectionLostError)) return text;
  const { name, config, endedByItself } = server;
  const way = config.kind === 'stdio' ? 'process' : 'stream';
  const what = endedByItself === undefined ? `cannot be reached (${text})` : `is gone: its ${way} ${endedByItself}`;
  const effect = error.effect === 'none' ? 'The call was not made.' : 'It is unknown whether the call was carried out.';
  return `The server "${name}" ${what}. ${effect}`;
}
