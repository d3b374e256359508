/** Shows the actions of an operator on a task. */
import { useState } from 'preact/hooks';
import { addressOf, post } from '../api/client.js';
import type { TaskDetails } from '../../../src/answers.js';
import { Act } from '../parts/act.js';
import { jsonFrom } from '../parts/json-from.js';
import { RetryFrom, retryFrom } from '../parts/retry-from.js';
import { goTo } from '../router.js';

export interface TaskActionsProps {
  readonly task: TaskDetails;
  /** Keys of the last recorded operations, in their order; the task can be retried from each of them, and from earlier ones. */
  readonly keys: readonly string[];
  readonly changed: () => void;
}

export function TaskActions({ task, keys, changed }: TaskActionsProps) {
  const { taskId, endedAt } = task;
  const cancel = async (reason: string): Promise<void> => {
    await post(`tasks/${taskId}/cancel`, { reason });
    changed();
  };
  return (
    <p class="actions">
      {endedAt === undefined && <Act label="Cancel the task" done="The task was cancelled." isGrave act={cancel} />}
      <Retry task={task} keys={keys} />
      <a class="button" href={addressOf(`tasks/${taskId}/export`)} download={`${taskId}.json`}>
        Export the history
      </a>
    </p>
  );
}

function Retry({ task, keys }: Pick<TaskActionsProps, 'task' | 'keys'>) {
  const [changed, setChanged] = useState<string | undefined>(undefined);
  const [isForced, setForced] = useState(false);
  const retry = async (reason: string, form: FormData, idempotencyKey: string): Promise<void> => {
    const args = changed === undefined ? undefined : jsonFrom(changed, 'arguments');
    const { taskId } = await post<TaskDetails>(`tasks/${task.taskId}/retry`, {
      reason,
      from: retryFrom(form),
      arguments: args,
      force: isForced || undefined,
      idempotencyKey,
    });
    goTo(['tasks', taskId]);
  };
  const toggle = (): void => setChanged(changed === undefined ? JSON.stringify(task.arguments, undefined, 2) : undefined);
  return (
    <Act label="Retry the task" done="This is the new task." act={retry}>
      <p class="quiet">Makes a new task; this one stays as it is.</p>
      {task.retriedAs !== undefined && (
        <label class="option">
          <input type="checkbox" required checked={isForced} onChange={({ currentTarget }) => setForced(currentTarget.checked)} /> once
          more, though it was retried
        </label>
      )}
      <RetryFrom failed={task.thrown?.step} keys={keys} />
      <label class="option">
        <input type="checkbox" checked={changed !== undefined} onChange={toggle} /> with other arguments
      </label>
      {changed !== undefined && (
        <label class="field">
          <span>Arguments, as JSON</span>
          <textarea class="json" rows={8} spellcheck={false} value={changed} onInput={(event) => setChanged(event.currentTarget.value)} />
        </label>
      )}
    </Act>
  );
}
