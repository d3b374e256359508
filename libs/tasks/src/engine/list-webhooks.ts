import type { TaskId } from '../domain/task-id.js';
import type { TaskStore } from '../ports/task-store.js';
import type { KeptWebhook, RecipientStanding } from '../ports/webhook-outbox.js';
import { isView, readableViews } from './readable-views.js';

/** A webhook in a list, and the tool of its task; absent if the task is gone. */
export interface ListedWebhook {
  readonly taskId: TaskId;
  readonly tool?: string;
  readonly webhook: KeptWebhook;
}

/** The webhook of each recipient of a standing that it is for: the next one to send, or the latest that was given up. */
export async function listWebhooks(
  { webhooks, events }: Pick<TaskStore, 'webhooks' | 'events'>,
  standing: RecipientStanding,
  limit: number,
): Promise<readonly ListedWebhook[]> {
  const recipients = await webhooks.list(standing, limit);
  const taskIds = [...new Set(recipients.map(({ taskId }) => taskId))];
  const [known, views] = await Promise.all([
    Promise.all(taskIds.map((taskId) => webhooks.of(taskId))),
    readableViews(events, taskIds, 'operator'),
  ]);
  const ofTask = new Map(taskIds.map((taskId, at) => [taskId, known[at]?.webhooks ?? []]));
  const tools = new Map(views.filter(isView).map(({ taskId, tool }) => [taskId, tool]));
  const isMeant = ({ ended }: KeptWebhook): boolean => (standing === 'given-up' ? ended === 'given-up' : ended === undefined);
  return recipients.flatMap(({ taskId, endpoint }): readonly ListedWebhook[] => {
    const meant = (ofTask.get(taskId) ?? []).filter((webhook) => webhook.endpoint === endpoint && isMeant(webhook));
    const webhook = standing === 'given-up' ? meant.at(-1) : meant[0];
    const tool = tools.get(taskId);
    // Gone since then, with its task.
    return webhook === undefined ? [] : [{ taskId, ...(tool !== undefined && { tool }), webhook }];
  });
}
