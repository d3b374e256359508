const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Narrows untrusted text to a `TaskId`. Keys in Redis are built from it, so nothing but a UUID passes. */
export function isTaskId(text) {
    return UUID.test(text);
}
//# sourceMappingURL=task-id.js.map