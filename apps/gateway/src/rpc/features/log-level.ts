import { type LoggingLevel, LoggingLevelSchema } from '@modelcontextprotocol/sdk/types.js';

/** What a client gets that never asked for a level. */
const DEFAULT_LEVEL: LoggingLevel = 'info';
const LEVELS: readonly string[] = LoggingLevelSchema.options;

/** Whether a client that wants this level and those above is to get the message. */
export function isLoud(said: unknown, wanted: LoggingLevel = DEFAULT_LEVEL): boolean {
  return typeof said === 'string' && LEVELS.indexOf(said) >= LEVELS.indexOf(wanted);
}
