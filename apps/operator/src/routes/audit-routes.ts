import type { KeptAuditEntry } from '@longhaul/tasks';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { omitUndefined } from '@longhaul/mcp-features';
import { z } from 'zod';
import { ERRORS } from '../http/problems.js';
import type { RouteDeps } from './route-deps.js';
import { Limit, Time, timeOf } from '../schemas/common.js';

const Entry = z
  .object({
    number: z.int(),
    at: Time,
    who: z.string(),
    action: z.string(),
    target: z.string(),
    reason: z.string(),
    outcome: z.string().describe('done, or the code of the error.'),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'AuditEntry' });

/** What an operator did. */
export type AuditEntry = z.infer<typeof Entry>;

function entryOf({ number, at, who, action, target, reason, outcome, details }: KeptAuditEntry): z.infer<typeof Entry> {
  return omitUndefined({ number, at: timeOf(at), who, action, target, reason, outcome, details });
}

/** What operators did. */
export function auditRoutes(scope: FastifyInstance, { auditLog }: RouteDeps): void {
  scope.withTypeProvider<ZodTypeProvider>().get(
    '/audit',
    {
      schema: {
        tags: ['audit'],
        summary: 'What operators did, newest first',
        querystring: z.object({ limit: Limit, before: z.coerce.number().int().min(1).optional() }),
        response: { 200: z.object({ entries: z.array(Entry), next: z.int().optional() }), ...ERRORS },
      },
    },
    async ({ query: { limit, before } }) => {
      const { entries, next } = await auditLog.page(limit, before);
      return omitUndefined({ entries: entries.map(entryOf), next });
    },
  );
}
