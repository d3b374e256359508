/** Limits of one task. Reaching one fails the task with a message that names it. */

/** Events in a task's stream. */
export const MAX_EVENTS = 10_000;
/** Unanswered requests to the client at the same time. */
export const MAX_PENDING_INPUTS = 32;
/** JSON of a task's result, bytes. */
export const MAX_RESULT_BYTES = 8 * 1024 * 1024;
/** JSON of a step's value, bytes. */
export const MAX_STEP_VALUE_BYTES = 8 * 1024 * 1024;
