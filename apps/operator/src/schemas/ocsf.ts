/**
 * Converts records of the audit log to events of the Open Cybersecurity Schema Framework: class API Activity (6003) of version 1.3.0, with
 * all its required attributes. Members without an attribute of that class are under `unmapped`. The hash is included, so that an event can
 * be compared with the chain.
 */
import { omitUndefined } from '@longhaul/mcp-features';
import type { AuditAction, AuditRecord, JsonObject } from '@longhaul/tasks';

const VERSION = '1.3.0';
const CATEGORY = 6;
const CLASS = 6003;
const ACTIVITY = { create: 1, read: 2, update: 3, delete: 4, other: 99 } as const;
const INFORMATIONAL = 1;
const LOW = 2;
const SUCCESS = 1;
const FAILURE = 2;

const ACTIVITIES: Readonly<Record<AuditAction, keyof typeof ACTIVITY>> = {
  'audit.lost': 'other',
  'bulk.abort': 'update',
  'bulk.answer': 'update',
  'bulk.answer.end': 'other',
  'bulk.cancel': 'delete',
  'bulk.cancel.end': 'other',
  'bulk.resume': 'update',
  'bulk.retry': 'create',
  'bulk.retry.end': 'other',
  'failure.dismiss': 'update',
  'failure.reopen': 'update',
  'failure.snooze': 'update',
  'key.load': 'other',
  'keys.rewrap': 'update',
  'principal.cancel-tasks': 'delete',
  'principal.restore': 'update',
  'principal.revoke': 'update',
  'question.accept': 'update',
  'question.answer': 'update',
  'signal.send': 'update',
  'question.cancel': 'update',
  'question.decline': 'update',
  'queue.pause': 'update',
  'queue.resume': 'update',
  'request.refuse': 'other',
  'result.read': 'read',
  'schedule.add': 'create',
  'schedule.backfill': 'create',
  'schedule.change': 'update',
  'schedule.pause': 'update',
  'schedule.remove': 'delete',
  'schedule.resume': 'update',
  'schedule.run': 'create',
  'server.off': 'update',
  'server.on': 'update',
  'server.restart': 'update',
  'task.cancel': 'delete',
  'task.create': 'create',
  'task.import': 'create',
  'task.read': 'read',
  'task.retry': 'create',
  'tenant.reset': 'delete',
  'tenant.set': 'update',
  'token.elevate': 'other',
  'tool.start': 'create',
};

/** @param product the version of this program */
export function ocsfOf(record: AuditRecord, product: string): JsonObject {
  const { at, who, action, target, outcome, reason, caller, method, tool, taskId, correlation, details, chain, number, hash } = record;
  // Another version may have written the record.
  const activity = (ACTIVITIES as Readonly<Record<string, keyof typeof ACTIVITY | undefined>>)[action] ?? 'other';
  const isDone = outcome === 'done';
  return omitUndefined({
    category_uid: CATEGORY,
    class_uid: CLASS,
    activity_id: ACTIVITY[activity],
    ...(activity === 'other' && { activity_name: action }),
    type_uid: CLASS * 100 + ACTIVITY[activity],
    severity_id: isDone ? INFORMATIONAL : LOW,
    time: at,
    status_id: isDone ? SUCCESS : FAILURE,
    status_code: outcome,
    status_detail: reason === '' ? undefined : reason,
    metadata: omitUndefined({
      version: VERSION,
      product: { name: 'Longhaul', vendor_name: 'Longhaul', version: product },
      log_name: chain,
      sequence: number,
      uid: record.id,
      correlation_uid: correlation,
      tenant_uid: caller?.tenant,
    }),
    actor: omitUndefined({
      user: omitUndefined({ uid: caller?.owner ?? who, name: who }),
      app_uid: caller?.client,
      idp: caller?.issuer === undefined ? undefined : { name: caller.issuer, uid: caller.issuer },
    }),
    api: omitUndefined({
      operation: method ?? action,
      service: { name: caller === undefined ? 'longhaul operator API' : 'longhaul MCP endpoint' },
      request: correlation === undefined ? undefined : { uid: correlation },
    }),
    src_endpoint: caller?.address === undefined ? { name: chain === 'operators' ? 'operator' : 'unknown' } : { ip: caller.address },
    resources: [omitUndefined({ uid: taskId ?? target, name: tool, type: taskId === undefined ? undefined : 'task' })],
    unmapped: omitUndefined({ action, target, details, hash }),
  });
}
