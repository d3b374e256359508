/** Reads the webhook that a call names for its task. */
import { CALL_ENDPOINT, type TaskWebhook, WEBHOOK_EVENTS } from '@longhaul/tasks';
import { type CallsHost, hostOf, problemOfUrl } from '@longhaul/runtime/webhook-settings';
import { z } from 'zod';
import { invalidParams } from '../errors.js';

/** Member of `_meta` of `tools/call` with the webhook. */
export const WEBHOOK = 'longhaul/webhook';

const FIELD = `params._meta["${WEBHOOK}"]`;

/** The value of that member. */
export const webhookOfCall = z.strictObject({
  url: z.string(),
  events: z
    .array(z.enum(WEBHOOK_EVENTS, `must be one of ${WEBHOOK_EVENTS.join(', ')}`))
    .min(1, 'names no event')
    .max(WEBHOOK_EVENTS.length, 'names an event twice')
    .optional(),
});

/** Hosts that calls may name. */
export type CallsHosts = Readonly<Record<string, CallsHost>>;

/** The webhook of a task. @throws ProtocolError -32602 that names the wrong field */
export function namedWebhook(named: z.output<typeof webhookOfCall>, hosts: CallsHosts): TaskWebhook {
  const { url, events = WEBHOOK_EVENTS } = named;
  const name = hostOf(url);
  const host = name !== undefined && Object.hasOwn(hosts, name) ? hosts[name] : undefined;
  const problem = problemOfUrl(url, host?.allowPrivate ?? false);
  if (problem !== undefined) throw invalidParams(`${FIELD}.url: ${problem}`);
  if (host === undefined) throw invalidParams(`${FIELD}.url: this server allows no webhooks of calls to that host`);
  const { include } = host;
  return { endpoint: CALL_ENDPOINT, url: new URL(url).href, events: [...new Set(events)], ...(include.length > 0 && { include }) };
}

/** @throws ProtocolError -32602 if a call that becomes no task names a webhook: it would never be sent */
export function requireNoWebhook(name: string, { _meta }: { readonly _meta?: { readonly [WEBHOOK]?: unknown } | undefined }): void {
  if (_meta?.[WEBHOOK] !== undefined) throw invalidParams(`${FIELD}: tool ${name} is answered at once, and no webhook is sent for it`);
}
