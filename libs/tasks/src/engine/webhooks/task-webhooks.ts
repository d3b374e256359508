/** Chooses the endpoints that a new task notifies: those of the settings, and the one that its call has named. */
import type { WebhookEndpoint, WebhooksConfig } from '@longhaul/runtime/webhook-settings';
import type { TaskCreatedData } from '../../domain/events.js';
import { tenantOf } from '../../domain/owner-names.js';
import { CALL_ENDPOINT, type TaskWebhook } from '../../domain/webhook-kinds.js';

/** Endpoints that one task may notify; each costs a webhook with every event. */
export const MAX_ENDPOINTS_OF_TASK = 16;

/** The data of a task, with the webhooks that it has. */
export type WithWebhooks = (task: TaskCreatedData) => TaskCreatedData;

/**
 * Names the endpoints of the settings that a new task notifies, in their order.
 *
 * @param onTooMany called when there are more for a task than it may have: the first ones are notified
 */
export function taskWebhooks({ endpoints }: Pick<WebhooksConfig, 'endpoints'>, onTooMany: (error: RangeError) => void): WithWebhooks {
  const all = Object.entries(endpoints).map(([name, endpoint]) => ({ webhook: webhookOf(name, endpoint), isFor: filterOf(endpoint) }));
  return (task) => {
    // A task that was made from another one has that one's webhooks; the settings may be others by now.
    const { webhooks = [], ...rest } = task;
    const ofCall = webhooks.filter(({ endpoint }) => endpoint === CALL_ENDPOINT);
    const ofSettings = all.filter(({ isFor }) => isFor(task)).map(({ webhook }) => webhook);
    if (ofSettings.length > MAX_ENDPOINTS_OF_TASK) onTooMany(tooMany(task, ofSettings));
    const chosen = [...ofCall, ...ofSettings.slice(0, MAX_ENDPOINTS_OF_TASK)];
    return chosen.length === 0 ? rest : { ...rest, webhooks: chosen };
  };
}

/** A filter for the tasks of an endpoint. Its lists may be long. */
function filterOf({ tenants, owners, tools }: WebhookEndpoint): (task: TaskCreatedData) => boolean {
  const oneOf = (values: readonly string[] | undefined): ((value: string) => boolean) => {
    const known = values && new Set(values);
    return (value) => known?.has(value) ?? true;
  };
  const [isTool, isOwner, isTenant] = [oneOf(tools), oneOf(owners), oneOf(tenants)];
  return ({ tool, owner }) => isTool(tool) && isOwner(owner) && isTenant(tenantOf(owner));
}

function webhookOf(name: string, { events, include }: WebhookEndpoint): TaskWebhook {
  return { endpoint: name, events, ...(include.length > 0 && { include }) };
}

function tooMany({ tool, owner }: TaskCreatedData, webhooks: readonly TaskWebhook[]): RangeError {
  const leftOut = webhooks.slice(MAX_ENDPOINTS_OF_TASK).map(({ endpoint }) => endpoint);
  const which = `A task of tool ${tool} and owner ${owner} has ${webhooks.length} endpoints in LONGHAUL_WEBHOOKS`;
  return new RangeError(`${which}; at most ${MAX_ENDPOINTS_OF_TASK} are notified. Left out: ${leftOut.join(', ')}.`);
}
