/**
 * Defines the tool by which a model passes on its user's answer to a question of a task. It is listed only to clients that can neither ask
 * their user nor follow tasks. Nothing proves that the answer is the user's. So the description says how to ask, and the record names the
 * way of the answer. A model cannot confirm that its user has opened an address, and cannot allow a call of an agent.
 */
import { defineTool } from '@longhaul/mcp-features';
import { FIELD_LIMITS, type InputAnswer, type PendingInput, TaskError, type TaskView } from '@longhaul/tasks';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { isApproval } from '../../questions/in-words.js';
import type { Call } from '../method.js';
import { isQuestion } from '../task-app/shown-task.js';
import { inputAnswerOf, isMisfit } from '../tasks/client-response.js';
import type { ScopedTasks } from '../tasks/scoped-tasks.js';

/** The name of the tool. */
export const ANSWER_TOOL = 'task_answer';

const Answer = z.object({
  taskId: z.string().max(FIELD_LIMITS.idBytes).describe('The id of the task, as an earlier call was answered with it'),
  key: z
    .string()
    .max(FIELD_LIMITS.clientRequestKeyBytes)
    .optional()
    .describe('The key of the question. May be left out if the task asks only one'),
  action: z.enum(['accept', 'decline', 'cancel']).describe('accept: the user has answered. decline: the user does not want to answer'),
  // The question's own form is checked where the answer is recorded.
  content: z.record(z.string(), z.unknown()).optional().describe('With accept: what the user has answered, by the names of the fields'),
});

/** The tool in a list. */
export const answerTool = defineTool({
  name: ANSWER_TOOL,
  title: 'Answer a question of a task',
  description:
    'Passes on the answer of the user to a question that a task asks the user. Before you call it, ask the user exactly what the task asks, and wait for their reply. Never invent, guess or complete an answer, and never accept in the name of the user: the task acts on it as the word of the user, and it cannot be taken back.',
  input: Answer,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  run: () => {
    throw new Error('This tool is called with its request.');
  },
});

/** The parts that the tool uses. */
export interface AnswerToolDeps {
  readonly tasks: ScopedTasks;
  /** The questions in words. */
  readonly inWords: (view: TaskView, inputs: readonly PendingInput[]) => readonly string[];
}

/** Records the answer, and says what to do next or what was wrong. */
export async function answerByModel(
  { tasks, inWords }: AnswerToolDeps,
  args: unknown,
  { caller, operation }: Call,
): Promise<CallToolResult> {
  const checked = answerTool.check(args ?? {});
  if (!checked.ok) return problem(checked.message);
  const { taskId, key, action, content } = checked.value as z.output<typeof Answer>;
  try {
    const { view } = await tasks.getOfCall(taskId, caller);
    operation.about(view);
    const asked = view.pendingInputs.filter(isQuestion);
    const input = key === undefined && asked.length === 1 ? asked[0] : asked.find((each) => each.key === key);
    if (input === undefined) return problem(notAsked(asked, key));
    const refused = refusalOf(input, action);
    if (refused !== undefined) return problem([refused, ...inWords(view, [input])].join('\n\n'));
    const given = { action, ...(content !== undefined && { content }) };
    const answer = (now: PendingInput): InputAnswer => inputAnswerOf(now, { result: given });
    if (!(await tasks.provideInput(taskId, input.key, answer, caller, { via: 'model' }))) return problem(notAsked([], input.key));
    const others = inWords(
      view,
      asked.filter((each) => each !== input),
    );
    const next = `The answer is recorded, and the task continues. For its result, call task_result with ${JSON.stringify({ taskId })}.`;
    return { content: [{ type: 'text', text: [others.length === 0 ? next : 'The answer is recorded.', ...others].join('\n\n') }] };
  } catch (error) {
    if (error instanceof TaskError && error.code === 'TASK_NOT_FOUND') return problem(`There is no task ${taskId}, or it has expired.`);
    if (isMisfit(error))
      return problem(`${error.message} Nothing is recorded: ask the user again, and call task_answer with what they say.`);
    throw error;
  }
}

/** Why the model may not give this answer, although it is its user's. */
function refusalOf({ params }: PendingInput, action: string): string | undefined {
  if (isApproval(params)) return 'Only the user may say whether an agent may call a tool. This tool cannot pass that on.';
  if (params['mode'] === 'url' && action === 'accept') return 'Only the user can confirm that they have opened the address.';
  return undefined;
}

function notAsked(asked: readonly PendingInput[], key: string | undefined): string {
  if (asked.length > 0) return `key: expected one of the open questions: ${asked.map((each) => JSON.stringify(each.key)).join(', ')}`;
  const what = key === undefined ? 'anything' : 'that';
  return `The task does not ask ${what} now: it was answered before, or the task has ended. task_result says how the task stands.`;
}

function problem(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}
