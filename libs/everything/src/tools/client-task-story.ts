/** Describes how the client ran a request as its own task, in the words of the tools that make such a request. */
import type { ClientTaskRequest, ClientTaskStatus, JsonObject, TaskContext } from '@longhaul/tasks';

/** The request, and how it is followed. */
export interface ClientTaskPlan {
  readonly request: ClientTaskRequest;
  readonly ttlMs: number;
  readonly maxPolls: number;
  /** The members of an answer that the client gave at once, in the order in which they are shown. */
  readonly shown: readonly string[];
  /** Whether a poll gets a line. The first and each tenth always do. Default: all of them. */
  readonly isWorthALine?: (task: ClientTaskStatus) => boolean;
}

/** The result of the client's task with the lines that led to it, or the text for everything else that can happen. */
export type ClientTaskStory =
  | { readonly isCompleted: true; readonly result: JsonObject; readonly progress: string }
  | { readonly isCompleted: false; readonly text: string };

/** @throws TaskError `INPUT_FAILED` when the client answers with an error */
export async function clientTaskStory(
  context: TaskContext,
  { request, ttlMs, maxPolls, shown, isWorthALine = () => true }: ClientTaskPlan,
): Promise<ClientTaskStory> {
  const lines: string[] = [];
  let polls = 0;
  const onStatus = (task: ClientTaskStatus): void => {
    if (lines.length === 0) {
      lines.push(`Task created: ${task.taskId}`);
      return;
    }
    polls += 1;
    if (polls === 1 || polls % 10 === 0 || isWorthALine(task)) lines.push(`Poll ${polls}: ${task.status}${reasonOf(task, ' - ')}`);
  };
  const outcome = await context.clientTask(request, { ttlMs, maxPolls, onStatus });
  if (outcome.kind === 'immediate') {
    const answer = Object.fromEntries(shown.map((member) => [member, outcome.result[member]]));
    return { isCompleted: false, text: `[SYNC] Client executed synchronously:\n${JSON.stringify(answer, null, 2)}` };
  }
  const progress = lines.join('\n');
  if (outcome.kind === 'ended' && outcome.result !== undefined) return { isCompleted: true, result: outcome.result, progress };
  const end =
    outcome.kind === 'unfinished'
      ? `[TIMEOUT] Task timed out after ${maxPolls} poll attempts`
      : `[${outcome.task.status.toUpperCase()}] ${reasonOf(outcome.task) || 'No message'}`;
  return { isCompleted: false, text: `${end}\n\nProgress:\n${progress}` };
}

function reasonOf({ statusMessage = '' }: ClientTaskStatus, separator = ''): string {
  return statusMessage === '' ? '' : `${separator}${statusMessage}`;
}
