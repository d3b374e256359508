import { defineSessionJobToggle } from './session-job-toggle.js';
/** @param everyMs the time between two runs of the session job `simulated-resource-updates` */
export function toggleSubscriberUpdates(everyMs) {
    return defineSessionJobToggle({
        name: 'toggle-subscriber-updates',
        title: 'Toggle Subscriber Updates',
        description: 'Toggles simulated resource subscription updates on or off.',
        job: 'simulated-resource-updates',
        started: (sessionId) => `Started simulated resource updated notifications for session ${sessionId} at a ${everyMs / 1_000} second pace. ` +
            'Client will receive updates for any resources the it is subscribed to.',
        stopped: (sessionId) => `Stopped simulated resource updates for session ${sessionId}`,
    });
}
//# sourceMappingURL=toggle-subscriber-updates.js.map