import { goneAt } from './task-view.js';
/** As operators see it, which is what the wire of 2026-07-28 calls it. */
export const ROW_STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled'];
/** The reason of a task whose tool returned an error result. */
export const TOOL_ERROR = 'TOOL_ERROR';
/** The row of a view. */
export function rowOf(view) {
    const { taskId, createdAt, endedAt, tool, owner, workerVersion } = view;
    const status = statusOf(view);
    const reason = status === 'failed' ? (view.ending?.reason ?? TOOL_ERROR) : undefined;
    const gone = goneAt(view);
    return {
        taskId,
        viewVersion: view.version,
        createdAt,
        ...(endedAt !== undefined && { endedAt }),
        status,
        tool,
        owner,
        ...(reason !== undefined && { reason }),
        ...(workerVersion !== undefined && { version: workerVersion }),
        ...(gone !== undefined && { goneAt: gone }),
    };
}
/** The status of a task. */
export function statusOf({ ending, pendingInputs }) {
    if (ending === undefined)
        return pendingInputs.length > 0 ? 'input_required' : 'working';
    if (ending.kind === 'cancelled')
        return 'cancelled';
    return ending.isError ? 'failed' : 'completed';
}
//# sourceMappingURL=task-row.js.map