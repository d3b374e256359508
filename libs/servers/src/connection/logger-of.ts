import { FIELD_LIMITS } from '@longhaul/tasks';
import { cutBytes } from '@longhaul/runtime/cut-bytes';
import type { LoggingLevel } from '@modelcontextprotocol/client';

/** From the least severe on. */
export const LOG_LEVELS: readonly LoggingLevel[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** The name of a logger of a server for clients, who know several servers. */
export function loggerOf(server: string, logger: string | undefined): string {
  return cutBytes(logger === undefined || logger === '' ? server : `${server}/${logger}`, FIELD_LIMITS.nameBytes).text;
}
