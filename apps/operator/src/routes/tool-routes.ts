import { omitUndefined } from '@longhaul/mcp-features';
import { type JsonObject, rowOf } from '@longhaul/tasks';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requireOperator } from '../access/access-check.js';
import type { Act } from '../access/audit.js';
import { ERRORS } from '../http/problems.js';
import { Priority, Reason } from '../schemas/common.js';
import { summaryOf, TaskSummary } from '../schemas/task.js';
import { taskOfOperator } from '../tools/task-of-operator.js';
import type { RouteDeps } from './route-deps.js';

const Tool = z
  .object({
    name: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    inputSchema: z.record(z.string(), z.unknown()).describe('The JSON Schema of its arguments.'),
    paused: z.boolean().describe('Whether new passes of it wait, because it is paused or everything is.'),
  })
  .meta({ id: 'Tool' });

/** A tool that runs as a task. */
export type Tool = z.infer<typeof Tool>;

/** Lists the tools that run as tasks, and starts one. */
export function toolRoutes(
  scope: FastifyInstance,
  { tasks, catalogue, audited, linkTemplates, maxTtlMs, answersAllowed }: RouteDeps,
): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/tools',
    {
      schema: {
        tags: ['tools'],
        summary: 'Tools that can be started as tasks',
        response: {
          200: z.object({
            tools: z.array(Tool),
            unloaded: z.array(z.string()).describe('Those that workers know and this process does not, so that it cannot start them.'),
          }),
          ...ERRORS,
        },
      },
    },
    async () => {
      const [tools, unloaded, paused] = await Promise.all([catalogue.tools(), catalogue.unloaded(), tasks.paused()]);
      return {
        tools: tools.map(({ name, listing: { title, description, inputSchema } }) =>
          omitUndefined({ name, title, description, inputSchema: { ...inputSchema }, paused: paused.all || paused.tools.includes(name) }),
        ),
        unloaded: [...unloaded],
      };
    },
  );
  app.post(
    '/tools/:name/tasks',
    {
      schema: {
        tags: ['tools'],
        summary: 'Starts a task of the tool',
        params: z.object({ name: z.string().max(256) }),
        body: z.strictObject({
          arguments: z.record(z.string(), z.unknown()).default({}),
          owner: z.string().min(1).max(1_024).optional().describe('Whose task it is to be; otherwise it is the own one of the operator.'),
          priority: Priority,
          reason: Reason,
        }),
        response: { 201: TaskSummary, ...ERRORS },
      },
    },
    async (request, reply) => {
      const { arguments: args, owner, priority, reason } = request.body;
      const who = requireOperator(request.operator);
      const { name } = request.params;
      const act: Act = { who, action: 'tool.start', target: name, reason, details: omitUndefined({ owner, priority }) };
      const view = await audited(act, async () => {
        const tool = await catalogue.tool(name);
        return tasks.create(taskOfOperator(tool, { who, arguments: args as JsonObject, owner, priority }, { maxTtlMs, answersAllowed }));
      });
      return reply.code(201).send(summaryOf({ row: rowOf(view), view }, linkTemplates));
    },
  );
}
