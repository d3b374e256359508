import { type TenantSettings, tenantName, tenantSettings } from '@longhaul/runtime/tenant-settings';
import type { Tenants } from '@longhaul/sessions';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requireOperator } from '../access/access-check.js';
import { ERRORS, Refused } from '../http/problems.js';
import { Reason } from '../schemas/common.js';
import type { RouteDeps } from './route-deps.js';

const Settings = tenantSettings.meta({ id: 'TenantSettings' });

/** What holds for a tenant, and what of it operators have said. */
const Tenant = z
  .object({
    name: z.string(),
    settings: Settings.describe('What holds for the tenant.'),
    override: Settings.optional().describe('What of it operators have said.'),
  })
  .meta({ id: 'Tenant' });

const Name = z.object({ name: tenantName });

/** Each process holds all of them. */
const MAX_OVERRIDDEN = 10_000;

/** What tenants may have, and what operators say of it. */
export function tenantRoutes(scope: FastifyInstance, { tenants, overrides, audited }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const about = (summary: string) => ({ tags: ['tenants'], summary });
  app.get(
    '/tenants',
    {
      schema: {
        ...about('What holds for all tenants, and for those of whom something is said'),
        response: { 200: z.object({ default: Settings, tenants: z.array(Tenant) }), ...ERRORS },
      },
    },
    async () => {
      await tenants.look();
      return { default: tenants.named(''), tenants: tenants.names.toSorted().map((name) => shown(tenants, name)) };
    },
  );
  app.get(
    '/tenants/:name',
    { schema: { ...about('What holds for a tenant'), params: Name, response: { 200: Tenant, ...ERRORS } } },
    async ({ params: { name } }) => {
      await tenants.look();
      return shown(tenants, name);
    },
  );
  app.put(
    '/tenants/:name',
    {
      schema: {
        ...about('Has settings hold for a tenant, in place of what operators have said of it before. All processes know within 5 s'),
        params: Name,
        body: z.object({ settings: Settings, reason: Reason }),
        response: { 200: Tenant, ...ERRORS },
      },
    },
    async ({ params: { name }, body: { settings, reason }, operator }) => {
      const act = { who: requireOperator(operator), action: 'tenant.set', target: name, reason, details: { settings: { ...settings } } };
      await audited(act, async () => {
        await tenants.look();
        if (!tenants.overrides.has(name) && tenants.overrides.size >= MAX_OVERRIDDEN)
          throw new Refused(409, 'TOO_MANY_TENANTS', `At most ${MAX_OVERRIDDEN} tenants can have settings by operators.`);
        await overrides.set(name, { ...settings });
      });
      await tenants.look();
      return shown(tenants, name);
    },
  );
  app.delete(
    '/tenants/:name',
    {
      schema: {
        ...about('Has the configured settings hold again for a tenant'),
        params: Name,
        body: z.object({ reason: Reason }),
        response: { 200: Tenant, ...ERRORS },
      },
    },
    async ({ params: { name }, body: { reason }, operator }) => {
      await audited({ who: requireOperator(operator), action: 'tenant.reset', target: name, reason }, () => overrides.set(name));
      await tenants.look();
      return shown(tenants, name);
    },
  );
}

function shown(tenants: Tenants, name: string): { name: string; settings: TenantSettings; override?: TenantSettings } {
  const override = tenants.overrides.get(name);
  return { name, settings: tenants.named(name), ...(override !== undefined && { override }) };
}
