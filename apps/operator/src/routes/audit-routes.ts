import { Readable } from 'node:stream';
import { AUDIT_CHAINS, type AuditLog, auditPage, type AuditRecord, auditRecords, verifyChain } from '@longhaul/tasks';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { omitUndefined } from '@longhaul/mcp-features';
import { z } from 'zod';
import { ERRORS } from '../http/problems.js';
import type { RouteDeps } from './route-deps.js';
import { Limit, Time, timeOf } from '../schemas/common.js';
import { ocsfOf } from '../schemas/ocsf.js';

const Chain = z.enum(AUDIT_CHAINS);

const Entry = z
  .object({
    chain: Chain,
    number: z.int().describe('Its place in the chain.'),
    hash: z.string(),
    id: z.string().describe('Unique; a record that was written twice has the same one.'),
    at: Time,
    who: z.string(),
    action: z.string(),
    target: z.string(),
    reason: z.string(),
    outcome: z.string().describe('done, or the code of what refused it.'),
    caller: z
      .object({
        owner: z.string(),
        tenant: z.string().optional(),
        issuer: z.string().optional(),
        subject: z.string().optional(),
        client: z.string().optional(),
        address: z.string().optional(),
      })
      .optional()
      .describe('Who called the MCP endpoint, by the token.'),
    method: z.string().optional(),
    tool: z.string().optional(),
    taskId: z.string().optional(),
    correlation: z.string().optional().describe('The traceparent of the request, or its X-Request-Id.'),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'AuditEntry' });

/** A recorded action or attempt. */
export type AuditEntry = z.infer<typeof Entry>;

const Head = z.strictObject({ number: z.int().min(0), hash: z.string().max(64) });

const Anchor = Head.extend({
  chain: z.string().max(64),
  base: Head.optional().describe('What was gone by then: it may be gone now, though LONGHAUL_AUDIT_ENTRIES was raised.'),
}).meta({ id: 'AuditAnchor' });

const Report = z
  .object({
    chain: Chain,
    head: Head.describe('Keep it elsewhere: only with it does a check find a chain that was rewritten up to its head.'),
    base: Head.describe('The last record that retention has removed.'),
    checked: z.int(),
    faultCount: z.int(),
    faults: z.array(
      z.object({
        kind: z.enum(['removed', 'missing', 'changed', 'truncated', 'extended', 'replaced']),
        number: z.int(),
        to: z.int().optional(),
      }),
    ),
    outdatedAnchors: z.int().describe('Anchors before the first record that is to be kept.'),
  })
  .meta({ id: 'AuditReport' });

/** The result of checking a chain. */
export type AuditReport = z.infer<typeof Report>;

const MAX_ANCHORS = 1_000;
const By = z.enum(['operators', 'callers']);

function chainsOf(by: z.infer<typeof By> | undefined): readonly (typeof AUDIT_CHAINS)[number][] {
  return by === undefined ? AUDIT_CHAINS : AUDIT_CHAINS.filter((chain) => (chain === 'operators') === (by === 'operators'));
}

function entryOf(record: AuditRecord): AuditEntry {
  const { caller, ...rest } = record;
  return omitUndefined({ ...rest, at: timeOf(record.at), caller: caller && omitUndefined({ ...caller }) });
}

/** Lists recorded and refused actions, and checks whether the log is complete. */
export function auditRoutes(scope: FastifyInstance, { auditLog, auditEntries: keep, version }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/audit',
    {
      schema: {
        tags: ['audit'],
        summary: 'What was done and refused, newest first',
        querystring: z.strictObject({ limit: Limit, before: z.string().max(500).optional(), by: By.optional() }),
        response: { 200: z.object({ entries: z.array(Entry), next: z.string().optional() }), ...ERRORS },
      },
    },
    async ({ query: { limit, before, by } }) => {
      const { records, next } = await auditPage(auditLog, omitUndefined({ chains: chainsOf(by), limit, before }));
      return omitUndefined({ entries: records.map(entryOf), next });
    },
  );
  app.post(
    '/audit/verify',
    {
      config: { isForReaders: true },
      schema: {
        tags: ['audit'],
        summary: 'Looks whether records were deleted, changed, moved, cut off or removed too early',
        body: z.strictObject({ anchors: z.array(Anchor).max(MAX_ANCHORS).default([]).describe('Heads that were kept elsewhere.') }),
        response: { 200: z.object({ isWhole: z.boolean(), chains: z.array(Report) }), ...ERRORS },
      },
    },
    async ({ body: { anchors } }) => {
      const chains: AuditReport[] = [];
      for (const chain of AUDIT_CHAINS) {
        const report = await verifyChain(auditLog, chain, { keep, anchors });
        chains.push({ ...report, faults: [...report.faults] });
      }
      return { isWhole: chains.every(({ faultCount }) => faultCount === 0), chains };
    },
  );
  exportRoute(scope, auditLog, version);
}

function exportRoute(scope: FastifyInstance, auditLog: AuditLog, version: string): void {
  scope.withTypeProvider<ZodTypeProvider>().get(
    '/audit/export',
    {
      schema: {
        tags: ['audit'],
        summary: 'All records that are kept, of a time, one a line, chain by chain',
        querystring: z.strictObject({
          format: z.enum(['jsonl', 'ocsf']).default('jsonl').describe('ocsf: events of class API Activity (6003) of OCSF 1.3.0.'),
          by: By.optional(),
          since: Time.optional(),
          before: Time.optional(),
        }),
        response: { 200: z.string(), ...ERRORS },
      },
    },
    async ({ query: { format, by, since, before } }, reply) => {
      const wanted = {
        chains: chainsOf(by),
        ...(since !== undefined && { from: Date.parse(since) }),
        ...(before !== undefined && { until: Date.parse(before) }),
      };
      const lines = (record: AuditRecord): string => `${JSON.stringify(format === 'ocsf' ? ocsfOf(record, version) : entryOf(record))}\n`;
      void reply.header('content-type', 'application/jsonl; charset=utf-8');
      return reply.send(Readable.from(linesOf(auditRecords(auditLog, wanted), lines)) as never);
    },
  );
}

async function* linesOf(records: AsyncIterable<AuditRecord>, lineOf: (record: AuditRecord) => string): AsyncGenerator<string> {
  for await (const record of records) yield lineOf(record);
}
