import { type LoggingLevel, LoggingLevelSchema } from '@modelcontextprotocol/sdk/types.js';

/** The level for a client that never asked for one. */
const DEFAULT_LEVEL: LoggingLevel = 'info';
const LEVELS: readonly string[] = LoggingLevelSchema.options;

/** Whether a client that wants this level and higher ones receives the message. */
export function isLoud(said: unknown, wanted: LoggingLevel = DEFAULT_LEVEL): boolean {
  return typeof said === 'string' && LEVELS.indexOf(said) >= LEVELS.indexOf(wanted);
}
