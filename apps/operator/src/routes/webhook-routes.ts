import { omitUndefined } from '@longhaul/mcp-features';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ERRORS } from '../http/problems.js';
import { Limit } from '../schemas/common.js';
import { Webhook, webhookOf } from '../schemas/webhook.js';
import type { RouteDeps } from './route-deps.js';

const Listed = Webhook.extend({
  taskId: z.string(),
  tool: z.string().optional().describe('Absent if the task is gone.'),
}).meta({ id: 'ListedWebhook' });

/** A webhook in a list. */
export type Webhook = z.infer<typeof Listed>;

/** Lists webhooks of all tasks. */
export function webhookRoutes(scope: FastifyInstance, { tasks }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/webhooks',
    {
      schema: {
        tags: ['webhooks'],
        summary: 'Webhooks that wait, fail or were given up, one for each endpoint of a task',
        querystring: z.strictObject({
          status: z
            .enum(['pending', 'failing', 'given-up'])
            .default('failing')
            .describe('`pending`: all that are to be sent, the next one first; of the others, the latest first.'),
          limit: Limit,
        }),
        response: { 200: z.object({ webhooks: z.array(Listed) }), ...ERRORS },
      },
    },
    async ({ query: { status, limit } }) => {
      const listed = await tasks.webhooks(status, limit);
      return { webhooks: listed.map(({ taskId, tool, webhook }) => omitUndefined({ taskId, tool, ...webhookOf(webhook) })) };
    },
  );
}
