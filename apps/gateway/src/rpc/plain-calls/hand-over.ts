/**
 * Writes the result that a plain call is answered with when its task takes longer than the call may wait. Its reader is a model: it says
 * what is under way, what to call next, and not to start the work again.
 */
import { type AskedMethod, type JsonObject, missingCapability, type TaskView } from '@longhaul/tasks';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** The member of `_meta` that names the task of a call that was handed over, for programs. */
const TASK_OF_CALL = 'longhaul/task';

const ASKED: ReadonlySet<string> = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list'] satisfies AskedMethod[]);

/** Whether the task waits for something that a client with these capabilities cannot be asked. */
export function waitsForOthers({ pendingInputs }: TaskView, capabilities: JsonObject): boolean {
  return pendingInputs.some(
    ({ method, params }) => ASKED.has(method) && missingCapability(capabilities, method as AskedMethod, params) !== undefined,
  );
}

/**
 * The result for a call that no longer waits.
 *
 * @param isFirst whether it answers the call that started the task, which must not be made again
 */
export function handOver(view: TaskView, isFirst: boolean): CallToolResult {
  const { taskId, tool } = view;
  const next = `call task_result with ${JSON.stringify({ taskId })}`;
  const text = isFirst
    ? `${tool} is still running, as task ${taskId}. It continues by itself: do not call ${tool} again for this. ${soFar(view)}To get its result, ${next}. If that says that the task is still running, call task_result again.`
    : `The task ${taskId} (${tool}) is still running. ${soFar(view)}To wait for its result, ${next} again.`;
  return { content: [{ type: 'text', text }], _meta: { [TASK_OF_CALL]: { taskId } } };
}

/** What the task has reported, as a sentence with a space after it. */
function soFar({ statusMessage, progress }: TaskView): string {
  const reached = progress && `${progress.progress}${progress.total === undefined ? '' : ` of ${progress.total}`}`;
  const said = progress?.message ?? statusMessage;
  if (reached === undefined && said === undefined) return '';
  return `So far: ${[reached, said].filter((part) => part !== undefined).join(', ')}. `;
}
