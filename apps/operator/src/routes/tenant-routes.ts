import { tenantName, type TenantSettings, tenantSettings } from '@longhaul/runtime/tenant-settings';
import type { Tenants } from '@longhaul/sessions';
import { type JsonObject, tenantOf } from '@longhaul/tasks';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requireOperator } from '../access/access-check.js';
import { ERRORS, Refused } from '../http/problems.js';
import { sessionsOf } from '../principals/sessions-of-principal.js';
import { Reason, Spent } from '../schemas/common.js';
import { Session, shownSession } from '../schemas/session.js';
import type { RouteDeps } from './route-deps.js';

export const Settings = tenantSettings.meta({ id: 'TenantSettings' });

/** The settings that apply to a tenant, and the part that operators have set. */
export const Tenant = z
  .object({
    name: z.string(),
    settings: Settings.describe('What holds for the tenant.'),
    override: Settings.optional().describe('What of it operators have said.'),
  })
  .meta({ id: 'Tenant' });

export const TenantList = z.object({ default: Settings, tenants: z.array(Tenant) });

/** Null means no limit. */
const limit = z.int().nullable();

/** The limits of an owner, and how much of them is used. */
export const OwnerLimitsAndUse = z
  .object({
    owner: z.string(),
    tenant: z.string().describe('The tenant whose settings hold for the owner.'),
    limits: z
      .object({ unfinishedTasks: limit, tasksPerMinute: limit, historyBytes: limit, openSessions: limit })
      .describe('What the owner may have now: what is said of its tenant, and otherwise what is configured for all.'),
    used: z.object({
      unfinishedTasks: z.int().describe('Tasks that have not ended.'),
      tasksInMinute: z.int().describe('Tasks that were created in the present minute.'),
      historyBytes: z.int().describe('What the histories of all tasks that are kept take, those that failed too.'),
      openSessions: z.int().describe('Sessions that are open.'),
      spent: Spent.describe('What the latest 1,000 of its tasks that are kept have spent, as their tools say by `context.spend`.'),
    }),
    sessions: z.array(Session).describe('Which those are, the last used first; the first 100.'),
  })
  .meta({ id: 'OwnerLimitsAndUse' });

const Name = z.object({ name: tenantName });

/** Each process keeps all of them in memory. */
const MAX_OVERRIDDEN = 10_000;

/** The number of an owner's sessions that are listed. */
const MAX_SESSIONS = 100;

/** How often a change of one setting is tried if other changes come at the same time. */
const MAX_TRIES = 20;

const about = (summary: string) => ({ tags: ['tenants'], summary });

/** Shows the settings of tenants, and changes the operators' overrides. */
export function tenantRoutes(scope: FastifyInstance, deps: RouteDeps): void {
  const { tenants } = deps;
  const app = scope.withTypeProvider<ZodTypeProvider>();
  ownerRoutes(scope, deps);
  app.get(
    '/tenants',
    {
      schema: {
        ...about('What holds for all tenants, and for those of whom something is said'),
        response: { 200: TenantList, ...ERRORS },
      },
    },
    async () => {
      await tenants.refresh();
      return { default: tenants.named(''), tenants: tenants.names.toSorted().map((name) => shown(tenants, name)) };
    },
  );
  app.get(
    '/tenants/:name',
    { schema: { ...about('What holds for a tenant'), params: Name, response: { 200: Tenant, ...ERRORS } } },
    async ({ params: { name } }) => {
      await tenants.refresh();
      return shown(tenants, name);
    },
  );
  setRoutes(scope, deps);
  resetRoute(scope, deps);
}

function setRoutes(scope: FastifyInstance, { tenants, overrides, audited }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const routes = {
    PUT: {
      summary: 'Changes the settings of a tenant, instead of earlier ones from operators. All processes know within 5 s',
      settingsOf: (_said: JsonObject | undefined, given: TenantSettings) => given,
    },
    PATCH: {
      summary:
        'Has settings hold for a tenant; what operators have said of it before and is not named stays. All processes know within 5 s',
      settingsOf: (said: JsonObject | undefined, given: TenantSettings) => ({ ...said, ...given }),
    },
  };
  for (const method of ['PUT', 'PATCH'] as const)
    app.route({
      method,
      url: '/tenants/:name',
      schema: {
        ...about(routes[method].summary),
        params: Name,
        body: z.strictObject({ settings: Settings, reason: Reason }),
        response: { 200: Tenant, ...ERRORS },
      },
      handler: async ({ params: { name }, body: { settings, reason }, operator }) => {
        const act = {
          who: requireOperator(operator),
          action: 'tenant.set',
          target: name,
          reason,
          details: { settings: { ...settings } },
        } as const;
        await audited(act, () => change(name, (said) => routes[method].settingsOf(said, settings)));
        await tenants.refresh();
        return shown(tenants, name);
      },
    });

  /** If two operators change different settings at the same time, both changes are kept. */
  async function change(name: string, settingsOf: (said: JsonObject | undefined) => TenantSettings): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const read = await overrides.read();
      const said = read?.tenants;
      if (said !== undefined && !said.has(name) && said.size >= MAX_OVERRIDDEN)
        throw new Refused(409, 'TOO_MANY_TENANTS', `At most ${MAX_OVERRIDDEN} tenants can have settings by operators.`);
      if (await overrides.set(name, { ...settingsOf(said?.get(name)) }, read?.change)) return;
    }
    throw new Refused(409, 'CHANGED_BY_OTHERS', 'Others change what holds for tenants all the time: nothing was changed. Try again.');
  }
}

function resetRoute(scope: FastifyInstance, { tenants, overrides, audited }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.delete(
    '/tenants/:name',
    {
      schema: {
        ...about('Has the configured settings hold again for a tenant'),
        params: Name,
        body: z.strictObject({ reason: Reason }),
        response: { 200: Tenant, ...ERRORS },
      },
    },
    async ({ params: { name }, body: { reason }, operator }) => {
      await audited({ who: requireOperator(operator), action: 'tenant.reset', target: name, reason }, () => overrides.set(name));
      await tenants.refresh();
      return shown(tenants, name);
    },
  );
}

function ownerRoutes(scope: FastifyInstance, { tasks, sessionSlots, tenants, limitsOf, openSessionsOf }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/owners/limits',
    {
      schema: {
        ...about('What an owner may have now, and what it uses of that'),
        querystring: z.strictObject({ owner: tenantName.describe('As tasks name it.') }),
        response: { 200: OwnerLimitsAndUse, ...ERRORS },
      },
    },
    async ({ query: { owner } }) => {
      await tenants.refresh();
      const { concurrentTasks, tasksPerMinute, historyBytes } = limitsOf(owner);
      const limits = {
        unfinishedTasks: orNull(concurrentTasks),
        tasksPerMinute: orNull(tasksPerMinute),
        historyBytes: orNull(historyBytes),
        openSessions: orNull(openSessionsOf(owner)),
      };
      const [use, spent, { count, sessions }] = await Promise.all([
        tasks.useOf(owner),
        tasks.spentBy(owner),
        sessionsOf(sessionSlots, owner, MAX_SESSIONS),
      ]);
      const used = { ...use, openSessions: count, spent: { ...spent } };
      return { owner, tenant: tenantOf(owner), limits, used, sessions: sessions.map(shownSession) };
    },
  );
}

/** A limit in the form that is shown. The largest number means no limit. */
function orNull(value: number): number | null {
  return value >= Number.MAX_SAFE_INTEGER ? null : value;
}

function shown(tenants: Tenants, name: string): { name: string; settings: TenantSettings; override?: TenantSettings } {
  const override = tenants.overrides.get(name);
  return { name, settings: tenants.named(name), ...(override !== undefined && { override }) };
}
