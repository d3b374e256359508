import { serviceNamed, standingOf, taskOfService } from '@longhaul/mcp-features';
import { type JsonObject, type OperatorService, type Outcome, ROW_STATUSES, TaskError, type TaskSnapshot } from '@longhaul/tasks';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requireOperator } from '../access/access-check.js';
import type { Operator } from '../access/door.js';
import { ERRORS, Refused } from '../http/problems.js';
import { Priority, TaskPath, Time } from '../schemas/common.js';
import type { RouteDeps } from './route-deps.js';

/** How long a request may wait for the end of a task: proxies give up after a minute. */
const MAX_WAIT_MS = 30_000;

const Owner = z.string().min(1).max(1_024).optional().describe('Whose task it is; otherwise the own one of the service.');

const Standing = z
  .object({
    taskId: z.string(),
    tool: z.string(),
    status: z.enum(ROW_STATUSES),
    message: z.string().optional(),
    progress: z.object({ progress: z.number(), total: z.number().optional(), message: z.string().optional() }).optional(),
    exposed: z.unknown().optional().describe('The value that the tool shows, by `context.expose`.'),
    createdAt: Time,
    updatedAt: Time,
    endedAt: Time.optional(),
    outcome: z
      .discriminatedUnion('kind', [
        z.object({ kind: z.literal('result'), result: z.record(z.string(), z.unknown()) }),
        z.object({ kind: z.literal('error'), error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }) }),
        z.object({ kind: z.literal('cancelled'), by: z.string(), reason: z.string().optional() }),
      ])
      .optional()
      .describe('With `waitMs`: how it ended, if it has.'),
  })
  .meta({ id: 'TaskOfService' });

const FOR_SERVICES = { isForServices: true } as const;

/**
 * Starts tools for other programs, whose tokens have the role `start`, and gives them their tasks. A service reaches the tasks that were started
 * under its name, and of these only the ones of the owner that it names; every other task looks like a missing one.
 */
export function serviceRoutes(scope: FastifyInstance, deps: RouteDeps): void {
  startRoute(scope, deps);
  readRoute(scope, deps);
  writeRoutes(scope, deps);
}

function startRoute(scope: FastifyInstance, { tasks, catalogue, audited, maxTtlMs, answersAllowed }: RouteDeps): void {
  scope.withTypeProvider<ZodTypeProvider>().post(
    '/service/tasks',
    {
      config: FOR_SERVICES,
      schema: {
        tags: ['services'],
        summary: 'Starts a tool for a service; with a key, only once',
        body: z.strictObject({
          tool: z.string().min(1).max(256),
          arguments: z.record(z.string(), z.unknown()).default({}),
          owner: Owner,
          idempotencyKey: z.string().min(1).max(256).optional().describe('Of the same service and owner, one task has this key.'),
          priority: Priority,
          ttlMs: z.number().min(1).max(Number.MAX_SAFE_INTEGER).optional().describe('How long it is kept, milliseconds from its creation.'),
        }),
        response: { 201: Standing, ...ERRORS },
      },
    },
    async (request, reply) => {
      const who = requireOperator(request.operator);
      const { tool: name, arguments: args, ...rest } = request.body;
      const { owner } = rest;
      const act = {
        who: namedAsService(who),
        action: 'tool.start',
        target: name,
        reason: '',
        ...(owner !== undefined && { details: { owner } }),
      } as const;
      const view = await audited(act, async () => {
        requireTool(who, name);
        const tool = await catalogue.tool(name);
        const made = taskOfService(tool, {
          ...rest,
          service: serviceNamed(who.name),
          arguments: args as JsonObject,
          maxTtlMs,
          answersAllowed,
        });
        if ('task' in made) return tasks.create(made.task);
        const { code, message, problem } = made.problem;
        throw new Refused(
          code === 'INVALID_ARGUMENTS' ? 422 : 409,
          code,
          message,
          problem === undefined ? undefined : [{ field: 'arguments', message: problem }],
        );
      });
      return reply.code(201).send(standingOf(view));
    },
  );
}

function readRoute(scope: FastifyInstance, { tasks, closing }: RouteDeps): void {
  scope.withTypeProvider<ZodTypeProvider>().get(
    '/service/tasks/:taskId',
    {
      config: FOR_SERVICES,
      schema: {
        tags: ['services'],
        summary: 'A task of the service; with `waitMs` it waits for the end, and answers with it, or without',
        params: TaskPath,
        querystring: z.strictObject({ owner: Owner, waitMs: z.coerce.number().int().min(0).max(MAX_WAIT_MS).optional() }),
        response: { 200: Standing, ...ERRORS },
      },
    },
    async ({ operator, params: { taskId }, query: { owner, waitMs }, raw }) => {
      const found = await taskOf(tasks, requireOperator(operator), taskId, owner);
      if (waitMs === undefined) return standingOf(found.view);
      const gone = new AbortController();
      raw.once('close', () => gone.abort());
      const { view, outcome } = await endOf(tasks, found, AbortSignal.any([closing, gone.signal, AbortSignal.timeout(waitMs)]));
      return { ...standingOf(view), ...(outcome !== undefined && { outcome: shown(outcome) }) };
    },
  );
}

function writeRoutes(scope: FastifyInstance, { tasks, audited }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.post(
    '/service/tasks/:taskId/signals',
    {
      config: FOR_SERVICES,
      schema: {
        tags: ['services'],
        summary: 'Sends a signal to a task of the service; it is recorded when this answers',
        params: TaskPath,
        body: z.strictObject({
          name: z.string().min(1).max(512),
          value: z.json(),
          id: z.string().min(1).max(256).optional(),
          owner: Owner,
        }),
        response: { 200: z.object({ isNew: z.boolean().describe('No signal with that id was taken before.') }), ...ERRORS },
      },
    },
    async ({ operator, params: { taskId }, body: { name, value, id, owner } }) => {
      const who = requireOperator(operator);
      const act = { who: namedAsService(who), action: 'signal.send', target: taskId, reason: '', details: { name } } as const;
      return audited(act, async () => {
        await taskOf(tasks, who, taskId, owner);
        return { isNew: await tasks.signal(taskId, { name, value, id, via: serviceNamed(who.name) }) };
      });
    },
  );
  app.post(
    '/service/tasks/:taskId/cancel',
    {
      config: FOR_SERVICES,
      schema: {
        tags: ['services'],
        summary: 'Cancels a task of the service',
        params: TaskPath,
        body: z.strictObject({ reason: z.string().max(1_024).optional(), owner: Owner }),
        response: { 200: z.object({ isCancelled: z.boolean().describe('It had not ended before.') }), ...ERRORS },
      },
    },
    async ({ operator, params: { taskId }, body: { reason = '', owner } }) => {
      const who = requireOperator(operator);
      return audited({ who: namedAsService(who), action: 'task.cancel', target: taskId, reason }, async () => {
        await taskOf(tasks, who, taskId, owner);
        return { isCancelled: await isCancelled(tasks, taskId, { by: serviceNamed(who.name), reason }) };
      });
    },
  );
}

/** The audit log has services by the name that tasks have of them. */
function namedAsService(who: Operator): Operator {
  return { ...who, name: serviceNamed(who.name) };
}

/** @throws Refused 403 */
function requireTool({ name, tools }: Operator, tool: string): void {
  if (tools !== undefined && !tools.includes(tool))
    throw new Refused(403, 'TOOL_NOT_ALLOWED', `The token of ${name} starts ${tools.join(', ')} only.`);
}

/** A task that the service has started for the owner. @throws TaskError `TASK_NOT_FOUND` */
async function taskOf(tasks: OperatorService, who: Operator, taskId: string, owner: string | undefined): Promise<TaskSnapshot> {
  const service = serviceNamed(who.name);
  const { created, ...snapshot } = await tasks.get(taskId);
  if (created.startedBy !== service || created.owner !== (owner ?? service)) throw new TaskError('TASK_NOT_FOUND');
  return snapshot;
}

/** The end of the task, or the task as it was last seen when the signal aborts. */
async function endOf(tasks: OperatorService, from: TaskSnapshot, signal: AbortSignal): Promise<TaskSnapshot> {
  let last = from;
  if (last.outcome !== undefined) return last;
  try {
    for await (const snapshot of tasks.follow(from.view.taskId, signal)) last = snapshot;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return last;
}

async function isCancelled(tasks: OperatorService, taskId: string, act: Parameters<OperatorService['cancel']>[1]): Promise<boolean> {
  try {
    await tasks.cancel(taskId, act);
    return true;
  } catch (error) {
    if (error instanceof TaskError && error.code === 'TASK_ENDED') return false;
    throw error;
  }
}

function shown(outcome: Outcome): NonNullable<z.infer<typeof Standing>['outcome']> {
  if (outcome.kind === 'result') return { kind: 'result', result: { ...outcome.result } };
  return outcome.kind === 'error' ? { kind: 'error', error: { ...outcome.error } } : { ...outcome };
}
