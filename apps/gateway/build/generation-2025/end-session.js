/** Ends a session on all gateways. @returns false when there was none */
export async function endSession({ sessions, control, clearSession, reports }, { id: sessionId, openedAt }) {
    if (!(await sessions.end(sessionId)))
        return false;
    reports.sessionEnded(openedAt);
    await Promise.all([control.publish({ type: 'session-ended', sessionId }), clearSession(sessionId)]);
    return true;
}
//# sourceMappingURL=end-session.js.map