import { setTimeout as delay } from 'node:timers/promises';
import { omitUndefined } from '@longhaul/mcp-features';
import {
  MAX_REVOCATIONS,
  type Revocation as KeptRevocation,
  REVOKED_WITHIN_MS,
  type RevokedPrincipal,
  textOfPrincipal,
} from '@longhaul/sessions';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requireOperator } from '../access/access-check.js';
import { ERRORS, Refused } from '../http/problems.js';
import { heldSessions } from '../principals/sessions-of-principal.js';
import { cancelTasksOf, heldTasks, MAX_OWNERS } from '../principals/tasks-of-principal.js';
import { Reason, Time, timeOf } from '../schemas/common.js';
import { Session, shownSession } from '../schemas/session.js';
import type { RouteDeps } from './route-deps.js';

const Name = z.string().min(1).max(1_024);

/** Callers, named by identities in their tokens. */
const Principal = z
  .strictObject({
    name: Name.optional().describe('The holder of a static token.'),
    issuer: Name.optional(),
    subject: Name.optional().describe('Absent: all of the tenant, or of the issuer.'),
    tenant: Name.optional().describe('Absent: of any tenant, and of none.'),
  })
  .refine(
    ({ name, issuer, subject, tenant }) => (name === undefined ? issuer !== undefined : (issuer ?? subject ?? tenant) === undefined),
    {
      message: 'must have either a name, or an issuer and with it a subject, a tenant, both, or neither',
    },
  );

/** Callers. */
export type Principal = z.infer<typeof Principal>;

/** The callers to revoke, and the reason. */
export const Revoke = z.strictObject({
  principal: Principal,
  issuedBefore: Time.optional().describe('Tokens that were issued later stay good. Absent: no token does.'),
  reason: Reason,
});

const Shown = z
  .object({ principal: Principal, at: Time, issuedBefore: Time.optional(), by: z.string(), reason: z.string() })
  .meta({ id: 'Revocation' });

/** Callers who are refused. */
export type Revocation = z.infer<typeof Shown>;

/** The result of a revocation. */
export const Revoked = z.object({
  revocation: Shown,
  cancelledTasks: z.int(),
  failedTasks: z.int().describe('Those that could not be cancelled; the log says why.'),
});

const Count = z.int();

/** The callers to look for. */
export const Held = z.strictObject({ principal: Principal });

/** The sessions and tasks of callers. */
export const Holdings = z
  .object({
    owners: z.array(z.string()).describe('Under which names the tasks and sessions are; the first 1,000.'),
    tasks: z.object({ working: Count, input_required: Count, completed: Count, failed: Count, cancelled: Count }),
    openSessions: Count.describe(
      'Sessions that are open. Sessions of a revoked caller count until they expire, though they cannot be used.',
    ),
    sessions: z.array(Session).describe('Which those are; the first 1,000.'),
    revocations: z.array(Shown).describe('Those of exactly these callers.'),
  })
  .meta({ id: 'Holdings' });

function principalOf({ name, issuer, subject, tenant }: Principal): RevokedPrincipal {
  if (name !== undefined) return { name };
  return omitUndefined({ issuer: issuer ?? '', subject, tenant });
}

function shown({ principal, at, issuedBefore, by, reason }: KeptRevocation): Revocation {
  return omitUndefined({
    principal,
    at: timeOf(at),
    issuedBefore: issuedBefore === undefined ? undefined : timeOf(issuedBefore),
    by,
    reason,
  });
}

/** Revokes callers, and shows what they have. */
export function principalRoutes(scope: FastifyInstance, deps: RouteDeps): void {
  readRoutes(scope, deps);
  revokeRoute(scope, deps);
  restoreRoute(scope, deps);
}

function readRoutes(scope: FastifyInstance, { tasks, sessionSlots, revocations }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/principals/revoked',
    {
      schema: {
        tags: ['principals'],
        summary: 'Callers who are refused',
        response: { 200: z.object({ revocations: z.array(Shown) }), ...ERRORS },
      },
    },
    async () => ({ revocations: (await revocations.all()).toSorted((a, b) => b.at - a.at).map(shown) }),
  );
  app.post(
    '/principals/holdings',
    {
      config: { isForReaders: true },
      schema: {
        tags: ['principals'],
        summary: 'What callers have',
        body: Held,
        response: { 200: Holdings, ...ERRORS },
      },
    },
    async ({ body }) => {
      const principal = principalOf(body.principal);
      const [ofTasks, ofSessions] = await Promise.all([heldTasks(tasks, principal), heldSessions(sessionSlots, principal)]);
      const own = (await revocations.all()).filter((one) => textOfPrincipal(one.principal) === textOfPrincipal(principal));
      return {
        owners: [...new Set([...ofTasks.owners, ...ofSessions.owners])].slice(0, MAX_OWNERS),
        tasks: ofTasks.byStatus,
        openSessions: ofSessions.count,
        sessions: ofSessions.sessions.map(shownSession),
        revocations: own.map(shown),
      };
    },
  );
}

function revokeRoute(scope: FastifyInstance, { tasks, revocations, audited }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.post(
    '/principals/revoke',
    {
      schema: {
        tags: ['principals'],
        summary: 'Refuses callers from now on, ends their streams and sessions, cancels their tasks, and withholds what there is of these',
        description: 'It answers when every gateway that reaches the store refuses them, after some seconds.',
        body: Revoke,
        response: { 200: Revoked, ...ERRORS },
      },
    },
    async ({ body, operator, log }) => {
      const who = requireOperator(operator);
      const { reason } = body;
      const principal = principalOf(body.principal);
      const issuedBefore = body.issuedBefore === undefined ? undefined : Date.parse(body.issuedBefore);
      if ('name' in principal && issuedBefore !== undefined)
        throw new Refused(
          400,
          'INVALID_REQUEST',
          'issuedBefore: a static token does not say when it was issued; revoke it, and set another one.',
        );
      const by = `operator:${who.name}`;
      const revocation: KeptRevocation = omitUndefined({ principal, at: Date.now(), issuedBefore, by: who.name, reason });
      const target = textOfPrincipal(principal);
      const details = omitUndefined({ issuedBefore: body.issuedBefore });
      await audited({ who, action: 'principal.revoke', target, reason, details }, async () => {
        if (!(await revocations.set(revocation)))
          throw new Refused(409, 'TOO_MANY_REVOKED', `At most ${MAX_REVOCATIONS} callers can be revoked at the same time: lift some.`);
      });
      const done = await audited(
        { who, action: 'principal.cancel-tasks', target, reason },
        async () => {
          const before = await cancelTasksOf(tasks, principal, { by, reason });
          await delay(REVOKED_WITHIN_MS);
          // Tasks that a gateway accepted before it knew of the revocation. Tasks of newer tokens may continue from then.
          const createdBefore = issuedBefore === undefined ? undefined : revocation.at + REVOKED_WITHIN_MS;
          const since = await cancelTasksOf(tasks, principal, { by, reason, createdBefore });
          for (const { taskId, error } of since.failed) log.error({ err: error, taskId }, 'a task of revoked callers cannot be cancelled');
          return { cancelledTasks: before.cancelled + since.cancelled, failedTasks: since.failed.length };
        },
        (counts) => counts,
      );
      return { revocation: shown(revocation), ...done };
    },
  );
}

function restoreRoute(scope: FastifyInstance, { revocations, audited }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.post(
    '/principals/restore',
    {
      schema: {
        tags: ['principals'],
        summary: 'Lets callers in again. Their tasks stay cancelled; what was withheld is theirs again',
        body: z.strictObject({ principal: Principal, reason: Reason }),
        response: { 204: z.null(), ...ERRORS },
      },
    },
    async ({ body: { principal: given, reason }, operator }, reply) => {
      const principal = principalOf(given);
      await audited(
        { who: requireOperator(operator), action: 'principal.restore', target: textOfPrincipal(principal), reason },
        async () => {
          if (!(await revocations.lift(principal))) throw new Refused(404, 'NOT_REVOKED', 'No caller of that name is revoked.');
        },
      );
      return reply.code(204).send(null);
    },
  );
}
