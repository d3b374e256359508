const NEW = 'new';
/** Task, then its status if that has changed, then `new` if it was created. */
export function changeText({ taskId, expectedVersion, row }) {
    const parts = [taskId, ...(row === undefined ? [] : [row.status]), ...(expectedVersion === 0 && row !== undefined ? [NEW] : [])];
    return parts.join(' ');
}
/** What `changeText` has said. */
export function changeFrom(text) {
    const [taskId, status, isNew] = text.split(' ');
    return { taskId: taskId, ...(status !== undefined && { status: status }), isNew: isNew === NEW };
}
//# sourceMappingURL=task-change.js.map