/** Whether nothing follows this status. */
export function isEnd({ status }) {
    return status === 'completed' || status === 'failed' || status === 'cancelled';
}
//# sourceMappingURL=task-status.js.map