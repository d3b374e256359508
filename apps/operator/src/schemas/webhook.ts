/** Converts webhooks to the operator API's format. */
import { omitUndefined } from '@longhaul/mcp-features';
import { CALL_ENDPOINT, type KeptWebhook, WEBHOOK_EVENTS } from '@longhaul/tasks';
import { z } from 'zod';
import { Time, timeOf } from './common.js';

/** A webhook of a task. */
export const Webhook = z
  .object({
    endpoint: z.string().describe(`Its name in LONGHAUL_WEBHOOKS; ${CALL_ENDPOINT} is the one that the call has named.`),
    event: z.enum(WEBHOOK_EVENTS),
    version: z.int().describe('Version of the task after the event.'),
    dueAt: Time,
    status: z.enum(['pending', 'failing', 'delivered', 'given-up']),
    tries: z.int(),
    triedAt: Time.optional().describe('The latest try.'),
    answered: z.int().optional().describe('HTTP status of the latest answer.'),
    problem: z.string().optional().describe('Why the latest try failed.'),
    nextAt: Time.optional().describe('When it is tried again.'),
  })
  .meta({ id: 'Webhook' });

/** A webhook as operators see it. */
export function webhookOf({ endpoint, event, version, at, tries, lastTry, nextAt, ended }: KeptWebhook): z.infer<typeof Webhook> {
  const waits = tries > 0 ? ('failing' as const) : ('pending' as const);
  return omitUndefined({
    endpoint,
    event,
    version,
    dueAt: timeOf(at),
    status: ended ?? waits,
    tries,
    triedAt: lastTry && timeOf(lastTry.at),
    answered: lastTry?.status,
    problem: lastTry?.problem,
    nextAt: nextAt === undefined ? undefined : timeOf(nextAt),
  });
}
