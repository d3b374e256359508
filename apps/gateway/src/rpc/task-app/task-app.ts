/**
 * Serves a page on which users see their own tasks and answer questions: an app of MCP Apps (SEP-1865), for clients that show such pages.
 * The model may open it. Only the page may answer, and both see only the tasks of their caller.
 */
import {
  changedRegistry,
  defineResource,
  defineTool,
  errorResult,
  type Feature,
  type FeatureRegistry,
  type RequestContext,
} from '@longhaul/mcp-features';
import { APP_MIME_TYPE, FIELD_LIMITS, type InputAnswer, type PendingInput, TaskError } from '@longhaul/tasks';
import { z } from 'zod';
import { callOf } from '../features/request-context.js';
import type { Owners } from '../features/owners.js';
import { inputAnswerOf, isMisfit } from '../tasks/client-response.js';
import type { ScopedTasks } from '../tasks/scoped-tasks.js';
import { appPage } from './app-page.js';
import { isQuestion, ShownTask, shownTask } from './shown-task.js';

const URI = 'ui://longhaul/task';
const TaskId = z.string().max(FIELD_LIMITS.idBytes);

/** The parts of the app. */
export interface TaskAppDeps {
  readonly tasks: ScopedTasks;
  readonly owners: Pick<Owners, 'idOf'>;
}

/** The features with the app, if there are tools that run as tasks. An existing feature with the name of a part of the app stays. */
export function withTaskApp(registry: FeatureRegistry, deps: TaskAppDeps): FeatureRegistry {
  const { tools } = registry;
  if (!registry.mayChange && tools.every(({ taskSupport }) => taskSupport === 'forbidden')) return registry;
  const parts = taskApp(deps);
  const isTaken = (feature: Feature): boolean =>
    feature.kind === 'resource' ? feature.uri === URI : feature.kind === 'tool' && parts.some(({ name }) => name === feature.name);
  return changedRegistry(registry, (features) => (features.some(isTaken) ? features : [...features, ...parts]));
}

function taskApp(deps: TaskAppDeps): readonly Feature[] {
  const html = appPage();
  const page = defineResource({
    uri: URI,
    name: 'task',
    title: 'Task',
    description: 'Shows a task of the user, and asks its questions.',
    mimeType: APP_MIME_TYPE,
    needs: ['apps'],
    // The page loads nothing and connects to nothing.
    read: (uri) => ({
      contents: [{ uri, mimeType: APP_MIME_TYPE, text: html, _meta: { ui: { csp: {}, prefersBorder: true } } }],
    }),
  });
  return [page, viewTool(deps), answerTool(deps)];
}

function viewTool(deps: TaskAppDeps): Feature {
  return defineTool({
    name: 'task_view',
    title: 'Show a task',
    description:
      'Shows the user how a task of theirs stands, live, with a form for what it asks. Without an id it is the newest one that has not ended.',
    input: z.object({ taskId: TaskId.optional().describe('The id of the task, as the call was answered with it.') }),
    output: ShownTask,
    needs: ['apps'],
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    _meta: { ui: { resourceUri: URI, visibility: ['model', 'app'] } },
    run: ({ taskId }, context) => orProblem(() => shown(deps, taskId, context)),
  });
}

function answerTool(deps: TaskAppDeps): Feature {
  return defineTool({
    name: 'task_answer',
    title: 'Answer a question of a task',
    description: 'Gives the user’s answer to a question of their task.',
    input: z.object({
      taskId: TaskId,
      key: z.string().max(FIELD_LIMITS.clientRequestKeyBytes).describe('The key of the question.'),
      action: z.enum(['accept', 'decline', 'cancel']),
      // The question's own form is checked where the answer is recorded, so this schema accepts any members.
      content: z.record(z.string(), z.unknown()).optional(),
    }),
    output: ShownTask,
    needs: ['apps'],
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    // The model may not answer: only the user may answer questions to the user.
    _meta: { ui: { resourceUri: URI, visibility: ['app'] } },
    run: ({ taskId, key, ...given }, context) =>
      orProblem(async () => {
        const { caller } = callOf(context);
        const { pendingInputs } = await deps.tasks.get(taskId, caller);
        const asked = pendingInputs.find((input) => input.key === key && isQuestion(input));
        if (asked === undefined) return notAsked();
        const answer = (now: PendingInput): InputAnswer => inputAnswerOf(now, { result: given });
        const isTaken = await deps.tasks.provideInput(taskId, key, answer, caller, { via: 'task_answer' });
        // The caller may see the task that it has just changed.
        return isTaken ? shownTask(await deps.tasks.getOfCall(taskId, caller)) : notAsked();
      }),
  });
}

async function shown({ tasks, owners }: TaskAppDeps, taskId: string | undefined, context: RequestContext) {
  const { caller } = callOf(context);
  if (taskId !== undefined) return shownTask(await tasks.getWithOutcome(taskId, caller));
  // Anonymous callers share an owner, and must not see each other's tasks.
  if (owners.idOf(caller.owner) === undefined) return errorResult('taskId: name the task; which are yours is not known here.');
  const { tasks: newest } = await tasks.list(caller);
  const found = newest.find(({ ending }) => ending === undefined) ?? newest[0];
  return found === undefined ? errorResult('There is no task of yours.') : shownTask(await tasks.getWithOutcome(found.taskId, caller));
}

async function orProblem<T>(work: () => Promise<T>) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TaskError && error.code === 'TASK_NOT_FOUND') return errorResult('There is no such task, or it has expired.');
    if (isMisfit(error)) return errorResult(error.message);
    throw error;
  }
}

function notAsked() {
  return errorResult('The task does not ask that any more: it was answered before, or the task has ended.');
}
