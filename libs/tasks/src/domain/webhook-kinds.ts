/** Defines which endpoints a task notifies, and of what: in words that are stored. */

/** What webhooks can report. */
export const WEBHOOK_EVENTS = ['task.input_required', 'task.completed', 'task.failed', 'task.cancelled'] as const;

/** One of `WEBHOOK_EVENTS`. */
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** What a webhook may contain besides the facts: how the task ended, and what it asks. */
export const WEBHOOK_CONTENTS = ['results', 'questions'] as const;

/** One of `WEBHOOK_CONTENTS`. */
export type WebhookContent = (typeof WEBHOOK_CONTENTS)[number];

/** The name that stands for the webhook that a call has named itself; endpoints of the settings cannot have it. */
export const CALL_ENDPOINT = '$call';

/** A webhook of a task, as it was decided when the task was created. */
export interface TaskWebhook {
  /** The name of the endpoint in the settings of the workers, which have its URL and its secrets; or `CALL_ENDPOINT`. */
  readonly endpoint: string;
  /** Of a webhook that the call has named. */
  readonly url?: string;
  readonly events: readonly WebhookEvent[];
  readonly include?: readonly WebhookContent[];
}
