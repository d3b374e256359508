import { omitUndefined } from '@longhaul/mcp-features';
import { type ScheduleShape, scheduleShape } from '@longhaul/runtime/schedules';
import type { JsonObject } from '@longhaul/tasks';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requireOperator } from '../access/access-check.js';
import type { Act } from '../access/audit.js';
import type { Operator } from '../access/door.js';
import { ERRORS, Refused } from '../http/problems.js';
import { Limit, Reason, Time } from '../schemas/common.js';
import { Schedule, scheduleDetails, ScheduleSummary, scheduleSummary } from '../schemas/schedule.js';
import { taskOfOperator } from '../tools/task-of-operator.js';
import type { RouteDeps } from './route-deps.js';

/** The times and the events that are shown of one schedule. */
const SHOWN = { times: 10, events: 200 };
const MAX_NAME_LENGTH = 256;

const Name = z.string().min(1).max(MAX_NAME_LENGTH);
const Path = z.object({ name: Name });
const Definition = scheduleShape.describe('As in the file of LONGHAUL_SCHEDULES.');

/** The bodies of requests. */
export const AddSchedule = z.strictObject({ name: Name, schedule: Definition, reason: Reason });
export const ActOnSchedule = z.strictObject({ reason: Reason });
export const Backfill = z.strictObject({
  from: Time.describe('The first time of the range.'),
  to: Time.describe('The last time of the range, which has passed.'),
  reason: Reason,
});
export const SchedulePage = z.object({
  schedules: z.array(ScheduleSummary),
  cursor: z.string().optional().describe('Where the next page begins.'),
});
export const Backfilled = z.object({ schedule: ScheduleSummary, times: z.int().describe('How many times the range has.') });
const Removed = z.object({ name: z.string() });

/** Lists schedules, and shows one. */
export function scheduleRoutes(scope: FastifyInstance, deps: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const { schedules } = deps;
  app.get(
    '/schedules',
    {
      schema: {
        tags: ['schedules'],
        summary: 'Schedules, in the order of their names',
        querystring: z.strictObject({ limit: Limit, cursor: z.string().max(MAX_NAME_LENGTH).optional() }),
        response: { 200: SchedulePage, ...ERRORS },
      },
    },
    async ({ query: { limit, cursor } }) => {
      const [page, isKnown] = await Promise.all([schedules.list(limit, cursor), knownTools(deps)]);
      return omitUndefined({ schedules: page.schedules.map((state) => scheduleSummary(state, isKnown)), cursor: page.next });
    },
  );
  app.get(
    '/schedules/:name',
    {
      schema: {
        tags: ['schedules'],
        summary: 'A schedule with its next ten times and its history',
        params: Path,
        response: { 200: Schedule, ...ERRORS },
      },
    },
    async ({ params: { name } }) => {
      const [details, isKnown] = await Promise.all([schedules.get(name, SHOWN), knownTools(deps)]);
      return scheduleDetails(details, isKnown);
    },
  );
  definitionRoutes(scope, deps);
  actRoutes(scope, deps);
}

/** Adds, changes and removes schedules. */
function definitionRoutes(scope: FastifyInstance, deps: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const { schedules, audited } = deps;
  const change = (verb: 'add' | 'change', who: Operator, name: string, schedule: ScheduleShape, reason: string) => {
    const act: Act = { who, action: `schedule.${verb}`, target: name, reason, details: { tool: schedule.tool } };
    return audited(act, async () => {
      const by = `operator:${who.name}`;
      await requireFit(deps, who, schedule);
      return scheduleSummary(await schedules[verb](name, { shape: schedule, owner: by, origin: 'api' }, { by }), await knownTools(deps));
    });
  };
  app.post(
    '/schedules',
    { schema: { tags: ['schedules'], summary: 'Adds a schedule', body: AddSchedule, response: { 201: ScheduleSummary, ...ERRORS } } },
    async ({ body: { name, schedule, reason }, operator }, reply) =>
      reply.code(201).send(await change('add', requireOperator(operator), name, schedule, reason)),
  );
  app.put(
    '/schedules/:name',
    {
      schema: {
        tags: ['schedules'],
        summary: 'Gives a schedule another definition. It keeps its history, and whether it is paused',
        params: Path,
        body: AddSchedule.omit({ name: true }),
        response: { 200: ScheduleSummary, ...ERRORS },
      },
    },
    ({ params: { name }, body: { schedule, reason }, operator }) => change('change', requireOperator(operator), name, schedule, reason),
  );
  app.delete(
    '/schedules/:name',
    {
      schema: {
        tags: ['schedules'],
        summary: 'Removes a schedule with its history. Its tasks continue',
        params: Path,
        body: ActOnSchedule,
        response: { 200: Removed, ...ERRORS },
      },
    },
    async ({ params: { name }, body: { reason }, operator }) => {
      const act: Act = { who: requireOperator(operator), action: 'schedule.remove', target: name, reason };
      await audited(act, () => schedules.remove(name, 'api'));
      return { name };
    },
  );
}

const VERBS = {
  pause: 'Has a schedule start nothing until it is resumed; times of the pause are skipped',
  resume: 'Continues a paused schedule',
  run: 'Starts a task of a schedule now, even if it is paused or an earlier task runs',
} as const;

/** Pauses, resumes, runs and backfills schedules: those of the file too. */
function actRoutes(scope: FastifyInstance, deps: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const { schedules, audited } = deps;
  for (const verb of ['pause', 'resume', 'run'] as const)
    app.post(
      `/schedules/:name/${verb}`,
      {
        schema: {
          tags: ['schedules'],
          summary: VERBS[verb],
          params: Path,
          body: ActOnSchedule,
          response: { 200: ScheduleSummary, ...ERRORS },
        },
      },
      async ({ params: { name }, body: { reason }, operator }) => {
        const who = requireOperator(operator);
        const actor = { by: `operator:${who.name}` };
        const state = await audited({ who, action: `schedule.${verb}`, target: name, reason }, () =>
          verb === 'pause' ? schedules.pause(name, reason, actor) : schedules[verb](name, actor),
        );
        return scheduleSummary(state, await knownTools(deps));
      },
    );
  app.post(
    '/schedules/:name/backfill',
    {
      schema: {
        tags: ['schedules'],
        summary: 'Starts the times of a past range, without those that were started',
        params: Path,
        body: Backfill,
        response: { 200: Backfilled, ...ERRORS },
      },
    },
    async ({ params: { name }, body: { from, to, reason }, operator }) => {
      const who = requireOperator(operator);
      const act: Act = { who, action: 'schedule.backfill', target: name, reason, details: { from, to } };
      const range = { from: Date.parse(from), to: Date.parse(to) };
      const { state, times } = await audited(act, () => schedules.backfill(name, range, { by: `operator:${who.name}` }));
      return { schedule: scheduleSummary(state, await knownTools(deps)), times };
    },
  );
}

/** Whether a worker that is alive has a tool. */
async function knownTools({ tasks }: RouteDeps): Promise<(tool: string) => boolean> {
  const known = new Set((await tasks.workers()).flatMap(({ tools }) => tools));
  return (tool) => known.has(tool);
}

/** Refuses what would be refused at every time. What only workers know is not checked. */
async function requireFit(
  { catalogue, maxTtlMs }: RouteDeps,
  who: Operator,
  { tool, arguments: args, owner }: ScheduleShape,
): Promise<void> {
  try {
    const found = await catalogue.tool(tool);
    taskOfOperator(found, { who, arguments: args as JsonObject, owner }, { maxTtlMs, answersAllowed: true });
  } catch (error) {
    if (!(error instanceof Refused && error.code === 'TOOL_NOT_LOADED')) throw error;
  }
}
