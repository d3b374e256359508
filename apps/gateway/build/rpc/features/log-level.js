import { LoggingLevelSchema } from '@modelcontextprotocol/sdk/types.js';
/** What a client gets that never asked for a level. */
const DEFAULT_LEVEL = 'info';
const LEVELS = LoggingLevelSchema.options;
/** Whether a client that wants this level and those above is to get the message. */
export function isLoud(said, wanted = DEFAULT_LEVEL) {
    return typeof said === 'string' && LEVELS.indexOf(said) >= LEVELS.indexOf(wanted);
}
//# sourceMappingURL=log-level.js.map