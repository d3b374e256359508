/** What the names begin with. It is persisted. */
export const KEPT_BYTES = 'kept:';
/** The name for a task. */
export function keptBytesOf(taskId) {
    return `${KEPT_BYTES}${taskId}`;
}
//# sourceMappingURL=kept-bytes.js.map