import { MOST_PRIORITY, type OperatorFilter, ROW_STATUSES } from '@longhaul/tasks';
import { z } from 'zod';
import { omitUndefined } from '@longhaul/mcp-features';
import { argumentsIn, Where } from './where.js';

/** An instant, as ISO 8601 in UTC. */
export const Time = z.iso.datetime();

/** An amount of money and of tokens. */
export const Spent = z.object({ cost: z.number().optional(), tokens: z.number().optional() }).meta({ id: 'Spending' });

/** Entries of a page. */
export const Limit = z.coerce.number().int().min(1).max(200).default(50);

/** As `problemOfPriority` allows it. */
export const Priority = z
  .int()
  .min(-MOST_PRIORITY)
  .max(MOST_PRIORITY)
  .optional()
  .describe('Whether it comes before or after other tasks of its owner. Otherwise as its tool says.');

/** Where a page continues. */
export const Cursor = z.string().max(200);

/** The reason of an action. */
export const Reason = z.string().trim().min(1).max(500);

/** Has a task retried that was retried before. */
export const Force = z.boolean().optional();

/** Where a new task begins that is made of another one. */
export const From = z
  .union([z.enum(['start', 'failed-step']), z.strictObject({ step: z.string().min(1).max(1_024) })])
  .optional()
  .describe('The step, or another operation by its key, that runs first; what comes before it is taken over. `start` unless given.');

/** A change of arguments. */
export const Patch = z.record(z.string(), z.json()).optional().describe('A JSON merge patch on the arguments: null removes a member.');

/** Makes a request one that may be repeated. */
export const IdempotencyKey = z.string().min(1).max(256).optional();

/** The reply to a question. */
export const Said = z.strictObject({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])).optional(),
});

/** The path of a route for one task. */
export const TaskPath = z.object({ taskId: z.string().max(64) });

const filterMembers = {
  tool: z.string().max(256).optional(),
  owner: z.string().max(1_024).optional(),
  failure: z.string().max(256).optional(),
  group: z.string().max(64).optional().describe('The id of a group of failures.'),
  deployment: z.string().max(256).optional(),
  where: Where.optional(),
  since: Time.optional(),
  before: Time.optional(),
};
const Statuses = z.array(z.enum(ROW_STATUSES)).min(1);

/** A filter in a query, with statuses separated by commas. */
export const FilterQuery = z.strictObject({
  status: z
    .string()
    .max(100)
    .transform((text) => text.split(','))
    .pipe(Statuses)
    .optional(),
  ...filterMembers,
});

/** The same filter in a body. */
export const Filter = z.strictObject({ status: Statuses.optional(), ...filterMembers }).meta({ id: 'TaskFilter' });

/** The filter in the words of the index. The API's words are the flags of the command line. */
export function filterOf({ failure, group, deployment, where, since, before, ...rest }: z.infer<typeof Filter>): OperatorFilter {
  return omitUndefined({
    ...rest,
    reason: failure,
    cause: group,
    version: deployment,
    where: where === undefined ? undefined : argumentsIn(where),
    createdFrom: since === undefined ? undefined : Date.parse(since),
    createdBefore: before === undefined ? undefined : Date.parse(before),
  });
}

/** Epoch milliseconds as a time. */
export function timeOf(at: number): string {
  return new Date(at).toISOString();
}
