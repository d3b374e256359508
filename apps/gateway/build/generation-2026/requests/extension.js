/** The revision. */
export const GENERATION = '2026-07-28';
/** The extension for tasks. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';
/** Whether the capabilities include the tasks extension. */
export function declaresTasks(capabilities) {
    const { extensions } = (capabilities ?? {});
    return typeof extensions === 'object' && extensions !== null && TASKS_EXTENSION in extensions;
}
//# sourceMappingURL=extension.js.map