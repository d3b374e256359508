const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Whether the untrusted text has the form of a session id; keys in the store are built from it. */
export function isSessionId(text) {
    return UUID.test(text);
}
//# sourceMappingURL=session.js.map