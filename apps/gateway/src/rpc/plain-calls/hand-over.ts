/**
 * Writes the result that a plain call is answered with when its task takes longer than the call may wait. Its reader is a model: it says
 * what is under way, what to call next, and not to start the work again.
 */
import { type AskedMethod, type JsonObject, missingCapability, type PendingInput, type TaskView } from '@longhaul/tasks';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** The member of `_meta` that names the task of a call that was handed over, for programs. */
const TASK_OF_CALL = 'longhaul/task';

const ASKED: ReadonlySet<string> = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list'] satisfies AskedMethod[]);

/** What the task asks and a client with these capabilities cannot be asked. */
export function askedOfOthers({ pendingInputs }: TaskView, capabilities: JsonObject): readonly PendingInput[] {
  return pendingInputs.filter(
    ({ method, params }) => ASKED.has(method) && missingCapability(capabilities, method as AskedMethod, params) !== undefined,
  );
}

/**
 * The result for a call that no longer waits.
 *
 * @param isFirst whether it answers the call that started the task, which must not be made again
 * @param questions that its client cannot be asked, in words
 */
export function handOver(view: TaskView, isFirst: boolean, questions: readonly string[] = []): CallToolResult {
  const { taskId, tool } = view;
  const next = `call task_result with ${JSON.stringify({ taskId })}`;
  const text =
    questions.length > 0
      ? asking(view, isFirst, questions, next)
      : isFirst
        ? `${tool} is still running, as task ${taskId}. It continues by itself: do not call ${tool} again for this. ${soFar(view)}To get its result, ${next}. If that says that the task is still running, call task_result again.`
        : `The task ${taskId} (${tool}) is still running. ${soFar(view)}To wait for its result, ${next} again.`;
  return { content: [{ type: 'text', text }], _meta: { [TASK_OF_CALL]: { taskId } } };
}

/** For a task that waits for its user: the questions come first, because nothing goes on without their answers. */
function asking({ taskId, tool }: TaskView, isFirst: boolean, questions: readonly string[], next: string): string {
  const head = isFirst
    ? `${tool} has begun, as task ${taskId}, and waits for an answer. It continues by itself then: do not call ${tool} again for this.`
    : `The task ${taskId} (${tool}) waits for an answer.`;
  return [head, ...questions, `When that is answered: to get the result of the task, ${next}.`].join('\n\n');
}

/** What the task has reported, as a sentence with a space after it. */
function soFar({ statusMessage, progress }: TaskView): string {
  const reached = progress && `${progress.progress}${progress.total === undefined ? '' : ` of ${progress.total}`}`;
  const said = progress?.message ?? statusMessage;
  if (reached === undefined && said === undefined) return '';
  return `So far: ${[reached, said].filter((part) => part !== undefined).join(', ')}. `;
}
