import { defineSessionJobToggle } from './session-job-toggle.js';
/** @param everyMs the time between two messages of the session job `simulated-logging` */
export function toggleSimulatedLogging(everyMs) {
    return defineSessionJobToggle({
        name: 'toggle-simulated-logging',
        title: 'Toggle Simulated Logging',
        description: 'Toggles simulated, random-leveled logging on or off.',
        job: 'simulated-logging',
        started: (sessionId) => `Started simulated, random-leveled logging for session ${sessionId} at a ${everyMs / 1_000} second pace. ` +
            "Client's selected logging level will be respected. If an interval elapses and the message to be sent is below the selected level, " +
            'it will not be sent. Thus at higher chosen logging levels, messages should arrive further apart. ',
        stopped: (sessionId) => `Stopped simulated logging for session ${sessionId}`,
    });
}
//# sourceMappingURL=toggle-simulated-logging.js.map