import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import { defineSessionJob } from '@longhaul/mcp-features';

/** The message of each level, without the session that it names. */
const MESSAGES: readonly { readonly level: LoggingLevel; readonly text: string }[] = [
  { level: 'debug', text: 'Debug-level message' },
  { level: 'info', text: 'Info-level message' },
  { level: 'notice', text: 'Notice-level message' },
  { level: 'warning', text: 'Warning-level message' },
  { level: 'error', text: 'Error-level message' },
  { level: 'critical', text: 'Critical-level message' },
  { level: 'alert', text: 'Alert level-message' },
  { level: 'emergency', text: 'Emergency-level message' },
];

export function simulatedLogging(everyMs: number) {
  return defineSessionJob({
    name: 'simulated-logging',
    description: 'Logs a message of a level that is drawn each time',
    everyMs,
    run(context) {
      const drawn = MESSAGES[Math.floor(Math.random() * MESSAGES.length)];
      if (drawn !== undefined) context.log(drawn.level, `${drawn.text} - SessionId ${context.session.id}`);
    },
  });
}
