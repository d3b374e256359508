import { defineSessionJob } from '@longhaul/mcp-features';
/** What is logged at each level, but for the session that it is said to be of. */
const MESSAGES = [
    { level: 'debug', text: 'Debug-level message' },
    { level: 'info', text: 'Info-level message' },
    { level: 'notice', text: 'Notice-level message' },
    { level: 'warning', text: 'Warning-level message' },
    { level: 'error', text: 'Error-level message' },
    { level: 'critical', text: 'Critical-level message' },
    { level: 'alert', text: 'Alert level-message' },
    { level: 'emergency', text: 'Emergency-level message' },
];
export function simulatedLogging(everyMs) {
    return defineSessionJob({
        name: 'simulated-logging',
        description: 'Logs a message of a level that is drawn each time',
        everyMs,
        run(context) {
            const drawn = MESSAGES[Math.floor(Math.random() * MESSAGES.length)];
            if (drawn !== undefined)
                context.log(drawn.level, `${drawn.text} - SessionId ${context.session.id}`);
        },
    });
}
//# sourceMappingURL=simulated-logging.js.map