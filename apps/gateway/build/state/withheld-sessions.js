/** Sessions, without those that were opened before their owner was revoked: these end when somebody comes for them. */
export function withheldSessions(sessions, revoked) {
    const isWithheld = ({ owner, openedAt = -Infinity }) => openedAt <= (revoked.withheldUntil(owner) ?? -Infinity);
    return {
        create: (session) => sessions.create(session),
        async load(id) {
            const session = await sessions.load(id);
            if (session === undefined || !isWithheld(session))
                return session;
            await sessions.end(id);
            return undefined;
        },
        touch: (id) => sessions.touch(id),
        setLogLevel: (id, level) => sessions.setLogLevel(id, level),
        shutDown: (id) => sessions.shutDown(id),
        end: (id) => sessions.end(id),
    };
}
//# sourceMappingURL=withheld-sessions.js.map